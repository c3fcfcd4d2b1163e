import { McpServer } from '@modelcontextprotocol/server';
import type { TokenFacts } from './token-check.ts';

/** The state that the tools of a protected server use. */
export interface ToolParts {
  readonly facts: TokenFacts | undefined;
  /** Further tools, which return their name. */
  readonly moreTools: () => readonly string[];
  /** Resolves when the test calls `release`. */
  readonly released: () => Promise<void>;
}

const TOOLS = ['whoami', 'echo', 'slow'];

const content = (value: unknown) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value) }],
});

const callTool = async (
  name: string,
  args: Readonly<Record<string, unknown>>,
  { facts, released }: ToolParts,
) => {
  if (name === 'whoami') return content(facts ?? null);
  if (name === 'echo') return content(args);
  if (name === 'slow') await released();
  return content(name);
};

/** Creates the MCP server of one request. */
export const createToolServer = (parts: ToolParts): McpServer => {
  const mcp = new McpServer(
    { name: 'protected', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  const { server } = mcp;
  server.setRequestHandler('tools/list', () => ({
    tools: [...TOOLS, ...parts.moreTools()].map((name) => ({
      name,
      description: `The tool ${name}`,
      inputSchema: { type: 'object' as const },
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }) =>
    callTool(params.name, params.arguments ?? {}, parts),
  );
  return mcp;
};
