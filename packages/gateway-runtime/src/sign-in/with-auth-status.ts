import { isJsonObject, RPC_CODE, type JsonObject, type Principal } from '@gateway/call-contract';
import type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCapabilities,
} from '@gateway/mcp-http';

/** The source of the resource `auth://status`. */
export interface AuthStatusSource {
  /** Returns whether any server signs persons in. Reads memory. */
  readonly isUsed: () => boolean;
  /** Returns the content of the resource for a person; never rejects. */
  readonly read: (principal: Principal) => Promise<JsonObject>;
  /** Returns a text that differs when the person has the tools of other servers of their own. Reads memory. */
  readonly reached: (principal: Principal) => string;
  /** Calls the listener after changes that a person may see. Returns a function that stops it. */
  readonly onChange: (listener: (changedFor: 'all' | ReadonlySet<string>) => void) => () => void;
}

/** The resource with the sign-ins of the caller. */
const AUTH_STATUS_URI = 'auth://status';

/** Maximum number of characters of a URI that an error repeats. */
const MAX_QUOTED = 200;

const MIME_TYPE = 'application/json';

const RESOURCE: JsonObject = {
  uri: AUTH_STATUS_URI,
  name: 'auth-status',
  title: 'Sign-in status',
  description: 'Your own sign-in to each server that signs persons in.',
  mimeType: MIME_TYPE,
};

type Call = Parameters<McpService['call']>[0];
type Reading = 'resource' | 'meta-tool';

/** Returns how a call reads the resource; `undefined` for any other call. */
const readingOf = ({ method, params }: Call): Reading | undefined => {
  if (method === 'resources/read')
    return params['uri'] === AUTH_STATUS_URI ? 'resource' : undefined;
  const { name, arguments: args } = params;
  const isMetaTool = method === 'tools/call' && name === 'get_resource' && isJsonObject(args);
  return isMetaTool && args['uri'] === AUTH_STATUS_URI ? 'meta-tool' : undefined;
};

const contentsOf = async (
  { read }: AuthStatusSource,
  principal: Principal,
): Promise<readonly JsonObject[]> => {
  const text = JSON.stringify(await read(principal));
  return [{ uri: AUTH_STATUS_URI, mimeType: MIME_TYPE, text }];
};

const answerOf = (reading: Reading, contents: readonly JsonObject[]): ServiceAnswer => ({
  ok: true,
  result:
    reading === 'resource'
      ? { contents }
      : { content: [{ type: 'text', text: JSON.stringify(contents) }] },
});

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
  const withResource = memoize((items: readonly JsonObject[]) => [...items, RESOURCE]);
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
      const reading = readingOf(call);
      if (reading === undefined) return service.call(call, context);
      const refused = refusalOf(context);
      if (refused !== undefined)
        return reading === 'resource' ? refused : service.call(call, context);
      return contentsOf(source, context.principal).then((contents) => answerOf(reading, contents));
    },
    refuseCall: (call, context) =>
      readingOf(call) === undefined ? service.refuseCall?.(call, context) : refusalOf(context),
    subscribe: async (uri, onUpdated, context) => {
      if (uri === AUTH_STATUS_URI)
        return { ok: true, end: followStatus(source, context.principal, onUpdated) };
      return (await service.subscribe?.(uri, onUpdated, context)) ?? notFound(uri);
    },
  };
  // The capabilities of a service change with its servers: they are inherited, not copied.
  return Object.create(service, Object.getOwnPropertyDescriptors(added)) as McpService;
};
