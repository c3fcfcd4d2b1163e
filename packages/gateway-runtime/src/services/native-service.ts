import type { McpService, RequestContext, ServiceCapabilities } from '@gateway/mcp-http';
import type {
  NativeAnswer,
  NativeCallMethod,
  NativeScope,
  NativeSurface,
} from '@gateway/meta-tools';
import type { CallTimer, CallVerdict, Metrics } from '../metrics/metrics.ts';
import type { Features } from './server-features.ts';
import { SERVICE_INFO, TOOLSET_LINES } from './service-identity.ts';

/** What the native service is made of. */
export interface NativeServiceParts {
  readonly surface: NativeSurface;
  readonly metrics: Metrics;
  /** Which of the features that are not always there some connected server has. */
  readonly features: () => Features;
  /** Calls back when a list may have changed for some caller; returns the way to stop it. */
  readonly onChange: (listener: () => void) => () => void;
}

const LISTS = ['tools', 'resources', 'prompts'] as const;

const METHODS = [
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
] as const satisfies readonly NativeCallMethod[];

const scopeOf = (context: RequestContext): NativeScope => ({
  toolsetHeader: context.header(TOOLSET_LINES),
  sessionId: context.sessionId,
});

const capabilitiesOf = (features: Features): ServiceCapabilities => ({
  tools: { listChanged: true },
  resources: { listChanged: true, ...(features.resourceSubscriptions && { subscribe: true }) },
  prompts: { listChanged: true },
  ...(features.completions && { completions: {} }),
  ...(features.logging && { logging: {} }),
});

const verdictOf = (answer: NativeAnswer): CallVerdict => {
  if (!answer.ok) return 'failed';
  return answer.result['isError'] === true ? 'error_result' : 'ok';
};

/** The servers' own tools, resources and prompts as the service that HTTP and stdio carry. */
export function nativeService(parts: NativeServiceParts): McpService {
  const { surface, metrics, features, onChange } = parts;
  const timers = Object.fromEntries(
    METHODS.map((method) => [method, metrics.nativeTimer(method)]),
  ) as Record<NativeCallMethod, CallTimer>;
  const capabilities = remembered(features, capabilitiesOf);
  return {
    info: SERVICE_INFO,
    get capabilities() {
      return capabilities();
    },
    list: (method, context) => surface.list(method, scopeOf(context)),
    inputSchema: (tool, context) => surface.inputSchema(tool, scopeOf(context)),
    call: ({ method, params }, context) => {
      const start = performance.now();
      const toolsetHeader = context.header(TOOLSET_LINES);
      const answer = surface.call({ method, params, toolsetHeader, context });
      return timed(timers[method], start, answer);
    },
    onListChanged: (listener) => onChange(() => LISTS.forEach(listener)),
    subscribe: (uri, onUpdated, context) => surface.subscribe(uri, onUpdated, scopeOf(context)),
  };
}

/** Makes a value anew only when what it is made of is another object. */
function remembered<In extends object, Out>(source: () => In, make: (from: In) => Out): () => Out {
  let from = source();
  let made = make(from);
  return () => {
    const now = source();
    if (now !== from) {
      from = now;
      made = make(now);
    }
    return made;
  };
}

function timed(
  timer: CallTimer,
  start: number,
  answer: NativeAnswer | Promise<NativeAnswer>,
): NativeAnswer | Promise<NativeAnswer> {
  const finished = (done: NativeAnswer): NativeAnswer => {
    timer.finished(start, verdictOf(done));
    return done;
  };
  if (!(answer instanceof Promise)) return finished(answer);
  return answer.then(finished, (error: unknown) => {
    timer.finished(start, 'failed');
    throw error;
  });
}
