import type { McpService, RequestContext, ServiceCapabilities } from '@gateway/mcp-http';
import type { NativeSurface, ToolsetRequest } from '@gateway/meta-tools';
import type { ServerFeatures } from './server-features.ts';
import { SERVICE_INFO, TOOLSET_HEADER_KEY } from './service-identity.ts';

/** Options of {@link createNativeService}. */
export interface NativeServiceOptions {
  readonly surface: NativeSurface;
  /** Returns the optional features that at least one connected server has. */
  readonly features: () => ServerFeatures;
  /** Calls the listener when a list may have changed, for these callers or for all. Returns a function that stops it. */
  readonly onChange: (listener: (principalKeys?: ReadonlySet<string>) => void) => () => void;
}

const LISTS = ['tools', 'resources', 'prompts'] as const;

const scopeOf = (context: RequestContext): ToolsetRequest => ({
  toolsetHeader: context.header(TOOLSET_HEADER_KEY),
  principal: context.principal,
  sessionId: context.sessionId,
});

const capabilitiesOf = (features: ServerFeatures): ServiceCapabilities => ({
  tools: { listChanged: true },
  resources: { listChanged: true, ...(features.resourceSubscriptions && { subscribe: true }) },
  prompts: { listChanged: true },
  ...(features.completions && { completions: {} }),
  ...(features.logging && { logging: {} }),
});

/** Creates the service that exposes the tools, resources and prompts of the servers over HTTP and stdio. */
export function createNativeService(options: NativeServiceOptions): McpService {
  const { surface, features, onChange } = options;
  const capabilities = memoizeLatest(features, capabilitiesOf);
  return {
    info: SERVICE_INFO,
    get capabilities() {
      return capabilities();
    },
    scopeHeaders: [TOOLSET_HEADER_KEY],
    refuseHeaders: (context) => surface.refuseToolset(scopeOf(context)),
    refuseCall: (call, context) => surface.refuseCall(call, scopeOf(context)),
    list: (method, context) => surface.list(method, scopeOf(context)),
    inputSchema: (tool, context) => surface.inputSchema(tool, scopeOf(context)),
    call: ({ method, params }, context) => {
      const toolsetHeader = context.header(TOOLSET_HEADER_KEY);
      return surface.call({ method, params, toolsetHeader, context });
    },
    onListChanged: (listener) =>
      onChange((principalKeys) => {
        for (const list of LISTS) listener(list, principalKeys);
      }),
    subscribe: (uri, onUpdated, context) => surface.subscribe(uri, onUpdated, scopeOf(context)),
  };
}

/** Returns a function that derives a value from the source again only when the source returns another object. */
function memoizeLatest<In extends object, Out>(
  source: () => In,
  derive: (from: In) => Out,
): () => Out {
  let from = source();
  let derived = derive(from);
  return () => {
    const now = source();
    if (now !== from) {
      from = now;
      derived = derive(now);
    }
    return derived;
  };
}
