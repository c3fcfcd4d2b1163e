import { ANONYMOUS } from '@gateway/call-contract';
import { formatJson } from '@gateway/mcp-wire';
import { createMetaTools, type MetaToolPorts } from '@gateway/meta-tools';

/** The text that `filter_tools` answers to a request with this toolset header. */
export const scopedAnswer = async (ports: MetaToolPorts, header: string): Promise<string> => {
  const metaTools = createMetaTools(ports, { apiGroup: 'gateway.internal', pageSize: 100 });
  const result = await metaTools.call({
    name: 'filter_tools',
    arguments: { query: 'read a file' },
    toolsetHeader: [header],
    context: { principal: ANONYMOUS, sessionId: 'one', signal: AbortSignal.timeout(30_000) },
  });
  return formatJson(result);
};
