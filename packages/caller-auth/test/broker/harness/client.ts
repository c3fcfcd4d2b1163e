import { createHash, randomBytes } from 'node:crypto';
import { CookieBrowser, signIn, createTestUser, type VisitedPage } from '@gateway/test-peers';
import { createPrincipal } from '@gateway/call-contract';
import { onTestFinished } from 'vitest';
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';

/** Where requests go. */
export type Target = Pick<TestGateway, 'url'>;

/** Redirect URI of the command line: nothing listens there, the browser of a test stops at it. */
export const REDIRECT = 'http://127.0.0.1:7/callback';

/** An authorization request and what belongs to it. */
export interface StartedRequest {
  readonly url: URL;
  readonly verifier: string;
}

/** Returns an authorization request of the command line; parameters that are undefined are left out. */
export const authorizationRequest = (
  gateway: Pick<TestGateway, 'url' | 'resource'>,
  changes: Readonly<Record<string, string | undefined>> = {},
): StartedRequest => {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL(`${gateway.url}/oauth/authorize`);
  const parameters: Readonly<Record<string, string | undefined>> = {
    client_id: 'gateway-cli',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'mcp:read',
    state: 'the state of the client',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: gateway.resource,
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return { url, verifier };
};

/** A browser that stops at the redirect URI of a client. */
export const clientBrowser = (redirect = REDIRECT): CookieBrowser =>
  new CookieBrowser({ isEnd: (url) => url.href.startsWith(redirect) });

/** The answer of an endpoint. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a form to an endpoint of the gateway. */
export const post = async (
  gateway: Target,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: new URLSearchParams(fields),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
};

/** Exchanges a code. */
export const exchange = (
  gateway: Target,
  code: string,
  verifier: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  post(gateway, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: 'gateway-cli',
    redirect_uri: REDIRECT,
    code,
    code_verifier: verifier,
    ...changes,
  });

/** Uses a refresh token. */
export const refresh = (gateway: Target, token: unknown): Promise<Answer> =>
  post(gateway, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: 'gateway-cli',
    refresh_token: String(token),
  });

/** Returns the parameters that a page sent to the redirect URI of a client. */
export const redirected = (page: VisitedPage): URLSearchParams => new URL(page.url).searchParams;

/** The first form of a page. */
export const findForm = ({ forms: [form], status, text }: VisitedPage) => {
  if (form === undefined) throw new Error(`${status} ${text}`);
  return form;
};

/** Submits the first form of a page by its first button. */
export const submitForm = (
  browser: CookieBrowser,
  page: VisitedPage,
  fields: Readonly<Record<string, string>> = {},
): Promise<VisitedPage> => {
  const form = findForm(page);
  return browser.submit(page, form, fields, form.buttons[0]);
};

/** Fills in the forms of a sign-in until a page is reached. */
export const continueUntil = async (
  isReached: (page: VisitedPage) => boolean,
  browser: CookieBrowser,
  first: VisitedPage,
  name = 'alice',
): Promise<VisitedPage> => {
  let page = first;
  while (!isReached(page)) {
    const isLogin = findForm(page).fields.has('login');
    page = await submitForm(browser, page, isLogin ? { login: name, password: 'password' } : {});
  }
  return page;
};

export const isConsent = ({ text }: VisitedPage): boolean => text.includes('to use this gateway?');

type Changes = Readonly<Record<string, string | undefined>>;

/** Signs a user in for a client, up to the redirect URI. */
export const authorize = async (
  gateway: Pick<TestGateway, 'url' | 'resource'>,
  name = 'alice',
  changes: Changes = {},
  browser = clientBrowser(changes['redirect_uri']),
) => {
  const { url, verifier } = authorizationRequest(gateway, changes);
  const page = await signIn(url, createTestUser(name), { browser });
  const parameters = redirected(page);
  return { browser, page, verifier, parameters, code: parameters.get('code') };
};

/** Signs a user in for a client, the command line unless it is given, and returns the answer of the token endpoint. */
export const signInAs = async (
  gateway: Pick<TestGateway, 'url' | 'resource'>,
  name?: string,
  changes: Changes = {},
  browser?: CookieBrowser,
): Promise<Answer> => {
  const { code, page, verifier } = await authorize(gateway, name, changes, browser);
  if (code === null) throw new Error(`no code: ${page.status} ${page.url} ${page.text}`);
  const { client_id = 'gateway-cli', redirect_uri = REDIRECT } = changes;
  return exchange(gateway, code, verifier, { client_id, redirect_uri });
};

/** Registers a client. */
const register = ({ url }: Target, metadata: object): Promise<Response> =>
  fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });

/** A client of a gateway. */
export const connect = (gateway: TestGateway) => {
  const { broker, provider } = gateway;
  const verify = (token: unknown) => broker.verifier.verify(String(token));
  return {
    ...gateway,
    request: (changes?: Changes) => authorizationRequest(gateway, changes),
    authorize: (name?: string, changes?: Changes, browser?: CookieBrowser) =>
      authorize(gateway, name, changes, browser),
    signInAs: (name?: string, changes?: Changes, browser?: CookieBrowser) =>
      signInAs(gateway, name, changes, browser),
    refresh: (token: unknown) => refresh(gateway, token),
    post: (path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
      post(gateway, path, fields, headers),
    exchange: (code: string | null, verifier: string, changes?: Record<string, string>) =>
      exchange(gateway, code ?? '', verifier, changes),
    register: (metadata: object) => register(gateway, metadata),
    verify,
    isActive: async (token: unknown): Promise<boolean> => (await verify(token)).ok,
    /** Returns the ID token of a user at the provider. */
    findIdToken: (subject: string, ...audiences: string[]) => {
      const user = createPrincipal({ issuer: provider.issuer, subject });
      return broker.idTokens.idToken(user, { audiences });
    },
  };
};

export type ConnectedGateway = ReturnType<typeof connect>;

/** Starts a gateway until the test is over. */
export const start = async (options?: TestGatewayOptions): Promise<ConnectedGateway> => {
  const gateway = await startGateway(options);
  onTestFinished(gateway.close);
  return connect(gateway);
};

/** A clock that a test sets forward. The library has a clock of its own, so steps are shorter than its lifetimes. */
export const createClock = () => {
  let ahead = 0;
  return {
    now: (): number => Date.now() + ahead,
    step: (minutes: number): number => (ahead += minutes * 60_000),
  };
};
