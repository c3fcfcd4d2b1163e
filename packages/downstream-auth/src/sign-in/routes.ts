import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientDocument, CLIENT_DOCUMENT_PATH } from '../clients/client-document.ts';
import { sendErrorPage, sendRedirect, sendSuccessPage } from '../pages/sign-in-pages.ts';
import type { PageError } from '../pages/sign-in-pages.ts';
import { allowedRedirect, redirectWithServer } from './allowed-redirect.ts';
import { browserCookie, isSameBrowser, removedCookie } from './browser-cookie.ts';
import { completeLogin } from './complete-login.ts';
import type { CompletionDependencies } from './complete-login.ts';
import type { PendingLogins } from './pending-login.ts';
import { storeFailure } from './reasons.ts';

/** Path of the URL that persons receive, below the public URL. */
export const START_PATH = '/oauth/proxy/start';
/** Path of the URL that authorization servers send persons back to. */
export const CALLBACK_PATH = '/oauth/proxy/callback';

/** Returns whether the browser of a request is signed in to the gateway as another person. Rejects with failures of the store. */
export type BrowserCheck = (
  request: IncomingMessage,
  response: ServerResponse,
  principalKey: string,
) => Promise<boolean>;

/** The dependencies of the routes. */
export interface RouteDependencies extends CompletionDependencies {
  readonly logins: PendingLogins;
  readonly isOtherPerson: BrowserCheck | undefined;
  /** URLs that a sign-in may end at. */
  readonly redirects: readonly string[];
}

/** Handlers by path. */
export type Routes = Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void>
>;

const MAX_QUERY_CHARS = 16 * 1024;

/** Returns the query; empty when it is too long. */
const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const at = url.indexOf('?');
  const query = at < 0 ? '' : url.slice(at + 1);
  return new URLSearchParams(query.length > MAX_QUERY_CHARS ? '' : query);
};

/** Returns a parameter that occurs once and is not empty. */
const only = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
};

/** Returns the error code of a response; `unknown` when it has several. */
const errorOf = (query: URLSearchParams): string | undefined =>
  query.has('error') ? (only(query, 'error') ?? 'unknown') : undefined;

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<PageError | undefined>;

const startHandler =
  ({ logins, redirects, context, isOtherPerson }: RouteDependencies): Handler =>
  async (request, response) => {
    const query = queryOf(request);
    const state = only(query, 'state');
    if (state === undefined) return 'incomplete';
    const login = await logins.get(state);
    if (login === undefined) return 'expired';
    // The person who completes the sign-in gives its tokens to the person who asked for the link: they must be the same.
    if ((await isOtherPerson?.(request, response, login.principalKey)) === true) {
      context.log.warn(
        { server: login.server },
        'sign-in refused: the link belongs to another person',
      );
      return 'invalid';
    }
    const wanted = query.get('redirect') ?? undefined;
    const redirect = allowedRedirect(wanted, redirects);
    if (redirect !== undefined) await logins.setRedirect(state, redirect);
    else if (wanted !== undefined)
      context.log.warn({ server: login.server }, 'the redirect of a sign-in is not allowed');
    await logins.opened(login);
    const signIn = { state, callback: new URL(login.redirectUri) };
    response.setHeader('set-cookie', browserCookie(signIn, login.browser));
    sendRedirect(response, 302, login.authorizationUrl);
    return undefined;
  };

const callbackHandler =
  (dependencies: RouteDependencies): Handler =>
  async (request, response) => {
    const query = queryOf(request);
    const state = only(query, 'state');
    const error = errorOf(query);
    if (state === undefined) return error === undefined ? 'incomplete' : 'denied';
    const taken = await dependencies.logins.take(state);
    if (taken === undefined) return 'expired';
    const { login, redirect } = taken;
    await dependencies.logins.answered(login);
    const callback = new URL(login.redirectUri);
    response.setHeader('set-cookie', removedCookie({ state, callback }));
    if (!isSameBrowser(request, state, login.browser)) return 'invalid';
    if (query.getAll('iss').length > 1) return 'invalid';
    const iss = query.get('iss') ?? undefined;
    const answer = { code: only(query, 'code'), iss, error };
    const failure = await completeLogin(dependencies, login, answer);
    if (failure !== undefined) return failure;
    if (redirect === undefined) sendSuccessPage(response, login.server);
    else sendRedirect(response, 303, redirectWithServer(redirect, login.server));
    return undefined;
  };

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET';

const pageRoute =
  ({ context }: RouteDependencies, handle: Handler): Routes[string] =>
  (request, response) => {
    if (!isRead(request)) {
      response.writeHead(405, { allow: 'GET' }).end();
      return;
    }
    void handle(request, response)
      .catch((error: unknown): PageError => {
        context.log.warn({}, `sign-in failed: ${storeFailure(error)}`);
        return 'failed';
      })
      .then((failure) => {
        if (failure !== undefined) sendErrorPage(response, failure);
      })
      .catch(() => response.destroy());
  };

/** The document exists where its URL has the scheme https; without it, authorization servers do not accept the URL as a client ID. */
const documentRoute =
  ({ context }: RouteDependencies): Routes[string] =>
  (request, response) => {
    void context
      .urls()
      .catch(() => undefined)
      .then((urls) => {
        const isServed = urls?.document.startsWith('https:') === true;
        if (urls === undefined || !isServed || !isRead(request)) response.writeHead(404).end();
        else
          response
            .writeHead(200, {
              'content-type': 'application/json',
              'cache-control': 'public, max-age=300',
              'x-content-type-options': 'nosniff',
            })
            .end(JSON.stringify(clientDocument(urls.document, urls.callback)));
      });
  };

/** Creates the handlers of the start of a sign-in, of its callback, and of the client ID metadata document. */
export const createRoutes = (dependencies: RouteDependencies): Routes => ({
  [START_PATH]: pageRoute(dependencies, startHandler(dependencies)),
  [CALLBACK_PATH]: pageRoute(dependencies, callbackHandler(dependencies)),
  [CLIENT_DOCUMENT_PATH]: documentRoute(dependencies),
});
