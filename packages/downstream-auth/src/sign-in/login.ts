import * as oauth from 'oauth4webapi';
import type { Principal } from '@gateway/call-contract';
import { computeFurtherScopes, hasScopes, uniteScopes } from '../challenge/bearer-challenge.ts';
import type {
  ClientIdentity,
  ClientIdentityOutcome,
  IdentificationRequest,
} from '../clients/identify-client.ts';
import type { DiscoveryOutcome, SignInTarget } from '../discovery/discovery.ts';
import type { AuthorizationServerMetadata } from '../discovery/metadata.ts';
import { readUnverifiedClaims } from '../id-tokens/id-token.ts';
import type { PageError } from '../pages/sign-in-pages.ts';
import type { SignInOutcome } from '../ports/sign-in.ts';
import {
  type AccessToken,
  type Binding,
  findToken,
  type Grant,
  isValid,
  withGrant,
  withToken,
} from '../tokens/token-records.ts';
import { exchangeCode, isForgotten } from '../tokens/token-requests.ts';
import type { OAuthStrategy } from './oauth-strategy.ts';
import { type PendingLogin, createRandomText } from './pending-login.ts';
import { isFinalFailure, refreshGrant, createTokensLockKey } from './renew-token.ts';
import {
  createIdentificationRequest,
  toDiscoveryRequest,
  ENDED,
  findEndpoint,
  findServerUser,
  listOperatorUrls,
  chooseRedirectUri,
  type ServerUser,
  type SignInContext,
  signInRequired,
  type SignInUrls,
  storeFailure,
  resolveBinding,
} from './sign-in-context.ts';

/** The parameters of an authorization response; each of them at most once. RFC 6749 §4.1.2, RFC 9207 §2 */
interface AuthorizationResponse {
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
  await context.lock(createTokensLockKey(principalKey, issuer), async () => {
    const grants = await context.vault.grants(principalKey, issuer);
    await context.vault.setGrants(principalKey, issuer, withGrant(grants, grant));
  });
  await recordSignIn(context, user, await createBinding(context, user, login));
  context.log.info({ server: user.server, issuer }, 'signed in to a server');
  return undefined;
};

/** Returns the new sign-in. The number of scope requests of the server is kept, so that they stay bounded. */
const createBinding = async (
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
  const asked = createIdentificationRequest(context, urls, metadata, user);
  await context.clients.drop(asked, login.client);
};

/** Completes a sign-in. Returns the error page, or `undefined` after success. Rejects with failures of the store. */
export const completeLogin = async (
  context: SignInContext,
  login: PendingLogin,
  response: AuthorizationResponse,
): Promise<PageError | undefined> => {
  const user = findLoginUser(context, login);
  if (user === undefined) return 'failed';
  const { issuer } = login;
  const found = await context.discovery.authorizationServer(issuer, listOperatorUrls(user));
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

interface Share {
  readonly context: SignInContext;
  readonly user: ServerUser;
  readonly target: SignInTarget;
}

/** Returns a valid token whose audience names the resource. */
const findResourceToken = (
  { tokens }: Grant,
  resource: string,
  now: number,
): AccessToken | undefined => {
  const valid = tokens.filter((token) => isValid(token, now));
  return valid.find(({ accessToken }) => readUnverifiedClaims(accessToken)?.aud.includes(resource));
};

/** Returns the grants with a token of this grant for the resource; without the grant when it has ended; `undefined` when there is no such token. */
const fromGrant = async (
  { context, user, target }: Share,
  grants: readonly Grant[],
  grant: Grant,
): Promise<{ readonly grants: readonly Grant[]; readonly isShared: boolean } | undefined> => {
  const { issuer, resource } = target;
  const same = findResourceToken(grant, resource, context.clock());
  if (same !== undefined) {
    const token = { ...same, resource };
    return { grants: withToken(grants, grant, { token, refreshToken: undefined }), isShared: true };
  }
  const { refreshToken } = grant;
  if (refreshToken === undefined) return undefined;
  const refresh = await refreshGrant(context, user, { grant, issuer, resource, refreshToken });
  if (refresh.kind !== 'answer') return undefined;
  const { answer } = refresh;
  if (answer.ok) return { grants: withToken(grants, grant, answer), isShared: true };
  const rest = grants.filter((one) => one !== grant);
  return isFinalFailure(answer) ? { grants: rest, isShared: false } : undefined;
};

/** A token is used for a server only when it was requested for the server's resource, or when its audience names it. Rejects with failures of the store. */
const shareGrant = (
  context: SignInContext,
  user: ServerUser,
  target: SignInTarget,
): Promise<boolean> => {
  const { principalKey } = user;
  const { issuer, resource, scope } = target;
  return context.lock(createTokensLockKey(principalKey, issuer), async () => {
    let grants = await context.vault.grants(principalKey, issuer);
    const known = findToken(grants, resource);
    const isUsable = known !== undefined && isValid(known.token, context.clock());
    if (isUsable && hasScopes(known.grant.scope, scope)) return true;
    for (const grant of grants.filter((one) => hasScopes(one.scope, scope))) {
      const shared = await fromGrant({ context, user, target }, grants, grant);
      if (shared === undefined) continue;
      ({ grants } = shared);
      await context.vault.setGrants(principalKey, issuer, grants);
      if (shared.isShared) return true;
    }
    return false;
  });
};

interface LoginRequest {
  readonly user: ServerUser;
  /** The user, as pages show them. */
  readonly askedBy: Principal;
  readonly target: SignInTarget;
  readonly urls: SignInUrls;
  /** Scopes of earlier sign-ins and refusals, separated by spaces. */
  readonly earlierScope: string | undefined;
  readonly reason: string;
}

const OFFLINE = 'offline_access';

/** Returns the scopes to request. Offline access is requested where the issuer advertises it and other scopes are requested. */
const resolveScope = ({ target, earlierScope }: LoginRequest): string => {
  const scope = uniteScopes(target.scope, earlierScope);
  const isOffered = target.metadata.scopes_supported?.includes(OFFLINE) === true;
  const wanted = scope.split(' ').filter((one) => one !== OFFLINE);
  const named = wanted.join(' ');
  return isOffered && named !== '' ? `${named} ${OFFLINE}` : named;
};

interface Authorization {
  readonly client: ClientIdentity;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string;
  readonly challenge: string;
}

/** Returns the URL of the authorization request. RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2.1 */
const createAuthorizationUrl = (
  { target }: LoginRequest,
  { client, redirectUri, scope, state, challenge }: Authorization,
): string => {
  const url = new URL(target.metadata.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    resource: target.resource,
    ...(scope !== '' && { scope }),
    // OpenID Connect Core 1.0 §11
    ...(scope.split(' ').includes(OFFLINE) && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** An authorization server sends no answer for a client that it forgot, so after a sign-in without an answer the client is checked, and registered again. */
const identify = async (
  context: SignInContext,
  { request, asked }: { readonly request: LoginRequest; readonly asked: IdentificationRequest },
): Promise<ClientIdentityOutcome> => {
  const { clients, clock, logins } = context;
  const identified = await clients.identify(asked);
  if (!identified.ok || identified.client.kind !== 'registered') return identified;
  const { client } = identified;
  if ((await logins.unanswered(request.user)) !== client.clientId) return identified;
  const { metadata, fetch, redirectUri } = asked;
  const { resource } = request.target;
  if (!(await isForgotten({ metadata, client, fetch, clock }, { redirectUri, resource })))
    return identified;
  await clients.drop(asked, client);
  return clients.identify(asked);
};

const toAskedBy = ({ email, subject, issuer }: Principal): PendingLogin['askedBy'] => ({
  name: email ?? subject,
  ...(issuer !== undefined && { issuer }),
});

/** A server that lists its `prompt` values without `select_account` asks for the password again instead. OpenID Connect Core 1.0 §3.1.2.1 */
const resolveAccountPrompt = ({
  prompt_values_supported: supported,
}: AuthorizationServerMetadata): string =>
  supported === undefined || supported.includes('select_account') ? 'select_account' : 'login';

/** Starts a sign-in, which the user completes in a browser. Rejects with failures of the store. */
const startLogin = async (
  context: SignInContext,
  request: LoginRequest,
): Promise<SignInOutcome> => {
  const { user, target, urls } = request;
  const { metadata } = target;
  const asked = createIdentificationRequest(context, urls, metadata, user);
  const identified = await identify(context, { request, asked });
  if (!identified.ok) {
    const { server, principalKey } = user;
    context.observe({ code: 'sign-in-failed', server, principalKey, problem: 'no-client' });
    const reason = `Cannot sign in to server "${user.server}": ${identified.reason}.`;
    return { code: 'failed', reason };
  }
  const { client } = identified;
  const state = createRandomText();
  const verifier = createRandomText();
  const redirectUri = chooseRedirectUri(urls, target.issuer, client);
  const scope = resolveScope(request);
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  await context.logins.save(state, {
    server: user.server,
    serverUrl: user.url,
    principalKey: user.principalKey,
    issuer: target.issuer,
    resource: target.resource,
    scope,
    verifier,
    redirectUri,
    authorizationUrl: createAuthorizationUrl(request, {
      client,
      redirectUri,
      scope,
      state,
      challenge,
    }),
    formKey: createRandomText(),
    askedBy: toAskedBy(request.askedBy),
    accountPrompt: resolveAccountPrompt(metadata),
    client,
  });
  const url = `${urls.start}?${new URLSearchParams({ state }).toString()}`;
  return { code: 'challenge', url, reason: request.reason };
};

const recordSignIn = async (
  context: SignInContext,
  user: ServerUser,
  binding: Binding,
): Promise<void> => {
  await context.vault.setBinding(user, binding);
  context.cache.delete(user);
  await context.announce(user);
  const { server, principalKey } = user;
  context.observe({ code: 'signed-in', server, principalKey });
};

/** Returns why a user signs in, and the scopes of earlier sign-ins that the next one requests too. */
const explainSignIn = (
  user: ServerUser,
  binding: Binding | undefined,
  target: SignInTarget,
): { readonly reason: string; readonly earlierScope: string | undefined } => {
  const { server, url } = user;
  if (binding?.serverUrl !== url)
    return { reason: signInRequired(server).reason, earlierScope: undefined };
  if (binding.issuer !== target.issuer) {
    const reason = ENDED.moved(server, { from: binding.issuer, to: target.issuer });
    return { reason, earlierScope: undefined };
  }
  const { pendingScope, ended } = binding;
  const scopes =
    pendingScope === undefined
      ? undefined
      : ENDED.scopes(server, computeFurtherScopes(binding.scope, pendingScope));
  const reason = ended ?? scopes ?? signInRequired(server).reason;
  return { reason, earlierScope: uniteScopes(binding.scope, pendingScope) };
};

const isSignedIn = async (
  strategy: OAuthStrategy,
  user: ServerUser,
  binding: Binding | undefined,
): Promise<boolean> => {
  const usable = resolveBinding(binding, user);
  if (usable.kind !== 'usable' || usable.binding.pendingScope !== undefined) return false;
  return (await strategy.load(user)).ok;
};

const reportDiscoveryFailure = (
  { observe }: SignInContext,
  { server, principalKey }: ServerUser,
  found: Exclude<DiscoveryOutcome, { readonly ok: true }>,
): SignInOutcome => {
  if (found.code === 'failed') {
    observe({ code: 'provider-unavailable', server, during: 'sign-in' });
    return { code: 'failed', reason: found.reason };
  }
  observe({ code: 'sign-in-failed', server, principalKey, problem: 'no-metadata' });
  return {
    code: 'metadata-missing',
    ...(found.problem !== undefined && { problem: found.problem }),
  };
};

const startSignIn = async (
  context: SignInContext,
  strategy: OAuthStrategy,
  user: ServerUser,
  askedBy: Principal,
): Promise<SignInOutcome> => {
  const urls = await context.urls();
  if (urls === undefined) return { code: 'not-configured' };
  const binding = await context.vault.binding(user);
  if (await isSignedIn(strategy, user, binding)) return { code: 'signed-in' };
  const found = await context.discovery.discover(toDiscoveryRequest(user));
  if (!found.ok) return reportDiscoveryFailure(context, user, found);
  const { target } = found;
  const { reason, earlierScope } = explainSignIn(user, binding, target);
  const scope = uniteScopes(target.scope, earlierScope);
  // Tokens that exist do not grant scopes that the server required since.
  const mayShare = binding?.pendingScope === undefined;
  if (mayShare && (await shareGrant(context, user, { ...target, scope }))) {
    const { issuer, resource } = target;
    await recordSignIn(context, user, { serverUrl: user.url, issuer, resource, scope });
    return { code: 'signed-in' };
  }
  return startLogin(context, { user, askedBy, target, urls, earlierScope, reason });
};

/** Signs a user in with the token that they have, else with a sign-in at the same issuer, else with a URL for a browser. Never rejects. */
export const signInUser = async (
  context: SignInContext,
  strategy: OAuthStrategy,
  user: ServerUser,
  askedBy: Principal,
): Promise<SignInOutcome> => {
  try {
    return await startSignIn(context, strategy, user, askedBy);
  } catch (error) {
    return { code: 'failed', reason: storeFailure(error) };
  }
};
