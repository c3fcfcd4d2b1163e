import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnForm, readForm } from '@gateway/service-host';
import { confirmationPage } from '../pages/confirmation-page.ts';
import { sendPage, sendRedirect } from '../pages/sign-in-pages.ts';
import type { PageError } from '../pages/sign-in-pages.ts';
import type { BrowserCheck } from '../ports/browser-person.ts';
import { allowedRedirect } from './allowed-redirect.ts';
import { browserCookie, browserSecret } from './browser-cookie.ts';
import { observeFailure } from './observe-failure.ts';
import { confirmationToken, isConfirmationToken } from './form-token.ts';
import { randomText } from './pending-login.ts';
import type { PendingLogin, PendingLogins } from './pending-login.ts';
import { only, pageRoute, queryOf } from './route-handling.ts';
import type { Route } from './route-handling.ts';
import type { SignInContext } from './sign-in-context.ts';

/** Path of the URL that persons receive, below the public URL. */
export const START_PATH = '/oauth/proxy/start';

/** The dependencies of the start of a sign-in. */
export interface StartDependencies {
  readonly context: SignInContext;
  readonly logins: PendingLogins;
  readonly browserPerson: BrowserCheck | undefined;
  /** URLs that a sign-in may end at. */
  readonly redirects: readonly string[];
}

/** A browser that opened the link of a sign-in. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: string;
  readonly login: PendingLogin;
}

const signInOf = ({ state, login }: Visit) => ({ state, callback: new URL(login.redirectUri) });

const storeRedirect = async (
  { context, logins, redirects }: StartDependencies,
  { request, state, login }: Visit,
): Promise<void> => {
  const wanted = queryOf(request).get('redirect') ?? undefined;
  const redirect = allowedRedirect(wanted, redirects);
  if (redirect !== undefined) await logins.setRedirect(state, redirect);
  else if (wanted !== undefined && (await logins.report(state, 'redirect')))
    context.log.warn({ server: login.server }, 'the redirect of a sign-in is not allowed');
};

/** Returns the authorization request with which the person chooses an account at the provider. OpenID Connect Core 1.0 §3.1.2.1 */
const withAccountChoice = ({ authorizationUrl, accountPrompt }: PendingLogin): string => {
  const url = new URL(authorizationUrl);
  const prompts = (url.searchParams.get('prompt') ?? '').split(' ').filter((one) => one !== '');
  url.searchParams.set('prompt', [...new Set([...prompts, accountPrompt])].join(' '));
  return url.href;
};

/** Leads the browser to the provider. From now on the sign-in belongs to this browser. */
const leadToProvider = async (
  { logins }: StartDependencies,
  visit: Visit,
  { browser, isOtherAccount }: { readonly browser: string; readonly isOtherAccount: boolean },
): Promise<PageError | undefined> => {
  const { response, state, login } = visit;
  if (!(await logins.confirm(state, browser))) return 'invalid';
  await logins.opened(login);
  response.setHeader('set-cookie', browserCookie(signInOf(visit), browser));
  const location = isOtherAccount ? withAccountChoice(login) : login.authorizationUrl;
  sendRedirect(response, 302, location);
  return undefined;
};

/** Shows who gets access to the account of the person who signs in: another person may have sent the link. */
const askPerson = (visit: Visit): void => {
  const { request, response, state, login } = visit;
  const browser = browserSecret(request, signInOf(visit)) ?? randomText();
  const { server, issuer, askedBy, formKey, redirectUri } = login;
  const page = confirmationPage({
    ...{ server, state },
    gateway: new URL(redirectUri).host,
    provider: new URL(issuer).host,
    askedBy: {
      name: askedBy.name,
      ...(askedBy.issuer !== undefined && { issuer: askedBy.issuer }),
    },
    action: START_PATH,
    token: confirmationToken({ formKey, browser }),
  });
  response.setHeader('set-cookie', browserCookie(signInOf(visit), browser));
  sendPage(response, 200, page);
};

const refuseOther = async (
  { context, logins }: StartDependencies,
  { state, login }: Visit,
): Promise<PageError> => {
  if (!(await logins.report(state, 'other-person'))) return 'invalid';
  context.log.warn({ server: login.server }, 'sign-in refused: the link belongs to another person');
  observeFailure(context, login, 'invalid');
  return 'invalid';
};

/** Signs the browser in to the gateway; it comes back with `code` or `error`. */
const signInFirst = async (
  dependencies: StartDependencies,
  visit: Visit,
  signInUrl: string,
): Promise<PageError | undefined> => {
  const query = queryOf(visit.request);
  if (query.has('error')) return 'denied';
  // After its sign-in the browser has a cookie of the gateway, unless it accepts none.
  if (query.has('code')) return 'invalid';
  await storeRedirect(dependencies, visit);
  sendRedirect(visit.response, 302, signInUrl);
  return undefined;
};

/**
 * Opens the link of a sign-in. The person who completes the sign-in gives its tokens to the person who asked for the link: where browsers sign in
 * to the gateway, they must be the same; elsewhere the person who opens the link is asked.
 */
const openLink = async (
  dependencies: StartDependencies,
  visit: Visit,
): Promise<PageError | undefined> => {
  const { request, response, state, login } = visit;
  const { principalKey } = login;
  const person = await dependencies.browserPerson?.(request, response, { principalKey, state });
  if (person?.kind === 'other') return refuseOther(dependencies, visit);
  if (person?.kind === 'signed-out') return signInFirst(dependencies, visit, person.signInUrl);
  await storeRedirect(dependencies, visit);
  if (person === undefined) {
    askPerson(visit);
    return undefined;
  }
  const browser = browserSecret(request, signInOf(visit)) ?? randomText();
  return leadToProvider(dependencies, visit, { browser, isOtherAccount: false });
};

/** Returns whether a form comes from the page that asks the person, in the browser that received it. */
const isOwnDecision = async (
  { context }: StartDependencies,
  { request, login: { formKey, redirectUri } }: Visit,
  { form, browser }: { readonly form: URLSearchParams; readonly browser: string },
): Promise<boolean> => {
  // The gateway may have another URL since its restart.
  const origins = [redirectUri, (await context.urls())?.start ?? redirectUri];
  return (
    origins.some((url) => isOwnForm(request, new URL(url))) &&
    isConfirmationToken({ formKey, browser }, only(form, 'token'))
  );
};

/** Handles the form of the page that asks the person. */
const decide = async (
  dependencies: StartDependencies,
  visit: Visit,
  form: URLSearchParams,
): Promise<PageError | undefined> => {
  const { request, response, state, login } = visit;
  const { principalKey } = login;
  const browser = browserSecret(request, signInOf(visit));
  if (browser === undefined || !(await isOwnDecision(dependencies, visit, { form, browser })))
    return 'invalid';
  const person = await dependencies.browserPerson?.(request, response, { principalKey, state });
  if (person?.kind === 'other') return refuseOther(dependencies, visit);
  const decision = only(form, 'decision');
  if (decision === 'continue' || decision === 'other-account') {
    const isOtherAccount = decision === 'other-account';
    return leadToProvider(dependencies, visit, { browser, isOtherAccount });
  }
  const taken = await dependencies.logins.take(state);
  if (taken !== undefined) observeFailure(dependencies.context, login, 'denied');
  return 'denied';
};

type Work = (visit: Visit) => Promise<PageError | undefined>;

const withLogin = async (
  { logins }: StartDependencies,
  { state, ...exchange }: Pick<Visit, 'request' | 'response'> & { state: string | undefined },
  work: Work,
): Promise<PageError | undefined> => {
  if (state === undefined) return 'incomplete';
  const login = await logins.get(state);
  return login === undefined ? 'expired' : work({ ...exchange, state, login });
};

/** Creates the route of the link that persons receive. */
export const createStartRoute = (dependencies: StartDependencies): Route =>
  pageRoute(dependencies.context.log, {
    GET: (request, response) => {
      const state = only(queryOf(request), 'state');
      const work: Work = (visit) => openLink(dependencies, visit);
      return withLogin(dependencies, { request, response, state }, work);
    },
    POST: async (request, response) => {
      const form = (await readForm(request)) ?? new URLSearchParams();
      const state = only(form, 'state');
      const work: Work = (visit) => decide(dependencies, visit, form);
      return withLogin(dependencies, { request, response, state }, work);
    },
  });
