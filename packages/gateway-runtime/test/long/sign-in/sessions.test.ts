import { createHash, randomBytes } from 'node:crypto';
import {
  CookieBrowser,
  signIn,
  startProvider,
  createTestUser,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSignInGateway, type SignInGateway } from '../../sign-in/gateway-harness.ts';
import { openSession } from '../../sign-in/open-stream.ts';

const RESOURCE = 'https://gateway.test/mcp';
const REDIRECT = 'http://127.0.0.1:7/callback';

let provider: TestProvider;
let gateway: SignInGateway;

beforeAll(async () => {
  provider = await startProvider({
    clients: [
      {
        client_id: 'agent',
        token_endpoint_auth_method: 'none',
        redirect_uris: [REDIRECT],
        application_type: 'native',
      },
    ],
  });
  gateway = await startSignInGateway({
    servers: {},
    config: {
      http: { publicUrl: 'https://gateway.test' },
      auth: { mode: 'resource-server', issuers: [{ issuer: provider.issuer }] },
    },
  });
});

afterAll(async () => {
  await gateway.close();
  await provider.close();
});

/** Signs a user in at the provider and returns the access token for the gateway. */
const tokenOf = async (user: string): Promise<string> => {
  const verifier = randomBytes(32).toString('base64url');
  const link = new URL(`${provider.issuer}/auth`);
  link.search = new URLSearchParams({
    client_id: 'agent',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid mcp:read',
    resource: RESOURCE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const browser = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(REDIRECT) });
  const page = await signIn(link, createTestUser(user), { browser });
  const response = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'agent',
      redirect_uri: REDIRECT,
      code: new URL(page.url).searchParams.get('code') ?? '',
      code_verifier: verifier,
      resource: RESOURCE,
    }),
  });
  const { access_token: token = '' } = (await response.json()) as { access_token?: string };
  return token;
};

const request = (token: string, session: string, method: 'POST' | 'GET' | 'DELETE') =>
  fetch(new URL('/mcp', gateway.gateway.url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
    },
    ...(method === 'POST' && {
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
    }),
  });

describe('the session of a user who signed in at the provider', () => {
  it('is not found with the token of another user, and still serves its own', async () => {
    const [ada, ben] = [await tokenOf('ada'), await tokenOf('ben')];
    const { session, close } = await openSession(gateway, ada);
    expect(session).not.toBe('');
    for (const method of ['POST', 'GET', 'DELETE'] as const) {
      const refused = await request(ben, session, method);
      expect([method, refused.status]).toEqual([method, 404]);
      await refused.body?.cancel();
    }
    const own = await request(ada, session, 'POST');
    expect([own.status, await own.text()]).toEqual([200, expect.stringContaining('call_tool')]);
    close();
  });

  it('serves the user with a later token too', async () => {
    const [first, second] = [await tokenOf('ada'), await tokenOf('ada')];
    expect(first).not.toBe(second);
    const { session, close } = await openSession(gateway, first);
    const own = await request(second, session, 'POST');
    expect(own.status).toBe(200);
    await own.body?.cancel();
    close();
  });
});
