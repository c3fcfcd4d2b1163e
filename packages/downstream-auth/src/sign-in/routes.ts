import { isOwnForm, isSameSecret, readForm, sendFormPage } from '@gateway/service-host';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLIENT_DOCUMENT_PATH, createClientDocument } from '../clients/identify-client.ts';
import {
  renderConfirmationPage,
  type PageError,
  sendErrorPage,
  sendRedirect,
  sendSuccessPage,
} from '../pages/sign-in-pages.ts';
import type { SignInLog } from '../ports/sign-in.ts';
import { completeLogin } from './login.ts';
import {
  formatBrowserCookie,
  readBrowserSecret,
  computeConfirmationToken,
  isConfirmationToken,
  type PendingLogin,
  createRandomText,
  formatRemovalCookie,
} from './pending-login.ts';
import {
  type IssuerUrls,
  findSegmentUrls,
  type SignInContext,
  type SignInUrls,
  storeFailure,
} from './sign-in-context.ts';

/** Dot segments, also escaped, and separators that servers read in different ways. */
const UNSAFE_PATH = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\|%2f|%5c/i;
const MAX_URL_CHARS = 2_048;

const extractPath = (text: string): string =>
  /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(text)?.[1] ?? '';

const isSubPath = (path: string, base: string): boolean => {
  const folder = base.endsWith('/') ? base : `${base}/`;
  return path === base || path.startsWith(folder);
};

/** Returns a URL that extends an allowed URL at a segment of its path; `undefined` for credentials, fragments, dot segments and any other text. */
export const parseRedirectUrl = (
  text: string | undefined,
  allowed: readonly string[],
): string | undefined => {
  if (text === undefined || text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined;
  // The parser removes dot segments, tabs and line breaks, so the text is checked.
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || UNSAFE_PATH.test(extractPath(text)))
    return undefined;
  const url = new URL(text);
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return undefined;
  if (url.hash !== '' || text.includes('#')) return undefined;
  const isAllowed = allowed
    .filter((one) => URL.canParse(one))
    .map((one) => new URL(one))
    .some(({ origin, pathname }) => origin === url.origin && isSubPath(url.pathname, pathname));
  return isAllowed ? url.href : undefined;
};

export const redirectWithServer = (redirect: string, server: string): string => {
  const url = new URL(redirect);
  url.searchParams.set('server', server);
  return url.href;
};

const observeFailure = (
  { observe }: SignInContext,
  { server, principalKey }: PendingLogin,
  failure: PageError,
): void => {
  // The sign-in is known, so it has not expired.
  const problem = failure === 'expired' ? 'failed' : failure;
  observe({ code: 'sign-in-failed', server, principalKey, problem });
};

type Route = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers a request, or returns the error page for it. Rejects with failures of the store. */
type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<PageError | undefined>;

const MAX_QUERY_CHARS = 16 * 1024;

/** Returns the query; empty when it is too long. */
const parseQuery = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const at = url.indexOf('?');
  const query = at < 0 ? '' : url.slice(at + 1);
  return new URLSearchParams(query.length > MAX_QUERY_CHARS ? '' : query);
};

/** Returns a parameter that occurs once and is not empty. */
const findOnlyValue = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
};

/** Returns the route of pages by method. A failure of the store is answered with a page, and reported without values. */
const createPageRoute = (
  log: SignInLog,
  handlers: Readonly<Partial<Record<'GET' | 'POST', PageHandler>>>,
): Route => {
  const byMethod = new Map(Object.entries(handlers));
  const allow = [...byMethod.keys()].join(', ');
  return (request, response) => {
    const handle = byMethod.get(request.method ?? '');
    if (handle === undefined) {
      response.writeHead(405, { allow }).end();
      return;
    }
    void handle(request, response)
      .catch((error: unknown): PageError => {
        log.warn({}, `sign-in failed: ${storeFailure(error)}`);
        return 'failed';
      })
      .then((failure) => {
        if (failure !== undefined) sendErrorPage(response, failure);
      })
      .catch(() => response.destroy());
  };
};

export const CALLBACK_PATH = '/oauth/proxy/callback';

/** Returns the error code of a response; `unknown` when it has several. */
const readError = (query: URLSearchParams): string | undefined =>
  query.has('error') ? (findOnlyValue(query, 'error') ?? 'unknown') : undefined;

/** Returns whether a response arrived at the redirect URI of its sign-in. A provider that names no issuer is recognized by it. RFC 9700 §4.4.2.2 */
const isForIssuer = ({ url = '' }: IncomingMessage, { redirectUri }: PendingLogin): boolean =>
  new URL(redirectUri).pathname.endsWith(url.split('?', 1)[0] ?? url);

interface Answer {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly isSameBrowser: boolean;
}

const completeAnswer = async (
  context: SignInContext,
  login: PendingLogin,
  { request, query, isSameBrowser }: Answer,
): Promise<PageError | undefined> => {
  if (!isForIssuer(request, login)) {
    context.log.warn(
      { server: login.server, issuer: login.issuer },
      'sign-in refused: the response arrived at the callback of another authorization server',
    );
    return 'invalid';
  }
  if (!isSameBrowser || query.getAll('iss').length > 1) return 'invalid';
  const iss = query.get('iss') ?? undefined;
  const answer = { code: findOnlyValue(query, 'code'), iss, error: readError(query) };
  return completeLogin(context, login, answer);
};

const createCallbackHandler =
  (context: SignInContext): PageHandler =>
  async (request, response) => {
    const query = parseQuery(request);
    const state = findOnlyValue(query, 'state');
    if (state === undefined) return readError(query) === undefined ? 'incomplete' : 'denied';
    const taken = await context.logins.take(state);
    if (taken === undefined) return 'expired';
    const { login, redirect, browser } = taken;
    await context.logins.answered(login);
    const signIn = { state, callback: new URL(login.redirectUri) };
    response.setHeader('set-cookie', formatRemovalCookie(signIn));
    const isSameBrowser = isSameSecret(readBrowserSecret(request, signIn), browser);
    const failure = await completeAnswer(context, login, { request, query, isSameBrowser });
    if (failure !== undefined) {
      observeFailure(context, login, failure);
      return failure;
    }
    if (redirect === undefined) sendSuccessPage(response, login.server);
    else sendRedirect(response, 303, redirectWithServer(redirect, login.server));
    return undefined;
  };

const createCallbackRoute = (context: SignInContext): Route =>
  createPageRoute(context.log, { GET: createCallbackHandler(context) });

export const START_PATH = '/oauth/proxy/start';

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: string;
  readonly login: PendingLogin;
}

const toSignIn = ({ state, login }: Visit) => ({ state, callback: new URL(login.redirectUri) });

const storeRedirect = async (
  { log, logins, redirects }: SignInContext,
  { request, state, login }: Visit,
): Promise<void> => {
  const wanted = parseQuery(request).get('redirect') ?? undefined;
  const redirect = parseRedirectUrl(wanted, redirects);
  if (redirect !== undefined) await logins.setRedirect(state, redirect);
  else if (wanted !== undefined && (await logins.report(state, 'redirect')))
    log.warn({ server: login.server }, 'the redirect of a sign-in is not allowed');
};

/** Returns the authorization request with which the user chooses an account at the provider. OpenID Connect Core 1.0 §3.1.2.1 */
const withAccountChoice = ({ authorizationUrl, accountPrompt }: PendingLogin): string => {
  const url = new URL(authorizationUrl);
  const prompts = (url.searchParams.get('prompt') ?? '').split(' ').filter((one) => one !== '');
  url.searchParams.set('prompt', [...new Set([...prompts, accountPrompt])].join(' '));
  return url.href;
};

/** Leads the browser to the provider. From now on the sign-in belongs to this browser. */
const redirectBrowser = async (
  { logins }: SignInContext,
  visit: Visit,
  { browser, isOtherAccount }: { readonly browser: string; readonly isOtherAccount: boolean },
): Promise<PageError | undefined> => {
  const { response, state, login } = visit;
  if (!(await logins.confirm(state, browser))) return 'invalid';
  await logins.opened(login);
  response.setHeader('set-cookie', formatBrowserCookie(toSignIn(visit), browser));
  const location = isOtherAccount ? withAccountChoice(login) : login.authorizationUrl;
  sendRedirect(response, 302, location);
  return undefined;
};

/** Shows who gets access to the account of the user who signs in: another user may have sent the link. */
const askUser = (visit: Visit): void => {
  const { request, response, state, login } = visit;
  const browser = readBrowserSecret(request, toSignIn(visit)) ?? createRandomText();
  const { server, issuer, askedBy, formKey, redirectUri } = login;
  const page = renderConfirmationPage({
    server,
    state,
    gateway: new URL(redirectUri).host,
    provider: new URL(issuer).host,
    askedBy: {
      name: askedBy.name,
      ...(askedBy.issuer !== undefined && { issuer: askedBy.issuer }),
    },
    action: START_PATH,
    token: computeConfirmationToken({ formKey, browser }),
  });
  response.setHeader('set-cookie', formatBrowserCookie(toSignIn(visit), browser));
  sendFormPage(response, 200, page);
};

const refuseOther = async (context: SignInContext, { state, login }: Visit): Promise<PageError> => {
  if (!(await context.logins.report(state, 'other-user'))) return 'invalid';
  context.log.warn({ server: login.server }, 'sign-in refused: the link belongs to another user');
  observeFailure(context, login, 'invalid');
  return 'invalid';
};

/** Signs the browser in to the gateway; it comes back with `code` or `error`. */
const signInFirst = async (
  context: SignInContext,
  visit: Visit,
  signInUrl: string,
): Promise<PageError | undefined> => {
  const query = parseQuery(visit.request);
  if (query.has('error')) return 'denied';
  // After its sign-in the browser has a cookie of the gateway, unless it accepts none.
  if (query.has('code')) return 'invalid';
  await storeRedirect(context, visit);
  sendRedirect(visit.response, 302, signInUrl);
  return undefined;
};

/** The user who completes the sign-in gives its tokens to the user who asked for the link: they must be the same, or the user who opens the link is asked. */
const openLink = async (context: SignInContext, visit: Visit): Promise<PageError | undefined> => {
  const { request, response, state, login } = visit;
  const { principalKey } = login;
  const user = await context.browserUser?.(request, response, { principalKey, state });
  if (user?.kind === 'other') return refuseOther(context, visit);
  if (user?.kind === 'signed-out') return signInFirst(context, visit, user.signInUrl);
  await storeRedirect(context, visit);
  if (user === undefined) {
    askUser(visit);
    return undefined;
  }
  const browser = readBrowserSecret(request, toSignIn(visit)) ?? createRandomText();
  return redirectBrowser(context, visit, { browser, isOtherAccount: false });
};

/** Returns whether a form comes from the page that asks the user, in the browser that received it. */
const isOwnDecision = async (
  { urls }: SignInContext,
  { request, login: { formKey, redirectUri } }: Visit,
  { form, browser }: { readonly form: URLSearchParams; readonly browser: string },
): Promise<boolean> => {
  // The gateway may have another URL since its restart.
  const origins = [redirectUri, (await urls())?.start ?? redirectUri];
  return (
    origins.some((url) => isOwnForm(request, new URL(url))) &&
    isConfirmationToken({ formKey, browser }, findOnlyValue(form, 'token'))
  );
};

const decide = async (
  context: SignInContext,
  visit: Visit,
  form: URLSearchParams,
): Promise<PageError | undefined> => {
  const { request, response, state, login } = visit;
  const { principalKey } = login;
  const browser = readBrowserSecret(request, toSignIn(visit));
  if (browser === undefined || !(await isOwnDecision(context, visit, { form, browser })))
    return 'invalid';
  const user = await context.browserUser?.(request, response, { principalKey, state });
  if (user?.kind === 'other') return refuseOther(context, visit);
  const decision = findOnlyValue(form, 'decision');
  if (decision === 'continue' || decision === 'other-account') {
    const isOtherAccount = decision === 'other-account';
    return redirectBrowser(context, visit, { browser, isOtherAccount });
  }
  const taken = await context.logins.take(state);
  if (taken !== undefined) observeFailure(context, login, 'denied');
  return 'denied';
};

type Work = (visit: Visit) => Promise<PageError | undefined>;

const withLogin = async (
  { logins }: SignInContext,
  { state, ...exchange }: Pick<Visit, 'request' | 'response'> & { state: string | undefined },
  work: Work,
): Promise<PageError | undefined> => {
  if (state === undefined) return 'incomplete';
  const login = await logins.get(state);
  return login === undefined ? 'expired' : work({ ...exchange, state, login });
};

const createStartRoute = (context: SignInContext): Route =>
  createPageRoute(context.log, {
    GET: (request, response) => {
      const state = findOnlyValue(parseQuery(request), 'state');
      const work: Work = (visit) => openLink(context, visit);
      return withLogin(context, { request, response, state }, work);
    },
    POST: async (request, response) => {
      const form = (await readForm(request)) ?? new URLSearchParams();
      const state = findOnlyValue(form, 'state');
      const work: Work = (visit) => decide(context, visit, form);
      return withLogin(context, { request, response, state }, work);
    },
  });

export type Routes = Readonly<Record<string, Route>>;

interface SignInRoutes {
  readonly routes: Routes;
  readonly prefixes: Routes;
}

const CALLBACKS = `${CALLBACK_PATH}/`;
const DOCUMENTS = `${CLIENT_DOCUMENT_PATH}/`;

const findDocumentUrls = (urls: SignInUrls, url: string): IssuerUrls | undefined => {
  const [path = ''] = url.split('?', 1);
  return path === CLIENT_DOCUMENT_PATH ? urls : findSegmentUrls(urls, path.slice(DOCUMENTS.length));
};

/** Documents exist where their URLs have the scheme https; without it, authorization servers do not accept them as client IDs. */
const createDocumentRoute =
  ({ urls: findUrls }: SignInContext): Route =>
  ({ method, url = '' }, response) => {
    void findUrls()
      .catch(() => undefined)
      .then((urls) => {
        const found = urls && findDocumentUrls(urls, url);
        const isServed = method === 'GET' && found?.document.startsWith('https:') === true;
        if (!isServed) response.writeHead(404).end();
        else
          response
            .writeHead(200, {
              'content-type': 'application/json',
              'cache-control': 'public, max-age=300',
              'x-content-type-options': 'nosniff',
            })
            .end(JSON.stringify(createClientDocument(found.document, found.callback)));
      });
  };

export const createRoutes = (context: SignInContext): SignInRoutes => {
  const callback = createCallbackRoute(context);
  const document = createDocumentRoute(context);
  return {
    routes: {
      [START_PATH]: createStartRoute(context),
      [CALLBACK_PATH]: callback,
      [CLIENT_DOCUMENT_PATH]: document,
    },
    prefixes: { [CALLBACKS]: callback, [DOCUMENTS]: document },
  };
};
