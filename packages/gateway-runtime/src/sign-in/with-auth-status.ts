import { RPC_CODE, type JsonObject, type Principal } from '@gateway/call-contract';
import type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCapabilities,
} from '@gateway/mcp-http';
import {
  AUTH_STATUS_RESOURCE,
  AUTH_STATUS_URI,
  authStatusContents,
  type AuthStatusSource,
} from './auth-status-resource.ts';

/** Maximum number of characters of a URI that an error repeats. */
const MAX_QUOTED = 200;

type Call = Parameters<McpService['call']>[0];

const readsStatus = ({ method, params }: Call): boolean =>
  method === 'resources/read' && params['uri'] === AUTH_STATUS_URI;

/** Returns a function that derives a value from an object once as long as the object is the same. */
const memoize = <In extends object, Out>(derive: (from: In) => Out): ((from: In) => Out) => {
  const known = new WeakMap<In, { readonly value: Out }>();
  return (from) => {
    const cached = known.get(from) ?? { value: derive(from) };
    known.set(from, cached);
    return cached.value;
  };
};

const NO_ITEMS: readonly JsonObject[] = [];

const notFound = (uri: string): Extract<ServiceAnswer, { readonly ok: false }> => ({
  ok: false,
  error: {
    code: RPC_CODE.invalidParams,
    message: `Resource not found: ${uri.slice(0, MAX_QUOTED)}`,
  },
});

/** Calls back when the content of the resource changes for a person. Returns a function that stops it. */
const followStatus = (
  source: AuthStatusSource,
  principal: Principal,
  onUpdated: (params: JsonObject) => void,
): (() => void) => {
  const current = async (): Promise<string> => JSON.stringify(await source.read(principal));
  let isFollowed = true;
  let known = current();
  const stop = source.onChange((changedFor) => {
    if (changedFor !== 'all' && !changedFor.has(principal.key)) return;
    const previous = known;
    known = current();
    void Promise.all([previous, known]).then(([before, now]) => {
      if (isFollowed && before !== now) onUpdated({ uri: AUTH_STATUS_URI });
    });
  });
  return () => {
    isFollowed = false;
    stop();
  };
};

const extendedCapabilities = (base: ServiceCapabilities): ServiceCapabilities => ({
  ...base,
  tools: { ...base.tools, listChanged: true },
  resources: { ...base.resources, subscribe: true },
});

/** Announces also the tools that meta-tools reach: their list is the same for everybody. */
const listFollower =
  (service: McpService, source: AuthStatusSource): NonNullable<McpService['onListChanged']> =>
  (listener) => {
    const stop = service.onListChanged?.(listener);
    const unfollow = source.onChange((changedFor) => {
      listener('tools', changedFor === 'all' ? undefined : changedFor);
    });
    return () => {
      stop?.();
      unfollow();
    };
  };

const resourceLister = (service: McpService, source: AuthStatusSource): McpService['list'] => {
  const withResource = memoize((items: readonly JsonObject[]) => [...items, AUTH_STATUS_RESOURCE]);
  return (method, context) => {
    const error = service.refuseHeaders?.(context);
    if (error !== undefined) return { ok: false, error };
    const { resources } = service.capabilities;
    const base =
      resources === undefined
        ? ({ ok: true, items: NO_ITEMS } as const)
        : service.list(method, context);
    if (method !== 'resources/list' || !base.ok || !source.isUsed()) return base;
    return { ok: true, items: withResource(base.items) };
  };
};

/**
 * Returns a service with the resource `auth://status`, which shows callers their own sign-ins to servers. Toolsets do not narrow it.
 * The resource is listed while a server signs persons in. A caller is notified when they
 * reach the tools of another server, also by meta-tools, whose list does not change.
 */
export const withAuthStatus = (service: McpService, source: AuthStatusSource): McpService => {
  const extended = memoize(extendedCapabilities);
  const listResources = resourceLister(service, source);
  const refusalOf = (context: RequestContext): ServiceAnswer | undefined => {
    const error = service.refuseHeaders?.(context);
    return error && { ok: false, error };
  };
  const added: Omit<Partial<McpService>, 'info'> = {
    get capabilities() {
      return source.isUsed() ? extended(service.capabilities) : service.capabilities;
    },
    onListChanged: listFollower(service, source),
    reachableTools: ({ principal }) => source.reached(principal),
    list: (method, context) =>
      method === 'resources/list' || method === 'resources/templates/list'
        ? listResources(method, context)
        : service.list(method, context),
    call: (call, context) => {
      if (!readsStatus(call)) return service.call(call, context);
      const refused = refusalOf(context);
      if (refused !== undefined) return refused;
      return authStatusContents(source, context.principal).then((contents) => ({
        ok: true,
        result: { contents },
      }));
    },
    refuseCall: (call, context) =>
      readsStatus(call) ? refusalOf(context) : service.refuseCall?.(call, context),
    subscribe: async (uri, onUpdated, context) => {
      if (uri === AUTH_STATUS_URI)
        return { ok: true, end: followStatus(source, context.principal, onUpdated) };
      return (await service.subscribe?.(uri, onUpdated, context)) ?? notFound(uri);
    },
  };
  // The capabilities of a service change with its servers: they are inherited, not copied.
  return Object.create(service, Object.getOwnPropertyDescriptors(added)) as McpService;
};
