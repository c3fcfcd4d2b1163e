import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IdentityProvider } from './identity-provider.ts';
import { newSessionId, type SessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** The parts of the routes of sign-in. */
export interface SignInParts {
  readonly publicUrl: URL;
  readonly provider: IdentityProvider;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  /** Called with a sentence about a failed sign-in, without values of it. */
  readonly onFailure: (sentence: string) => void;
}

const redirect = (response: ServerResponse, url: URL, cookie?: string): void => {
  response.writeHead(303, {
    location: url.href,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(cookie !== undefined && { 'set-cookie': cookie }),
  });
  response.end();
};

/** Returns an address of the portal; the first page for any other. */
const ownUrl = (publicUrl: URL, path: string): URL => {
  const url = URL.canParse(path, publicUrl.href) ? new URL(path, publicUrl) : undefined;
  const isOwn = url?.origin === publicUrl.origin && url.pathname.startsWith(publicUrl.pathname);
  return isOwn ? url : publicUrl;
};

const failedUrl = (publicUrl: URL): URL => new URL('?sign-in=failed', publicUrl);

/** Sends the browser to the provider. The query `return` is the address of the portal that it comes back to. */
export const startSignIn = async (
  parts: SignInParts,
  { response, query }: { readonly response: ServerResponse; readonly query: URLSearchParams },
): Promise<void> => {
  const { publicUrl, provider, sessions, cookie } = parts;
  const id = newSessionId();
  try {
    const returnTo = ownUrl(publicUrl, query.get('return') ?? '').href;
    const { pending, url } = await provider.start(returnTo);
    await sessions.keepPending(id, pending);
    redirect(response, url, cookie.write(id));
  } catch {
    parts.onFailure('a sign-in could not be started');
    redirect(response, failedUrl(publicUrl));
  }
};

/** Completes a sign-in in the browser that started it. The session gets a new id. */
export const completeSignIn = async (
  parts: SignInParts,
  {
    request,
    response,
    query,
  }: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly query: URLSearchParams;
  },
): Promise<void> => {
  const { publicUrl, provider, sessions, cookie } = parts;
  const id = cookie.read(request);
  try {
    const pending =
      id === undefined ? undefined : await sessions.takePending(id, query.get('state') ?? '');
    if (pending === undefined) throw new Error('no sign-in waits in this browser');
    const callback = new URL(`auth/callback?${query.toString()}`, publicUrl);
    const session = await provider.complete(callback, pending);
    const signedIn = newSessionId();
    await sessions.write(signedIn, session);
    redirect(response, ownUrl(publicUrl, pending.returnTo), cookie.write(signedIn));
  } catch {
    parts.onFailure('a sign-in failed');
    redirect(response, failedUrl(publicUrl), cookie.write(undefined));
  }
};

/** Ends the session, and returns the address at which the provider ends its own. */
export const endSession = async (
  { publicUrl, provider, sessions }: SignInParts,
  id: string,
): Promise<URL> => {
  const session = await sessions.read(id);
  await sessions.remove(id);
  if (session === undefined) return publicUrl;
  const url = await provider.endUrl(session, publicUrl).catch(() => undefined);
  return url ?? publicUrl;
};
