import type { CallContext, McpService, ServiceAnswer } from '@gateway/mcp-http';
import type { MetaTools } from '@gateway/meta-tools';
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import type { Metrics } from './metrics.ts';
import { GATEWAY_VERSION } from './version.ts';

const HEADER = TOOLSET_HEADER.toLowerCase();
const INVALID_PARAMS = -32_602;

/** The meta-tools as the service that HTTP and stdio carry. */
export function gatewayService(metaTools: MetaTools, metrics: Metrics): McpService {
  const items = metaTools.definitions.map((definition) => ({
    ...definition,
    annotations: { ...definition.annotations },
  }));
  const names = new Set<string>(items.map(({ name }) => name));
  return {
    info: { name: 'gateway', title: 'MCP gateway', version: GATEWAY_VERSION },
    instructions:
      'Find a tool with filter_tools (query), read it with describe_tool, run it with call_tool.',
    capabilities: { tools: {} },
    list: () => ({ ok: true, items }),
    call: ({ params }, context) => {
      const name = String(params['name']);
      return names.has(name)
        ? callMetaTool({ name, arguments: params['arguments'] }, context)
        : unknownTool(name);
    },
  };

  async function callMetaTool(
    call: { readonly name: string; readonly arguments: unknown },
    context: CallContext,
  ): Promise<ServiceAnswer> {
    const start = performance.now();
    const finish = (verdict: 'ok' | 'error_result' | 'failed'): void => {
      const seconds = (performance.now() - start) / 1000;
      metrics.metaToolCalled({ tool: call.name, verdict, seconds });
    };
    try {
      const result = await metaTools.call(requestOf(call, context));
      finish(result['isError'] === true ? 'error_result' : 'ok');
      return { ok: true, result };
    } catch (error) {
      finish('failed');
      throw error;
    }
  }
}

/** Longest part of a caller's value that a text repeats, in characters. */
const MAX_QUOTED = 200;

function unknownTool(name: string): ServiceAnswer {
  const quoted = name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name;
  const message = `Unknown tool: ${JSON.stringify(quoted)}`;
  return { ok: false, error: { code: INVALID_PARAMS, message } };
}

function requestOf(
  call: { readonly name: string; readonly arguments: unknown },
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
