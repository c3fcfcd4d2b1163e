import * as client from 'openid-client';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSessionId, type PortalCookies } from './cookies.ts';
import { type IdentityProvider, ProviderError } from './identity-provider.ts';
import type { Sessions, SignedInSession } from './sessions.ts';
import type { UserId, ReadAccess } from './user-access.ts';

/** Sign-ins that are not finished keep the address: it is bounded, and has room for the longest toolset. */
const MAX_CHARS = 8_192;

/**
 * Returns an address of the portal; its first page for any other, so that a link to the sign-in leads to no other site, for one that is too
 * long, and for the paths of the sign-in itself, which would lead to each other.
 */
export const resolvePortalUrl = (publicUrl: URL, path: string): URL => {
  const url = URL.canParse(path, publicUrl.href) ? new URL(path, publicUrl) : undefined;
  const isOwn =
    url?.origin === publicUrl.origin &&
    url.pathname.startsWith(publicUrl.pathname) &&
    !url.pathname.startsWith(`${publicUrl.pathname}auth/`) &&
    url.href.length <= MAX_CHARS;
  return isOwn ? url : publicUrl;
};

/** The browser that comes back has started no sign-in that still waits. */
class NoPendingSignIn extends Error {}

/** Codes of RFC 6749 §4.1.2.1 and §5.2 and of OpenID Connect Core §3.1.2.6. Others are not logged: anybody can send a browser to the callback. */
const KNOWN_CODES: ReadonlySet<string> = new Set([
  ...['access_denied', 'consent_required', 'interaction_required', 'invalid_client'],
  ...['invalid_grant', 'invalid_request', 'invalid_scope', 'invalid_target', 'login_required'],
  ...['server_error', 'temporarily_unavailable', 'unauthorized_client'],
  ...['unsupported_grant_type', 'unsupported_response_type'],
]);

const formatRefusal = (code: string): string =>
  `the provider refused it with ${KNOWN_CODES.has(code) ? code : 'an unknown code'}`;

/** Codes of the library are constants, as `OAUTH_JWT_CLAIM_COMPARISON_FAILED`. */
const LIBRARY_CODE = /^OAUTH_[A-Z_]{1,64}$/u;

/** Returns why a sign-in failed as a part of a sentence, without any value of the sign-in. */
const explainFailure = (error: unknown): string => {
  if (error instanceof NoPendingSignIn)
    return 'no sign-in of this browser waits for the answer: it took too long, or its cookie is missing';
  if (error instanceof client.AuthorizationResponseError) return formatRefusal(error.error);
  if (error instanceof client.ResponseBodyError) return formatRefusal(error.error);
  if (error instanceof client.ClientError && LIBRARY_CODE.test(error.code ?? ''))
    return `the answer of the provider is not valid (${error.code})`;
  return 'the provider or the store of the sessions did not answer';
};

/** The parts of the routes of sign-in. */
export interface SignInParts {
  readonly publicUrl: URL;
  readonly provider: IdentityProvider;
  readonly sessions: Sessions;
  readonly cookies: PortalCookies;
  readonly userId: UserId;
  /** Reads a session without a refresh: for the sign-out, which needs no token that is valid. */
  readonly storedAccess: ReadAccess;
  /** Called with a sentence about a failed sign-in, without values of it. */
  readonly onFailure: (sentence: string) => void;
}

/** One request of a sign-in. */
interface SignInExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

const redirect = (response: ServerResponse, url: URL, cookies: readonly string[] = []): void => {
  response.writeHead(303, {
    location: url.href,
    'content-length': 0,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
  });
  response.end();
};

const createFailureUrl = (publicUrl: URL): URL => new URL('?sign-in=failed', publicUrl);

/**
 * Sends the browser to the provider. The query `return` is the address of the portal that it comes back to. The sign-in waits in a cookie of
 * its own, so that no one can end those of others by starting many.
 */
export const startSignIn = async (
  parts: SignInParts,
  { request, response, query }: SignInExchange,
): Promise<void> => {
  const { publicUrl, provider, cookies } = parts;
  try {
    const returnTo = resolvePortalUrl(publicUrl, query.get('return') ?? '').href;
    const { pending, url } = await provider.start(returnTo);
    redirect(response, url, cookies.signIn.keep(request, pending));
  } catch (error) {
    parts.onFailure(`a sign-in could not be started: ${explainFailure(error)}`);
    redirect(response, createFailureUrl(publicUrl));
  }
};

const readState = (query: URLSearchParams): string => query.get('state') ?? '';

const readCallback = async (
  { publicUrl, provider, cookies }: SignInParts,
  { request, query }: SignInExchange,
): Promise<{ readonly session: SignedInSession; readonly returnTo: string }> => {
  const pending = cookies.signIn.read(request, readState(query));
  if (pending === undefined) throw new NoPendingSignIn();
  const callback = new URL(`auth/callback?${query.toString()}`, publicUrl);
  return {
    session: await provider.complete(callback, pending),
    returnTo: pending.returnTo,
  };
};

/**
 * Ends the earlier session of the browser and its tokens. Returns the new session; undefined when the provider ended the new tokens with the
 * earlier ones, which belong to the same sign-in there (RFC 7009 §2.1).
 */
const replaceEarlier = async (
  { provider, sessions, cookies }: SignInParts,
  request: IncomingMessage,
  session: SignedInSession,
): Promise<SignedInSession | undefined> => {
  const id = cookies.session.read(request);
  const earlier = id === undefined ? undefined : await sessions.end(id);
  if (earlier === undefined) return session;
  await provider.revoke(earlier);
  if (session.refreshToken === undefined) return session;
  try {
    return await provider.refresh(session);
  } catch (error) {
    if (error instanceof ProviderError) return session;
    throw error;
  }
};

const startSession = async (
  { provider, sessions, userId }: SignInParts,
  session: SignedInSession,
): Promise<string> => {
  const sessionId = createSessionId();
  const user = userId({ sessionId, session });
  const excess = await sessions.begin(sessionId, session, user);
  await Promise.all(excess.map((one) => provider.revoke(one)));
  return sessionId;
};

/** Completes a sign-in in the browser that started it. The session gets a new id, and an earlier one of the browser ends. */
export const completeSignIn = async (
  parts: SignInParts,
  exchange: SignInExchange,
): Promise<void> => {
  const { publicUrl, cookies } = parts;
  const { request, response, query } = exchange;
  // A provider accepts a code once: a sign-in that has failed cannot continue.
  const ended = cookies.signIn.remove(readState(query));
  try {
    const { session: first, returnTo } = await readCallback(parts, exchange);
    const session = await replaceEarlier(parts, request, first);
    if (session === undefined) {
      // The earlier session no longer exists: the next sign-in replaces none.
      const again = new URLSearchParams({ return: returnTo });
      await startSignIn(parts, { request, response, query: again });
      return;
    }
    redirect(response, resolvePortalUrl(publicUrl, returnTo), [
      cookies.session.write(await startSession(parts, session)),
      ended,
    ]);
  } catch (error) {
    parts.onFailure(`a sign-in failed: ${explainFailure(error)}`);
    redirect(response, createFailureUrl(publicUrl), [ended]);
  }
};

/** Ends the session and its tokens, and returns the address at which the provider ends its own session. */
export const endSession = async (
  { publicUrl, provider, sessions }: SignInParts,
  id: string,
): Promise<URL> => {
  const session = await sessions.end(id);
  if (session === undefined) return publicUrl;
  const [url] = await Promise.all([
    provider.endUrl(session, publicUrl).catch(() => undefined),
    provider.revoke(session),
  ]);
  return url ?? publicUrl;
};
