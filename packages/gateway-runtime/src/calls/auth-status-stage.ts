import { type JsonObject, type Principal, RPC_CODE } from '@gateway/call-contract';
import type { Downstream, UserServer } from '@gateway/downstream';
import type { DownstreamAuth, ServerSignIn } from '@gateway/downstream-auth';
import type { MetaToolPorts } from '@gateway/meta-tools';
import { type LiveServers, memoizeByIdentity, memoizeLatest } from '../live-catalog.ts';
import type { SignInService } from '../sign-in/server-sign-in.ts';
import type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCall,
  ServiceCapabilities,
} from '@gateway/mcp-http';
import type { CallStage } from './stage.ts';

/** Sources of the sign-ins of a user. */
interface AuthStatusSources {
  readonly auth: Pick<DownstreamAuth, 'status'>;
  readonly downstream: Pick<Downstream, 'userServers'>;
}

/** The tool that signs a user in to a server. */
const AUTH_TOOL = 'core_auth_login';

const needsUserSignIn = ({ kind, status }: UserServer): boolean =>
  kind === 'oauth' && (status === 'auth_required' || status === 'reauth_required');

const hasSsoFailed = ({ kind, status }: UserServer): boolean =>
  kind === 'sso' && status !== 'connected' && status !== 'sso_pending' && status !== 'disconnected';

const toGrantMembers = ({ issuer, scope }: Partial<ServerSignIn> = {}): JsonObject => ({
  ...(issuer !== undefined && { issuer }),
  ...(scope !== undefined && { scope }),
});

const toTokenMembers = ({
  tokenForwarding,
  tokenExchange,
}: Partial<ServerSignIn> = {}): JsonObject => ({
  ...(tokenForwarding === true && { token_forwarding_enabled: true }),
  ...(tokenExchange === true && { token_exchange_enabled: true }),
});

/** Reports `reauth_required` for a connected user whose server requires a further scope. */
const withPendingScope = (userServer: UserServer, signIn: ServerSignIn | undefined): UserServer =>
  userServer.status === 'connected' && signIn?.status === 'sign-in-again'
    ? {
        ...userServer,
        status: 'reauth_required',
        ...(signIn.reason !== undefined && { reason: signIn.reason }),
      }
    : userServer;

const toEntry = (connection: UserServer, signIn: ServerSignIn | undefined): JsonObject => {
  const userServer = withPendingScope(connection, signIn);
  const { server: name, status, reason } = userServer;
  return {
    name,
    status,
    ...toGrantMembers(signIn),
    ...(needsUserSignIn(userServer) && { auth_tool: AUTH_TOOL }),
    ...(reason !== undefined && { error: reason }),
    ...toTokenMembers(signIn),
    ...(hasSsoFailed(userServer) && { sso_attempt_failed: true }),
  };
};

/** Returns who the caller is, for programs that show it; nothing where callers do not sign in. */
const toUserMembers = ({ issuer, subject, name, email, scopes }: Principal): JsonObject =>
  issuer === undefined
    ? {}
    : {
        user: {
          subject,
          ...(name !== undefined && { name }),
          ...(email !== undefined && { email }),
          ...(scopes !== undefined && { scopes }),
        },
      };

/** Returns who the caller is, and the sign-ins of a user to all servers that sign users in: the content of `auth://status`. It contains no secrets. */
const readAuthStatus = async (
  principal: Principal,
  { auth, downstream }: AuthStatusSources,
): Promise<JsonObject> => {
  const signIns = new Map((await auth.status(principal)).map((signIn) => [signIn.server, signIn]));
  const servers = downstream.userServers(principal);
  return {
    ...toUserMembers(principal),
    servers: servers.map((server) => toEntry(server, signIns.get(server.server))),
  };
};

/** The source of the resource `auth://status`. */
export interface AuthStatusSource {
  /** Returns whether any server signs users in. Reads memory. */
  readonly isUsed: () => boolean;
  /** Returns the content of the resource for a user; never rejects. */
  readonly read: (principal: Principal) => Promise<JsonObject>;
  /** Returns a fingerprint of the user's own connections and their tool counts. Reads memory. */
  readonly reachableTools: (principal: Principal) => string;
  /** Calls the listener after changes that a user may see. Returns a function that stops it. */
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
  description: 'Your own sign-in to each server that signs users in.',
  mimeType: MIME_TYPE,
} as const satisfies JsonObject;

/** Returns the `contents` of the resource for a user; never rejects. */
const readAuthStatusContents = async (
  { read }: Pick<AuthStatusSource, 'read'>,
  principal: Principal,
): Promise<readonly JsonObject[]> => {
  const text = JSON.stringify(await read(principal));
  return [{ uri: AUTH_STATUS_URI, mimeType: MIME_TYPE, text }];
};

type GatewayResources = Pick<MetaToolPorts, 'gatewayResources' | 'readGatewayResource'>;

const NONE: ReturnType<GatewayResources['gatewayResources']> = [];
const AUTH_STATUS_RESOURCES: ReturnType<GatewayResources['gatewayResources']> = [
  AUTH_STATUS_RESOURCE,
];

/** Returns the ports through which the meta-tools list the resource, while a server signs users in, and read it. */
export const createGatewayResources = (
  source: Pick<AuthStatusSource, 'isUsed' | 'read'>,
): GatewayResources => ({
  gatewayResources: () => (source.isUsed() ? AUTH_STATUS_RESOURCES : NONE),
  readGatewayResource: (_uri, { principal }) => readAuthStatusContents(source, principal),
});

/** Returns the source of the resource `auth://status`. */
export const createAuthStatusSource = (
  {
    downstream,
    signIn: { auth },
  }: {
    readonly downstream: Downstream;
    readonly signIn: Pick<SignInService, 'auth'>;
  },
  servers: LiveServers,
): AuthStatusSource => ({
  isUsed: memoizeLatest(servers.views, (views) =>
    views.some(({ definition }) => auth.credentials.findKind(definition) !== 'shared'),
  ),
  read: (principal) => readAuthStatus(principal, { auth, downstream }),
  reachableTools: (principal) =>
    downstream
      .userServers(principal)
      .flatMap(({ server, status, toolsCount }) =>
        status === 'connected' || toolsCount > 0 ? `${server}:${String(toolsCount)}` : [],
      )
      .join(' '),
  onChange: (listener) => downstream.onChange(listener),
});

/** Maximum number of characters of a URI that an error repeats. */
const MAX_QUOTED = 200;

/** Returns whether a URI is `auth://status`. */
export const isStatusUri = (uri: unknown): boolean => uri === AUTH_STATUS_URI;

/** Returns whether a call reads `auth://status`. */
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
    return readAuthStatusContents(source, context.principal).then((contents) => ({
      ok: true,
      result: { contents },
    }));
  };

const NO_ITEMS: readonly JsonObject[] = [];

/** Returns the answer for a resource that does not exist. */
export const createResourceError = (
  uri: string,
): Extract<ServiceAnswer, { readonly ok: false }> => ({
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

const withStatus = memoizeByIdentity((base: ServiceCapabilities): ServiceCapabilities => ({
  ...base,
  tools: { ...base.tools, listChanged: true },
  resources: { ...base.resources, subscribe: true },
}));

/** Returns a function that adds the resource to capabilities, while a server signs users in. */
export const addStatusCapabilities =
  ({ isUsed }: Pick<AuthStatusSource, 'isUsed'>) =>
  (base: ServiceCapabilities): ServiceCapabilities =>
    isUsed() ? withStatus(base) : base;

const withResource = memoizeByIdentity((items: readonly JsonObject[]) => [
  ...items,
  AUTH_STATUS_RESOURCE,
]);

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

/** Reports list changes, and changes of a user's own tools, which `tools/list` does not show. */
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
