import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IdentityProvider } from './identity-provider.ts';
import { ownUrl } from './own-url.ts';
import { newSessionId, type PortalCookies } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { SignedInSession } from './session-record.ts';

/** The parts of the routes of sign-in. */
export interface SignInParts {
  readonly publicUrl: URL;
  readonly provider: IdentityProvider;
  readonly sessions: Sessions;
  readonly cookies: PortalCookies;
  /** Called with a sentence about a failed sign-in, without values of it. */
  readonly onFailure: (sentence: string) => void;
}

/** One request of a sign-in. */
export interface SignInExchange {
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

const failedUrl = (publicUrl: URL): URL => new URL('?sign-in=failed', publicUrl);

/**
 * Sends the browser to the provider. The query `return` is the address of the portal that it comes back to. Sign-ins in several tabs
 * share the cookie.
 */
export const startSignIn = async (
  parts: SignInParts,
  { request, response, query }: SignInExchange,
): Promise<void> => {
  const { publicUrl, provider, sessions, cookies } = parts;
  const id = cookies.signIn.read(request) ?? newSessionId();
  try {
    const returnTo = ownUrl(publicUrl, query.get('return') ?? '').href;
    const { pending, url } = await provider.start(returnTo);
    await sessions.keepPending(id, pending);
    redirect(response, url, [cookies.signIn.write(id)]);
  } catch {
    parts.onFailure('a sign-in could not be started');
    redirect(response, failedUrl(publicUrl));
  }
};

const completed = async (
  { publicUrl, provider, sessions, cookies }: SignInParts,
  { request, query }: SignInExchange,
): Promise<{ readonly session: SignedInSession; readonly returnTo: string }> => {
  const id = cookies.signIn.read(request);
  const pending =
    id === undefined ? undefined : await sessions.takePending(id, query.get('state') ?? '');
  if (pending === undefined) throw new Error('no sign-in waits in this browser');
  const callback = new URL(`auth/callback?${query.toString()}`, publicUrl);
  return {
    session: await provider.complete(callback, pending),
    returnTo: pending.returnTo,
  };
};

/** Completes a sign-in in the browser that started it. The session gets a new id, and an earlier one of the browser ends. */
export const completeSignIn = async (
  parts: SignInParts,
  exchange: SignInExchange,
): Promise<void> => {
  const { publicUrl, sessions, cookies } = parts;
  const { request, response } = exchange;
  try {
    const { session, returnTo } = await completed(parts, exchange);
    const id = newSessionId();
    await sessions.write(id, session);
    const earlier = cookies.session.read(request);
    if (earlier !== undefined) await sessions.remove(earlier);
    redirect(response, ownUrl(publicUrl, returnTo), [
      cookies.session.write(id),
      cookies.signIn.write(undefined),
    ]);
  } catch {
    parts.onFailure('a sign-in failed');
    redirect(response, failedUrl(publicUrl));
  }
};

/** Ends the session and its tokens, and returns the address at which the provider ends its own session. */
export const endSession = async (
  { publicUrl, provider, sessions }: SignInParts,
  id: string,
): Promise<URL> => {
  const session = await sessions.read(id);
  await sessions.remove(id);
  if (session === undefined) return publicUrl;
  await provider.revoke(session);
  const url = await provider.endUrl(session, publicUrl).catch(() => undefined);
  return url ?? publicUrl;
};
