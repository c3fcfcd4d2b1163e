import type { JsonObject, Principal } from '@gateway/call-contract';
import type { Downstream } from '@gateway/downstream';
import type { DownstreamAuth } from '@gateway/downstream-auth';

type Personal = ReturnType<Downstream['personal']>[number];
type SignIn = Awaited<ReturnType<DownstreamAuth['status']>>[number];

/** Sources of the sign-ins of a person. */
export interface AuthStatusSources {
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
export const authStatus = async (
  principal: Principal,
  { auth, downstream }: AuthStatusSources,
): Promise<JsonObject> => {
  const signIns = new Map((await auth.status(principal)).map((one) => [one.server, one]));
  const servers = downstream.personal(principal);
  return { servers: servers.map((one) => entryOf(one, signIns.get(one.server))) };
};
