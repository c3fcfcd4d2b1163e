import { createTestUser, signIn } from '@gateway/test-peers';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { CallerSignInFact } from '../../src/index.ts';
import { clientBrowser, REDIRECT, start, submitForm } from './harness/client.ts';

describe('a user who signs in', () => {
  it.each(['a-b.c_d:e%f+g h', "~!*'()/?&="])(
    'is signed in where the secret of the gateway at the provider is %s',
    async (clientSecret) => {
      expect((await (await start({ clientSecret })).signInAs()).status).toBe(200);
    },
  );

  it('allows a client, which gets an opaque token for the gateway, and new ones as long as the provider confirms the sign-in', async () => {
    const { signInAs, refresh, verify, provider } = await start();
    const { status, body } = await signInAs();
    const issued = { token_type: 'Bearer', scope: 'mcp:read', expires_in: 3600 };
    expect([status, body]).toMatchObject([200, issued]);
    expect(body['access_token']).toMatch(/^[\w-]{43}$/u);
    const facts = { email: 'alice@example.com', groups: ['staff'], scopes: ['mcp:read'] };
    const principal = { subject: 'alice', issuer: provider.issuer, ...facts };
    expect(await verify(body['access_token'])).toMatchObject({ ok: true, principal });
    const second = await refresh(body['refresh_token']);
    expect(second.status).toBe(200);
    for (const token of ['access_token', 'refresh_token'])
      expect(second.body[token]).not.toBe(body[token]);
  });

  it('is sent back with the issuer of the gateway and the state of the client, or their refusal', async () => {
    const { url, authorize, request } = await start();
    const { page, parameters } = await authorize();
    expect(page.url.startsWith(REDIRECT)).toBe(true);
    expect(Object.fromEntries(parameters)).toMatchObject({
      iss: url,
      state: 'the state of the client',
    });
    const asked = request({ scope: 'mcp:read offline_access', prompt: 'consent' }).url;
    const browser = clientBrowser();
    const denied = await signIn(asked, createTestUser('alice'), { consent: 'deny', browser });
    expect(new URL(denied.url).searchParams.get('error')).toBe('access_denied');
  });
});

describe('a client that asks for another sign-in', () => {
  const LISTED = { metadataFields: { prompt_values_supported: ['none', 'login', 'consent'] } };

  /** The prompts that the provider received. */
  const listPrompts = (visited: readonly string[]): readonly (string | null)[] =>
    visited
      .filter((at) => new URL(at).pathname === '/auth')
      .map((at) => new URL(at).searchParams.get('prompt'));

  it.each(['login', 'select_account', 'login select_account consent'])(
    'with prompt=%s lets the user sign in at the provider again',
    async (prompt) => {
      const { authorize, exchange, verify } = await start({ provider: LISTED });
      const first = await authorize();
      expect(first.code).not.toBeNull();
      const { page, code, verifier } = await authorize('alice', { prompt }, first.browser);
      expect(listPrompts(page.visited)).toEqual(['login']);
      const { body } = await exchange(code, verifier);
      const principal = { subject: 'alice' };
      expect(await verify(body['access_token'])).toMatchObject({ ok: true, principal });
    },
  );

  it('sends prompt=select_account to a provider that may know it', async () => {
    const { page } = await (await start()).authorize('alice', { prompt: 'select_account' });
    expect(listPrompts(page.visited)[0]).toBe('select_account');
  });
});

it.each([
  ['gateway-cli', { email: 'alice@example.com' }],
  ['agent', { email: 'alice@example.com' }],
  ['registered', { email: undefined, name: undefined }],
])('the ID token for %s states %o of the user', async (client_id, facts) => {
  const redirect_uri = 'http://127.0.0.1/callback';
  const clients = [{ clientId: 'agent', redirectUris: [redirect_uri] }];
  const { signInAs, register } = await start({
    settings: { clients, registration: { enabled: true } },
  });
  const metadata = { redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' };
  const { client_id: registered } = (await (await register(metadata)).json()) as {
    readonly client_id: string;
  };
  const { body } = await signInAs('alice', {
    ...{ redirect_uri, scope: 'openid mcp:read' },
    client_id: client_id === 'registered' ? registered : client_id,
  });
  const { sub, email, name } = decodeJwt(String(body['id_token']));
  expect(sub).toMatch(/^[\w-]{43}$/u);
  expect({ email, name }).toMatchObject(facts);
});

/** A gateway whose facts of sign-ins are collected. */
const startObserved = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const facts: CallerSignInFact[] = [];
  const gateway = await start({ settings, observe: (fact) => void facts.push(fact) });
  const user = { subject: 'alice', issuer: gateway.provider.issuer };
  return { ...gateway, facts, user };
};

describe('the facts of sign-ins at the gateway', () => {
  it('are the sign-in, the consent for the client, and the sign-out, once each', async () => {
    const { url, signInAs, facts, user } = await startObserved();
    const browser = clientBrowser();
    await signInAs('alice', {}, browser);
    expect(facts).toEqual([
      { code: 'signed-in', ...user },
      { code: 'consent-given', ...user, client: 'gateway-cli' },
    ]);
    const { text } = await submitForm(browser, await browser.open(`${url}/oauth/logout`));
    expect(text).toContain('You are signed out of this gateway.');
    expect(facts.slice(2)).toEqual([{ code: 'signed-out', ...user }]);
  });

  it('have a refused consent', async () => {
    const { request, signInAs, facts, user } = await startObserved();
    const browser = clientBrowser();
    await signInAs('alice', {}, browser);
    // The browser is signed in, so that only the gateway asks for consent.
    const { url } = request({ prompt: 'consent' });
    await signIn(url, createTestUser('alice'), { consent: 'deny', browser });
    expect(facts.slice(2)).toEqual([{ code: 'consent-refused', ...user, client: 'gateway-cli' }]);
  });

  it('have a client that registered itself', async () => {
    const { register, facts } = await startObserved({ registration: { enabled: true } });
    const response = await register({
      redirect_uris: ['http://127.0.0.1/callback'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    });
    const { client_id: client } = (await response.json()) as { readonly client_id: string };
    expect(facts).toEqual([{ code: 'client-registered', client }]);
  });
});

describe('a provider that is away', () => {
  const away = { code: 'provider-unavailable' };
  const failed = { code: 'sign-in-failed', problem: 'unavailable' };

  it('is a fact once in each outage, also when it answers without JSON', async () => {
    const { authorize, provider, signInAs, facts } = await startObserved();
    const fault = { status: 503, body: '<p>Service Unavailable</p>' };
    provider.setFault(({ path }) => (path === '/token' ? fault : undefined));
    for (let count = 0; count < 3; count += 1) await authorize();
    expect(facts).toEqual([away, failed, failed, failed]);
    provider.setFault(undefined);
    await signInAs();
    provider.setFault(({ path }) => (path === '/token' ? 'reset' : undefined));
    await authorize();
    const [signedIn, consent, ...rest] = facts.slice(4);
    expect([signedIn?.code, consent?.code]).toEqual(['signed-in', 'consent-given']);
    expect(rest).toEqual([away, failed]);
  });

  it('is not a provider that refuses a request', async () => {
    const { authorize, provider, facts } = await startObserved();
    const fault = { status: 400, body: '<p>Bad Request</p>' };
    provider.setFault(({ path }) => (path === '/token' ? fault : undefined));
    await authorize();
    expect(facts).toEqual([{ code: 'sign-in-failed', problem: 'invalid' }]);
  });
});
