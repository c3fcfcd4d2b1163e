import { createHash, randomBytes } from 'node:crypto';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';

/** Redirect URI of the command line: nothing listens there, the browser of a test stops at it. */
export const REDIRECT = 'http://127.0.0.1:7/callback';
const CLIENT = 'gateway-cli';

/** A browser that ends at the redirect URI of the command line. */
export const clientBrowser = (): CookieBrowser =>
  new CookieBrowser({ isEnd: ({ href }) => href.startsWith(REDIRECT) });

/** Signs a user in at a gateway in mode `broker` with a browser and returns the access token. */
export const brokerToken = async (
  gateway: URL,
  user: string,
  browser = clientBrowser(),
): Promise<string> => {
  const verifier = randomBytes(32).toString('base64url');
  const link = new URL('/oauth/authorize', gateway);
  link.search = new URLSearchParams({
    client_id: CLIENT,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'mcp:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: new URL('/mcp', gateway).href,
  }).toString();
  const page = await signIn(link, createTestUser(user), { browser });
  const response = await fetch(new URL('/oauth/token', gateway), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT,
      redirect_uri: REDIRECT,
      code: new URL(page.url).searchParams.get('code') ?? '',
      code_verifier: verifier,
    }),
  });
  const { access_token: token } = (await response.json()) as { readonly access_token?: string };
  if (token === undefined) throw new Error(`no token: ${String(response.status)} ${page.url}`);
  return token;
};
