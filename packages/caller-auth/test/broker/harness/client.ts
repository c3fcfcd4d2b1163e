import { createHash, randomBytes } from 'node:crypto';
import { CookieBrowser, signIn, createTestUser, type VisitedPage } from '@gateway/test-peers';
import type { TestGateway } from './gateway.ts';

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

/** Signs a user in for the command line and returns the answer of the token endpoint. */
export const signInAs = async (
  gateway: TestGateway,
  name: string,
  changes: Readonly<Record<string, string | undefined>> = {},
  browser = clientBrowser(),
): Promise<Answer> => {
  const { url, verifier } = authorizationRequest(gateway, changes);
  const page = await signIn(url, createTestUser(name), { browser });
  const code = redirected(page).get('code');
  if (code === null) throw new Error(`no code: ${page.status} ${page.url} ${page.text}`);
  return exchange(gateway, code, verifier);
};
