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
  const url = authorization(issuer, clientId, verifier, scope);
  const page = await signIn(url, createTestUser('alice'), { isEnd });
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
    const claims = decodeJwt(String(exchanged['access_token']));
    expect(claims).toMatchObject({ sub: 'alice', aud: RESOURCE });
    const forged = await exchange(`${String(id_token).slice(0, -8)}AAAAAAAA`);
    expect(forged['error']).toBe('invalid_grant');
  });

  it('ends everything of a user, revokes the family of a refresh token that is used twice, and signs with a new key', async () => {
    const provider = await start();
    const first = await tokensOf(provider);
    const refreshWith = (token: unknown) => refresh(provider.issuer, first.clientId, token);
    const second = await refreshWith(first['refresh_token']);
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    for (const token of [first['refresh_token'], second['refresh_token']])
      expect(await refreshWith(token)).toMatchObject({ error: 'invalid_grant' });
    const other = await tokensOf(provider);
    provider.revokeUser('alice');
    const refused = await refresh(provider.issuer, other.clientId, other['refresh_token']);
    expect(refused['error']).toBe('invalid_grant');
    await provider.rotateKeys({ keepsOld: false });
    const keys = (await json(`${provider.issuer}/jwks`))['keys'] as { kid: string }[];
    expect(keys.map(({ kid }) => kid)).toEqual([expect.not.stringMatching(/^first$/u)]);
  });

  it('fails the requests that a rule selects', async () => {
    const provider = await start();
    provider.setFault(({ path }) => (path === '/token' ? { status: 503, body: '{}' } : undefined));
    expect((await fetch(`${provider.issuer}/token`, { method: 'POST' })).status).toBe(503);
    expect((await fetch(`${provider.issuer}/jwks`)).status).toBe(200);
  });
});

it('signIn ends on the page that refuses a password', async () => {
  const provider = await start({ users: [{ name: 'alice', password: 'correct' }] });
  const clientId = await register(provider.issuer);
  const url = authorization(provider.issuer, clientId, 'v'.repeat(43), 'openid');
  const page = await signIn(url, { name: 'alice', password: 'wrong' }, { isEnd });
  expect(page.status).toBe(401);
  expect(page.text).toContain('Wrong name or password.');
});
