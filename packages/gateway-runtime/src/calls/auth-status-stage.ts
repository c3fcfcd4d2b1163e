import { RPC_CODE, type JsonObject, type Principal } from '@gateway/call-contract';
import type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCall,
  ServiceCapabilities,
} from '@gateway/mcp-http';
import {
  AUTH_STATUS_RESOURCE,
  AUTH_STATUS_URI,
  authStatusContents,
  type AuthStatusSource,
} from '../sign-in/auth-status.ts';
import type { CallStage } from './stage.ts';

/** Maximum number of characters of a URI that an error repeats. */
const MAX_QUOTED = 200;

/** Returns whether a URI is that of the resource. */
export const isStatusUri = (uri: unknown): boolean => uri === AUTH_STATUS_URI;

/** Returns whether a call reads the resource. */
export const isStatusRead = ({ method, params }: ServiceCall): boolean =>
  method === 'resources/read' && isStatusUri(params['uri']);

/** Answers reads of the resource `auth://status`, which shows callers their own sign-ins to servers. */
export const answerAuthStatus =
  ({
    source,
    refuse,
  }: {
    readonly source: AuthStatusSource;
    readonly refuse: (context: RequestContext) => ServiceAnswer | undefined;
  }): CallStage =>
  (call, context, next) => {
    if (!isStatusRead(call)) return next(call, context);
    const refused = refuse(context);
    if (refused !== undefined) return refused;
    return authStatusContents(source, context.principal).then((contents) => ({
      ok: true,
      result: { contents },
    }));
  };

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

/** Returns the answer for a resource that does not exist. */
export const noResource = (uri: string): Extract<ServiceAnswer, { readonly ok: false }> => ({
  ok: false,
  error: {
    code: RPC_CODE.invalidParams,
    message: `Resource not found: ${uri.slice(0, MAX_QUOTED)}`,
  },
});

/** Calls back when the content of the resource changes for a user. Returns a function that stops it. */
export const followStatus = (
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

const withStatus = memoize((base: ServiceCapabilities): ServiceCapabilities => ({
  ...base,
  tools: { ...base.tools, listChanged: true },
  resources: { ...base.resources, subscribe: true },
}));

/** Returns a function that adds the resource to capabilities, while a server signs users in. */
export const addStatusCapabilities =
  ({ isUsed }: Pick<AuthStatusSource, 'isUsed'>) =>
  (base: ServiceCapabilities): ServiceCapabilities =>
    isUsed() ? withStatus(base) : base;

const withResource = memoize((items: readonly JsonObject[]) => [...items, AUTH_STATUS_RESOURCE]);

/** Returns a function that answers a list with the resource, while a server signs users in. */
export const addStatusResource =
  ({ isUsed }: Pick<AuthStatusSource, 'isUsed'>) =>
  (
    service: McpService,
    method: Parameters<McpService['list']>[0],
    context: RequestContext,
  ): ReturnType<McpService['list']> => {
    if (method !== 'resources/list' && method !== 'resources/templates/list')
      return service.list(method, context);
    const error = service.refuseHeaders?.(context);
    if (error !== undefined) return { ok: false, error };
    const base =
      service.capabilities.resources === undefined
        ? ({ ok: true, items: NO_ITEMS } as const)
        : service.list(method, context);
    if (method !== 'resources/list' || !base.ok || !isUsed()) return base;
    return { ok: true, items: withResource(base.items) };
  };

/** Announces changes of lists, and also of the tools that meta-tools reach: their list is the same for everybody. */
export const followLists = (
  service: McpService,
  source: Pick<AuthStatusSource, 'onChange'>,
  listener: Parameters<NonNullable<McpService['onListChanged']>>[0],
): (() => void) => {
  const stop = service.onListChanged?.(listener);
  const unfollow = source.onChange((changedFor) => {
    listener('tools', changedFor === 'all' ? undefined : changedFor);
  });
  return () => {
    stop?.();
    unfollow();
  };
};
