import type { JsonObject, Principal } from '@gateway/call-contract';
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
export const AUTH_STATUS_URI = 'auth://status';

const MIME_TYPE = 'application/json';

/** The description of the resource in lists of MCP and of meta-tools. */
export const AUTH_STATUS_RESOURCE = {
  uri: AUTH_STATUS_URI,
  name: 'auth-status',
  title: 'Sign-in status',
  description: 'Your own sign-in to each server that signs persons in.',
  mimeType: MIME_TYPE,
} as const satisfies JsonObject;

/** Returns the `contents` of the resource for a person; never rejects. */
export const authStatusContents = async (
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
