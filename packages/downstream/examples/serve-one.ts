import { formatJson } from '@gateway/mcp-wire';
import { createDownstream, formatDownstreamError } from '@gateway/downstream';
import type { McpServer } from '@gateway/crd-schemas';

/** Starts the given servers, calls one tool, and ends everything. */
export const serveOne = async (servers: readonly McpServer[]): Promise<string> => {
  const downstream = createDownstream({
    clientInfo: { name: 'example', version: '1.0.0' },
    log: (event) => process.stderr.write(`${JSON.stringify(event)}\n`),
  });
  downstream.apply(servers);
  await downstream.settled();
  const outcome = await downstream.callTool({
    server: 'everything',
    tool: 'echo',
    arguments: { message: 'hi' },
  });
  await downstream.close();
  return outcome.ok ? formatJson(outcome.result) : formatDownstreamError(outcome.error);
};
