import type { IncomingMessage } from 'node:http';
import { sendRedirect, sendSuccessPage } from '../pages/sign-in-pages.ts';
import type { PageError } from '../pages/sign-in-pages.ts';
import { redirectWithServer } from './allowed-redirect.ts';
import { browserSecret, removedCookie } from './browser-cookie.ts';
import { completeLogin } from './complete-login.ts';
import type { CompletionDependencies } from './complete-login.ts';
import { observeFailure } from './observe-failure.ts';
import type { PendingLogin, PendingLogins } from './pending-login.ts';
import { only, pageRoute, queryOf } from './route-handling.ts';
import type { PageHandler, Route } from './route-handling.ts';
import { isSameSecret } from './same-secret.ts';

/** Path of the URL that authorization servers send persons back to. */
export const CALLBACK_PATH = '/oauth/proxy/callback';

/** The dependencies of the end of a sign-in in a browser. */
export interface CallbackDependencies extends CompletionDependencies {
  readonly logins: PendingLogins;
}

/** Returns the error code of a response; `unknown` when it has several. */
const errorOf = (query: URLSearchParams): string | undefined =>
  query.has('error') ? (only(query, 'error') ?? 'unknown') : undefined;

/** Returns whether a response arrived at the redirect URI of its sign-in. A provider that names no issuer is recognized by it. RFC 9700 §4.4.2.2 */
const isForIssuer = ({ url = '' }: IncomingMessage, { redirectUri }: PendingLogin): boolean =>
  new URL(redirectUri).pathname.endsWith(url.split('?', 1)[0] ?? url);

/** A response to a sign-in, and whether it comes from the browser of the sign-in. */
interface Answer {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly isSameBrowser: boolean;
}

/** Completes a sign-in. Returns the error page, or `undefined` after success. */
const endOf = async (
  dependencies: CallbackDependencies,
  login: PendingLogin,
  { request, query, isSameBrowser }: Answer,
): Promise<PageError | undefined> => {
  if (!isForIssuer(request, login)) {
    dependencies.context.log.warn(
      { server: login.server, issuer: login.issuer },
      'sign-in refused: the response arrived at the callback of another authorization server',
    );
    return 'invalid';
  }
  if (!isSameBrowser || query.getAll('iss').length > 1) return 'invalid';
  const iss = query.get('iss') ?? undefined;
  const answer = { code: only(query, 'code'), iss, error: errorOf(query) };
  return completeLogin(dependencies, login, answer);
};

const callbackHandler =
  (dependencies: CallbackDependencies): PageHandler =>
  async (request, response) => {
    const query = queryOf(request);
    const state = only(query, 'state');
    if (state === undefined) return errorOf(query) === undefined ? 'incomplete' : 'denied';
    const taken = await dependencies.logins.take(state);
    if (taken === undefined) return 'expired';
    const { login, redirect, browser } = taken;
    await dependencies.logins.answered(login);
    const signIn = { state, callback: new URL(login.redirectUri) };
    response.setHeader('set-cookie', removedCookie(signIn));
    const isSameBrowser = isSameSecret(browserSecret(request, signIn), browser);
    const failure = await endOf(dependencies, login, { request, query, isSameBrowser });
    if (failure !== undefined) {
      observeFailure(dependencies.context, login, failure);
      return failure;
    }
    if (redirect === undefined) sendSuccessPage(response, login.server);
    else sendRedirect(response, 303, redirectWithServer(redirect, login.server));
    return undefined;
  };

/** Creates the route that authorization servers send persons back to. */
export const createCallbackRoute = (dependencies: CallbackDependencies): Route =>
  pageRoute(dependencies.context.log, { GET: callbackHandler(dependencies) });
