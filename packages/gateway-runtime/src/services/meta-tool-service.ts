import { RPC_CODE } from '@gateway/call-contract';
import type { ServiceCallContext } from '@gateway/mcp-http';
import type { McpService, ServiceAnswer } from '@gateway/mcp-http';
import type { MetaToolAnswer, MetaTools } from '@gateway/meta-tools';
import type { CallTimer, Metrics } from '../metrics/metrics.ts';
import type { Features } from './server-features.ts';
import { SERVICE_INFO, TOOLSET_LINES } from './service-identity.ts';

/** What the service of the meta-tools is made of. */
export interface GatewayServiceParts {
  readonly metaTools: MetaTools;
  readonly metrics: Metrics;
  /** Which of the features that are not always there some connected server has. */
  readonly features: () => Features;
}

/** The meta-tools as the service that HTTP and stdio carry. */
export function gatewayService({ metaTools, metrics, features }: GatewayServiceParts): McpService {
  const items = metaTools.definitions.map((definition) => ({
    ...definition,
    annotations: { ...definition.annotations },
  }));
  const timers = new Map<string, CallTimer>(
    items.map(({ name }) => [name, metrics.metaToolTimer(name)]),
  );
  return {
    info: SERVICE_INFO,
    instructions:
      'Find a tool with filter_tools (query), read it with describe_tool, run it with call_tool.',
    // The list of the meta-tools never changes; servers behind call_tool may log.
    get capabilities() {
      return features().logging ? { tools: {}, logging: {} } : { tools: {} };
    },
    list: () => ({ ok: true, items }),
    call: ({ params }, context) => {
      const name = String(params['name']);
      const timer = timers.get(name);
      if (timer === undefined) return unknownTool(name);
      return timed(timer, () => askMetaTool(name, params['arguments'], context));
    },
  };

  function askMetaTool(
    name: string,
    args: unknown,
    context: ServiceCallContext,
  ): MetaToolAnswer | Promise<MetaToolAnswer> {
    return metaTools.call({
      name,
      arguments: args,
      toolsetHeader: context.header(TOOLSET_LINES),
      context,
    });
  }
}

const answered = (timer: CallTimer, start: number, answer: MetaToolAnswer): ServiceAnswer => {
  timer.finished(start, answer.result['isError'] === true ? 'error_result' : 'ok');
  const { result, json } = answer;
  return json === undefined ? { ok: true, result } : { ok: true, result, json };
};

/** Most answers are there at once, and are not made to wait for a turn of the event loop. */
function timed(
  timer: CallTimer,
  ask: () => MetaToolAnswer | Promise<MetaToolAnswer>,
): ServiceAnswer | Promise<ServiceAnswer> {
  const start = performance.now();
  const failed = (error: unknown): never => {
    timer.finished(start, 'failed');
    throw error;
  };
  try {
    const answer = ask();
    if (!(answer instanceof Promise)) return answered(timer, start, answer);
    return answer.then((done) => answered(timer, start, done), failed);
  } catch (error) {
    return failed(error);
  }
}

/** Longest part of a caller's value that a text repeats, in characters. */
const MAX_QUOTED = 200;

function unknownTool(name: string): ServiceAnswer {
  const quoted = name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name;
  const message = `Unknown tool: ${JSON.stringify(quoted)}`;
  return { ok: false, error: { code: RPC_CODE.invalidParams, message } };
}
