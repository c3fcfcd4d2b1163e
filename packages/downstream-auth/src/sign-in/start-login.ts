import type { Principal } from '@gateway/call-contract';
import * as oauth from 'oauth4webapi';
import { scopeUnion } from '../challenge/scope-set.ts';
import type { AuthorizationServerMetadata } from '../discovery/metadata.ts';
import type { SignInTarget } from '../discovery/sign-in-target.ts';
import type { ClientIdentity } from '../clients/client-identity.ts';
import type { ClientRequest } from '../clients/identify-client.ts';
import type { ClientOutcome } from '../clients/register-client.ts';
import type { LoginOutcome } from '../ports/sign-in-outcome.ts';
import { isForgotten } from '../tokens/token-requests.ts';
import type { Person } from './person.ts';
import { redirectUriOf } from './issuer-urls.ts';
import { randomText } from './pending-login.ts';
import type { PendingLogin, PendingLogins } from './pending-login.ts';
import { clientRequest } from './sign-in-context.ts';
import type { SignInContext } from './sign-in-context.ts';
import type { SignInUrls } from './sign-in-urls.ts';

/** A sign-in to start. */
export interface LoginRequest {
  readonly person: Person;
  /** The person, as pages show them. */
  readonly askedBy: Principal;
  readonly target: SignInTarget;
  readonly urls: SignInUrls;
  /** Scopes of earlier sign-ins and refusals, separated by spaces. */
  readonly earlierScope: string | undefined;
  /** One line for people. */
  readonly reason: string;
}

const OFFLINE = 'offline_access';

/** Returns the scopes to request. Offline access is requested where the issuer advertises it and other scopes are requested. */
const requestedScope = ({ target, earlierScope }: LoginRequest): string => {
  const scope = scopeUnion(target.scope, earlierScope);
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
const authorizationUrl = (
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

/**
 * Returns the client of a sign-in. An authorization server shows a page of its own for a client that it forgot, and sends no answer; so after
 * a sign-in without an answer, the client is checked, and registered again where it is gone.
 */
const identify = async (
  context: SignInContext,
  logins: PendingLogins,
  { request, asked }: { readonly request: LoginRequest; readonly asked: ClientRequest },
): Promise<ClientOutcome> => {
  const { clients, clock } = context;
  const identified = await clients.identify(asked);
  if (!identified.ok || identified.client.kind !== 'registered') return identified;
  const { client } = identified;
  if ((await logins.unanswered(request.person)) !== client.clientId) return identified;
  const { metadata, fetch, redirectUri } = asked;
  const { resource } = request.target;
  if (!(await isForgotten({ metadata, client, fetch, clock }, { redirectUri, resource })))
    return identified;
  await clients.drop(asked, client);
  return clients.identify(asked);
};

const shownPerson = ({ email, subject, issuer }: Principal): PendingLogin['askedBy'] => ({
  name: email ?? subject,
  ...(issuer !== undefined && { issuer }),
});

/**
 * Returns the value of `prompt` with which an authorization server lets a person choose an account. A server that lists its values without this
 * one asks for the password again instead. OpenID Connect Core 1.0 §3.1.2.1
 */
const accountPrompt = ({
  prompt_values_supported: supported,
}: AuthorizationServerMetadata): string =>
  supported === undefined || supported.includes('select_account') ? 'select_account' : 'login';

/** Starts a sign-in, which the person completes in a browser. Rejects with failures of the store. */
export const startLogin = async (
  context: SignInContext,
  logins: PendingLogins,
  request: LoginRequest,
): Promise<LoginOutcome> => {
  const { person, target, urls } = request;
  const { metadata } = target;
  const asked = clientRequest(context, urls, { metadata, person });
  const identified = await identify(context, logins, { request, asked });
  if (!identified.ok) {
    const { server, principalKey } = person;
    context.observe({ code: 'sign-in-failed', server, principalKey, problem: 'no-client' });
    const reason = `Cannot sign in to server "${person.server}": ${identified.reason}.`;
    return { code: 'failed', reason };
  }
  const { client } = identified;
  const state = randomText();
  const verifier = randomText();
  const redirectUri = redirectUriOf(urls, target.issuer, client);
  const scope = requestedScope(request);
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  await logins.save(state, {
    server: person.server,
    serverUrl: person.url,
    principalKey: person.principalKey,
    issuer: target.issuer,
    resource: target.resource,
    scope,
    verifier,
    redirectUri,
    authorizationUrl: authorizationUrl(request, { client, redirectUri, scope, state, challenge }),
    formKey: randomText(),
    askedBy: shownPerson(request.askedBy),
    accountPrompt: accountPrompt(metadata),
    client,
  });
  const url = `${urls.start}?${new URLSearchParams({ state }).toString()}`;
  return { code: 'challenge', url, reason: request.reason };
};
