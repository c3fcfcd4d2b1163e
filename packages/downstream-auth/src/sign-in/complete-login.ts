import type { AuthorizationServerMetadata } from '../discovery/metadata.ts';
import type { PageError } from '../pages/sign-in-pages.ts';
import { withGrant } from '../tokens/token-records.ts';
import { exchangeCode } from '../tokens/token-requests.ts';
import { recordSignIn } from './login.ts';
import type { PendingLogin } from './pending-login.ts';
import {
  clientRequest,
  findEndpoint,
  operatorUrls,
  type ServerUser,
  findServerUser,
  type SignInContext,
} from './sign-in-context.ts';
import { tokensLock } from './renew-token.ts';

/** The parameters of an authorization response; each of them at most once. RFC 6749 §4.1.2, RFC 9207 §2 */
export interface AuthorizationResponse {
  readonly code: string | undefined;
  readonly iss: string | undefined;
  readonly error: string | undefined;
}

/** Errors with which an authorization server refuses the client of a sign-in. RFC 6749 §4.1.2.1, §5.2 */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** The user and server of a sign-in; `undefined` when the server is gone or has another URL. */
const findLoginUser = (
  { servers }: SignInContext,
  { server: name, serverUrl, principalKey: key }: PendingLogin,
): ServerUser | undefined => {
  const server = servers().find(({ metadata }) => metadata.name === name);
  const user = server && findServerUser(server, { key });
  return user?.url === serverUrl ? user : undefined;
};

/** The mark of the server that issued a response is checked before anything else of it is used. RFC 9207 §2.4 */
const hasIssuer = (
  { iss }: AuthorizationResponse,
  issuer: string,
  isAdvertised: boolean | undefined,
): boolean => (iss === undefined ? isAdvertised !== true : iss === issuer);

const exchange = async (
  context: SignInContext,
  user: ServerUser,
  { login, code }: { readonly login: PendingLogin; readonly code: string },
): Promise<PageError | undefined> => {
  const { issuer, resource, scope, verifier, redirectUri } = login;
  const found = await findEndpoint(context, user, { issuer, client: login.client });
  if (found.kind !== 'endpoint') return 'failed';
  const answer = await exchangeCode(found.endpoint, { code, verifier, redirectUri, resource });
  if (!answer.ok) {
    const { error, reason } = answer.failure;
    if (error === 'invalid_client') await found.dropClient();
    context.log.warn({ server: user.server, issuer }, `sign-in failed: ${reason}`);
    return 'failed';
  }
  const { token, refreshToken } = answer;
  const grant = {
    client: found.endpoint.client,
    scope,
    tokens: [token],
    ...(refreshToken !== undefined && { refreshToken }),
  };
  const { principalKey } = user;
  await context.lock(tokensLock(principalKey, issuer), async () => {
    const grants = await context.vault.grants(principalKey, issuer);
    await context.vault.setGrants(principalKey, issuer, withGrant(grants, grant));
  });
  await recordSignIn(context, user, await bindingOf(context, user, login));
  context.log.info({ server: user.server, issuer }, 'signed in to a server');
  return undefined;
};

/** Returns the new sign-in. The number of scope requests of the server is kept, so that they stay bounded. */
const bindingOf = async (
  { vault }: SignInContext,
  user: ServerUser,
  { issuer, resource, scope }: PendingLogin,
) => {
  const before = await vault.binding(user);
  const isSame = before?.serverUrl === user.url && before.issuer === issuer;
  const { stepUps, repeatedStepUps } = isSame ? before : {};
  return {
    serverUrl: user.url,
    issuer,
    resource,
    scope,
    ...(stepUps !== undefined && { stepUps }),
    ...(repeatedStepUps !== undefined && { repeatedStepUps }),
  };
};

const dropClient = async (
  context: SignInContext,
  metadata: AuthorizationServerMetadata,
  { user, login }: { readonly user: ServerUser; readonly login: PendingLogin },
): Promise<void> => {
  const urls = await context.urls();
  if (urls === undefined) return;
  const asked = clientRequest(context, urls, metadata, user);
  await context.clients.drop(asked, login.client);
};

/**
 * Completes a sign-in with the response of the authorization server. Returns the error page, or `undefined` after success. Rejects with
 * failures of the store.
 */
export const completeLogin = async (
  context: SignInContext,
  login: PendingLogin,
  response: AuthorizationResponse,
): Promise<PageError | undefined> => {
  const user = findLoginUser(context, login);
  if (user === undefined) return 'failed';
  const { issuer } = login;
  const found = await context.discovery.authorizationServer(issuer, operatorUrls(user));
  const isAdvertised = found.ok && found.metadata.authorization_response_iss_parameter_supported;
  if (!hasIssuer(response, issuer, isAdvertised)) {
    context.log.warn(
      { server: user.server, issuer },
      'sign-in refused: the response is not from the authorization server of the server',
    );
    return 'invalid';
  }
  if (response.error !== undefined) {
    if (found.ok && CLIENT_ERRORS.has(response.error))
      await dropClient(context, found.metadata, { user, login });
    return 'denied';
  }
  if (response.code === undefined) return 'incomplete';
  return exchange(context, user, { login, code: response.code });
};
