import { type JsonObject, type Principal, RPC_CODE } from '@gateway/call-contract';
import type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCapabilities,
} from '@gateway/mcp-http';
import type { Downstream } from '@gateway/downstream';
import type { DownstreamAuth } from '@gateway/downstream-auth';
import type { MetaToolPorts } from '@gateway/meta-tools';
import type { ServerSignIn } from './server-sign-in.ts';

type Personal = ReturnType<Downstream['personal']>[number];
type SignIn = Awaited<ReturnType<DownstreamAuth['status']>>[number];

/** Sources of the sign-ins of a person. */
interface AuthStatusSources {
  readonly auth: Pick<DownstreamAuth, 'status'>;
  readonly downstream: Pick<Downstream, 'personal'>;
}

/** The tool that signs a person in to a server. */
const AUTH_TOOL = 'core_auth_login';

const wantsSignIn = ({ kind, status }: Personal): boolean =>
  kind === 'oauth' && (status === 'auth_required' || status === 'reauth_required');

const hasFailed = ({ kind, status }: Personal): boolean =>
  kind === 'sso' && status !== 'connected' && status !== 'sso_pending' && status !== 'disconnected';

const grantOf = ({ issuer, scope }: Partial<SignIn> = {}): JsonObject => ({
  ...(issuer !== undefined && { issuer }),
  ...(scope !== undefined && { scope }),
});

const tokenFactsOf = ({ tokenForwarding, tokenExchange }: Partial<SignIn> = {}): JsonObject => ({
  ...(tokenForwarding === true && { token_forwarding_enabled: true }),
  ...(tokenExchange === true && { token_exchange_enabled: true }),
});

/** A person whose server required a further scope stays connected for what needs no more, but must sign in again for the rest. */
const withPendingScope = (personal: Personal, signIn: SignIn | undefined): Personal =>
  personal.status === 'connected' && signIn?.status === 'sign-in-again'
    ? {
        ...personal,
        status: 'reauth_required',
        ...(signIn.reason !== undefined && { reason: signIn.reason }),
      }
    : personal;

const entryOf = (connection: Personal, signIn: SignIn | undefined): JsonObject => {
  const personal = withPendingScope(connection, signIn);
  const { server: name, status, reason } = personal;
  return {
    name,
    status,
    ...grantOf(signIn),
    ...(wantsSignIn(personal) && { auth_tool: AUTH_TOOL }),
    ...(reason !== undefined && { error: reason }),
    ...tokenFactsOf(signIn),
    ...(hasFailed(personal) && { sso_attempt_failed: true }),
  };
};

/** Returns the sign-ins of a person to all servers that sign persons in: the content of `auth://status`. It contains no secrets. */
const authStatus = async (
  principal: Principal,
  { auth, downstream }: AuthStatusSources,
): Promise<JsonObject> => {
  const signIns = new Map((await auth.status(principal)).map((one) => [one.server, one]));
  const servers = downstream.personal(principal);
  return { servers: servers.map((one) => entryOf(one, signIns.get(one.server))) };
};

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

const MIME_TYPE = 'application/json';

/** The description of the resource in lists of MCP and of meta-tools. */
const AUTH_STATUS_RESOURCE = {
  uri: AUTH_STATUS_URI,
  name: 'auth-status',
  title: 'Sign-in status',
  description: 'Your own sign-in to each server that signs persons in.',
  mimeType: MIME_TYPE,
} as const satisfies JsonObject;

/** Returns the `contents` of the resource for a person; never rejects. */
const authStatusContents = async (
  { read }: Pick<AuthStatusSource, 'read'>,
  principal: Principal,
): Promise<readonly JsonObject[]> => {
  const text = JSON.stringify(await read(principal));
  return [{ uri: AUTH_STATUS_URI, mimeType: MIME_TYPE, text }];
};

type GatewayResources = Pick<MetaToolPorts, 'gatewayResources' | 'readGatewayResource'>;

const NONE: ReturnType<GatewayResources['gatewayResources']> = [];
const STATUS_ONLY: ReturnType<GatewayResources['gatewayResources']> = [AUTH_STATUS_RESOURCE];

/** Returns the ports through which the meta-tools list the resource, while a server signs persons in, and read it. */
export const gatewayResourcesOf = (
  source: Pick<AuthStatusSource, 'isUsed' | 'read'>,
): GatewayResources => ({
  gatewayResources: () => (source.isUsed() ? STATUS_ONLY : NONE),
  readGatewayResource: (_uri, { principal }) => authStatusContents(source, principal),
});

/** Returns the source of the resource `auth://status`. */
export const authStatusSource = ({
  downstream,
  signIn: { auth },
}: {
  readonly downstream: Downstream;
  readonly signIn: Pick<ServerSignIn, 'auth'>;
}): AuthStatusSource => {
  const isUsedNow = (): boolean =>
    downstream.servers().some(({ definition }) => auth.credentials.kindOf(definition) !== 'shared');
  let isUsed: boolean | undefined;
  downstream.onChange((changedFor) => {
    if (changedFor === 'all') isUsed = undefined;
  });
  return {
    isUsed: () => (isUsed ??= isUsedNow()),
    read: (principal) => authStatus(principal, { auth, downstream }),
    reached: (principal) =>
      downstream
        .personal(principal)
        .flatMap(({ server, status, toolsCount }) =>
          status === 'connected' || toolsCount > 0 ? `${server}:${String(toolsCount)}` : [],
        )
        .join(' '),
    onChange: (listener) => downstream.onChange(listener),
  };
};

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
