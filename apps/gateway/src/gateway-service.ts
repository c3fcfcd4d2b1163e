import type { CallContext, McpService } from '@gateway/mcp-http';
import type { MetaTools } from '@gateway/meta-tools';
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import type { Metrics } from './metrics.ts';
import { GATEWAY_VERSION } from './version.ts';

const HEADER = TOOLSET_HEADER.toLowerCase();

/** The meta-tools as the service that HTTP and stdio carry. */
export function gatewayService(metaTools: MetaTools, metrics: Metrics): McpService {
  return {
    info: { name: 'gateway', title: 'MCP gateway', version: GATEWAY_VERSION },
    instructions:
      'Find a tool with filter_tools (query), read it with describe_tool, run it with call_tool.',
    tools: metaTools.definitions.map((definition) => ({
      ...definition,
      annotations: { ...definition.annotations },
    })),
    callTool: async (call, context) => {
      const start = performance.now();
      const finish = (verdict: 'ok' | 'error_result' | 'failed'): void => {
        const seconds = (performance.now() - start) / 1000;
        metrics.metaToolCalled({ tool: call.name, verdict, seconds });
      };
      try {
        const result = await metaTools.call(requestOf(call, context));
        finish(result['isError'] === true ? 'error_result' : 'ok');
        return result;
      } catch (error) {
        finish('failed');
        throw error;
      }
    },
  };
}

function requestOf(
  call: Parameters<McpService['callTool']>[0],
  context: CallContext,
): Parameters<MetaTools['call']>[0] {
  const { signal, onProgress, meta } = context;
  return {
    name: call.name,
    arguments: call.arguments,
    toolsetHeader: context.header(HEADER),
    session: context.sessionId,
    signal,
    ...(onProgress && { onProgress }),
    ...(meta && { meta }),
  };
}
