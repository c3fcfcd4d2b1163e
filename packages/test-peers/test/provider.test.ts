import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signIn, createTestUser } from '../src/sign-in.ts';
import type { ProviderOptions } from '../src/provider/configuration.ts';
import { startProvider, type TestProvider } from '../src/provider.ts';

const CALLBACK = 'http://127.0.0.1:9/callback';
const RESOURCE = 'https://mcp.example.com/mcp';
const isEnd = (url: URL): boolean => url.href.startsWith(CALLBACK);

const start = async (options?: ProviderOptions): Promise<TestProvider> => {
  const provider = await startProvider(options);
  onTestFinished(provider.close);
  return provider;
};

const json = async (url: string, init?: RequestInit): Promise<Record<string, unknown>> => {
  const response = await fetch(url, init);
  return (await response.json()) as Record<string, unknown>;
};

const sendJson = (
  url: string,
  parameters: Record<string, string>,
): Promise<Record<string, unknown>> =>
  json(url, { method: 'POST', body: new URLSearchParams(parameters) });

const register = async (issuer: string): Promise<string> => {
  const client = await json(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [CALLBACK],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
    }),
  });
  return String(client['client_id']);
};

const authorization = (issuer: string, clientId: string, verifier: string, scope: string): string =>
  `${issuer}/auth?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope,
    state: 's',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: RESOURCE,
  }).toString()}`;

/** Signs in as alice and returns the tokens. */
const tokensOf = async (
  { issuer }: TestProvider,
  scope = 'openid email mcp',
): Promise<Record<string, unknown> & { clientId: string }> => {
  const clientId = await register(issuer);
  const verifier = randomBytes(32).toString('base64url');
  const page = await signIn(
    authorization(issuer, clientId, verifier, scope),
    createTestUser('alice'),
    {
      isEnd,
    },
  );
  const code = new URL(page.url).searchParams.get('code') ?? '';
  const tokens = await sendJson(`${issuer}/token`, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    resource: RESOURCE,
  });
  return { ...tokens, clientId };
};

const refresh = (issuer: string, clientId: string, token: unknown) =>
  sendJson(`${issuer}/token`, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: String(token),
  });

describe('startProvider', () => {
  it('signs a user in and issues a JWT for the resource', async () => {
    const provider = await start();
    const { access_token, id_token } = await tokensOf(provider);
    expect(decodeJwt(String(access_token))).toMatchObject({
      iss: provider.issuer,
      sub: 'alice',
      aud: RESOURCE,
      scope: 'openid email mcp',
    });
    expect(decodeJwt(String(id_token))).toMatchObject({
      sub: 'alice',
      email: 'alice@example.com',
    });
    expect(provider.count('/token', { grant_type: 'authorization_code' })).toBe(1);
  });

  it('rotates refresh tokens and revokes the family of one that is used twice', async () => {
    const provider = await start();
    const first = await tokensOf(provider);
    const second = await refresh(provider.issuer, first.clientId, first['refresh_token']);
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    const again = await refresh(provider.issuer, first.clientId, first['refresh_token']);
    expect(again['error']).toBe('invalid_grant');
    const family = await refresh(provider.issuer, first.clientId, second['refresh_token']);
    expect(family['error']).toBe('invalid_grant');
  });

  it('adds the audiences that scopes name to the ID token', async () => {
    const provider = await start({ audiences: ['kube'] });
    const tokens = await tokensOf(provider, 'openid audience:server:client_id:kube');
    expect(decodeJwt(String(tokens['id_token'])).aud).toEqual([tokens.clientId, 'kube']);
  });

  it('exchanges an ID token for a token of a resource, and refuses a forged one', async () => {
    const provider = await start();
    const { id_token, clientId } = await tokensOf(provider);
    const exchange = (token: string) =>
      sendJson(`${provider.issuer}/token`, {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id: clientId,
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        resource: RESOURCE,
        scope: 'mcp',
      });
    const exchanged = await exchange(String(id_token));
    expect(decodeJwt(String(exchanged['access_token']))).toMatchObject({
      sub: 'alice',
      aud: RESOURCE,
    });
    const forged = await exchange(`${String(id_token).slice(0, -8)}AAAAAAAA`);
    expect(forged['error']).toBe('invalid_grant');
  });

  it('has its metadata where RFC 8414 and OpenID say when the issuer has a path', async () => {
    const provider = await start({ path: '/tenant' });
    const origin = new URL(provider.issuer).origin;
    const oauth = await json(`${origin}/.well-known/oauth-authorization-server/tenant`);
    const openid = await json(`${provider.issuer}/.well-known/openid-configuration`);
    expect(oauth['issuer']).toBe(provider.issuer);
    expect(openid['token_endpoint']).toBe(`${provider.issuer}/token`);
    expect((await tokensOf(provider))['access_token']).toBeTypeOf('string');
  });

  it('takes a client ID metadata document from where the test serves it', async () => {
    const clientId = 'https://client.test/client.json';
    const server = await startDocument({
      client_id: clientId,
      client_name: 'A client',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    });
    const provider = await start({ documentHosts: { 'https://client.test': server } });
    const url = authorization(provider.issuer, clientId, 'v'.repeat(43), 'openid');
    const page = await signIn(url, createTestUser('alice'), { isEnd });
    expect(new URL(page.url).searchParams.get('code')).toBeTypeOf('string');
  });

  it('ends everything of a user, and signs with a new key', async () => {
    const provider = await start();
    const { clientId, refresh_token } = await tokensOf(provider);
    provider.revokeUser('alice');
    const refused = await refresh(provider.issuer, clientId, refresh_token);
    expect(refused['error']).toBe('invalid_grant');
    await provider.rotateKeys({ keepsOld: false });
    const keys = (await json(`${provider.issuer}/jwks`))['keys'] as { kid: string }[];
    expect(keys.map(({ kid }) => kid)).not.toContain('first');
    expect(keys).toHaveLength(1);
  });

  it('fails the requests that a rule selects', async () => {
    const provider = await start();
    provider.setFault(({ path }) => (path === '/token' ? { status: 503, body: '{}' } : undefined));
    expect((await fetch(`${provider.issuer}/token`, { method: 'POST' })).status).toBe(503);
    expect((await fetch(`${provider.issuer}/jwks`)).status).toBe(200);
  });
});

describe('a provider with TLS', () => {
  it('has an https issuer whose certificate this process trusts', async () => {
    const { issuer } = await start({ tls: true });
    expect(issuer).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/u);
    const response = await fetch(`${issuer}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({ issuer, jwks_uri: `${issuer}/jwks` });
  });
});

describe('signIn', () => {
  it('ends on the page that refuses a password', async () => {
    const provider = await start({ users: [{ name: 'alice', password: 'correct' }] });
    const clientId = await register(provider.issuer);
    const url = authorization(provider.issuer, clientId, 'v'.repeat(43), 'openid');
    const page = await signIn(url, { name: 'alice', password: 'wrong' }, { isEnd });
    expect(page.status).toBe(401);
    expect(page.text).toContain('Wrong name or password.');
  });

  it('refuses consent', async () => {
    const provider = await start();
    const clientId = await register(provider.issuer);
    const url = authorization(provider.issuer, clientId, 'v'.repeat(43), 'openid');
    const page = await signIn(url, createTestUser('alice'), { isEnd, consent: 'deny' });
    expect(new URL(page.url).searchParams.get('error')).toBe('access_denied');
    expect(new URL(page.url).searchParams.get('iss')).toBe(provider.issuer);
  });
});

const startDocument = async (document: object): Promise<string> => {
  const { listen } = await import('../src/http.ts');
  const server = await listen();
  server.serve((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(document));
  });
  onTestFinished(server.close);
  return server.origin;
};
