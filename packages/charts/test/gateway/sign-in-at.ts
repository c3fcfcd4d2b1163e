import { createHash, randomBytes } from 'node:crypto';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';

/** Where the command line of the gateway waits for the browser; a browser of a test stops there. */
const REDIRECT = 'http://127.0.0.1:7/callback';

/** The client of the gateway at the provider, registered with the secret. */
export const upstreamClient = (base: string, secret: string) => ({
  client_id: 'gateway',
  client_secret: secret,
  redirect_uris: [`${base}/oauth/upstream/callback`],
  grant_types: ['authorization_code', 'refresh_token'],
});

/** Signs a user in as a client of the gateway does, and returns the access token. */
export async function accessTokenAt(base: string, name: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL(`${base}/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id: 'gateway-cli',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'mcp:read',
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${base}/mcp`,
  }).toString();
  const browser = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(REDIRECT) });
  const page = await signIn(url, createTestUser(name), { browser });
  const code = new URL(page.url).searchParams.get('code');
  if (code === null) throw new Error(`no code: ${page.status.toString()} ${page.url} ${page.text}`);
  const response = await fetch(`${base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'gateway-cli',
      redirect_uri: REDIRECT,
      code,
      code_verifier: verifier,
    }),
  });
  const { access_token } = (await response.json()) as { readonly access_token?: string };
  return access_token ?? '';
}

/** The status of a ping with a token. */
export async function statusWith(base: string, token: string): Promise<number> {
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  return response.status;
}
