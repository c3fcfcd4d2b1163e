import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondStdio } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';

/** What every kind of client is reduced to in the tests. */
export interface TestClient {
  readonly listTools: () => Promise<readonly { name: string }[]>;
  /** Calls a tool and gives the result as the client library gives it. */
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<ToolAnswer>;
  readonly close: () => Promise<void>;
}

/** A `tools/call` result, loosely typed. */
export interface ToolAnswer {
  readonly content: readonly { type: string; text?: string; [key: string]: unknown }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Record<string, unknown>;
}

/** The client libraries and protocol eras that the gateway is proven with, over HTTP. */
export const HTTP_CLIENTS = {
  'generation 1, 2025 era': (url: URL, headers: Record<string, string>) => {
    const client = new FirstClient({ name: 'test', version: '1.0.0' });
    const transport = new FirstHttp(url, { requestInit: { headers } });
    // The library's own transport type predates exactOptionalPropertyTypes.
    return connected(client, client.connect(transport as Parameters<typeof client.connect>[0]));
  },
  'generation 2, 2025 era': (url: URL, headers: Record<string, string>) => {
    const client = new SecondClient({ name: 'test', version: '1.0.0' });
    return connected(client, client.connect(new SecondHttp(url, { requestInit: { headers } })));
  },
  'generation 2, 2026-07-28': (url: URL, headers: Record<string, string>) => {
    const client = new SecondClient(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    return connected(client, client.connect(new SecondHttp(url, { requestInit: { headers } })));
  },
} as const;

/** Starts a command and speaks MCP over its standard streams. */
export interface StdioCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** The client libraries that the gateway is proven with, over stdio. */
export const STDIO_CLIENTS = {
  'generation 1': (command: StdioCommand) => {
    const client = new FirstClient({ name: 'test', version: '1.0.0' });
    return connected(client, client.connect(new FirstStdio({ ...command, stderr: 'ignore' })));
  },
  'generation 2': (command: StdioCommand) => {
    const client = new SecondClient({ name: 'test', version: '1.0.0' });
    return connected(client, client.connect(new SecondStdio({ ...command, stderr: 'ignore' })));
  },
} as const;

async function connected(
  client: FirstClient | SecondClient,
  connecting: Promise<void>,
): Promise<TestClient> {
  await connecting;
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}
