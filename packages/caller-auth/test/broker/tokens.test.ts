import { CookieBrowser } from '@gateway/test-peers';
import { createMemoryStore, StateStoreError } from '@gateway/state-store';
import { describe, expect, it } from 'vitest';
import {
  clientBrowser,
  continueUntil,
  createClock,
  findForm,
  redirected,
  start,
  submitForm,
  type ConnectedGateway,
} from './harness/client.ts';

const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } };
const SIGNED_OUT = { ok: false, code: 'signed-out' };
const SHORT = { idTokenSeconds: 600 };

const countRefreshes = ({ provider }: ConnectedGateway): number =>
  provider.count('/token', { grant_type: 'refresh_token' });

describe('the endpoints of tokens', () => {
  it('are named by the metadata of OAuth and of OpenID Connect, whatever the headers of a proxy or of a client say', async () => {
    const { url } = await start();
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const [oauth, openid] = await Promise.all(
      ['oauth-authorization-server', 'openid-configuration'].map(async (name) => {
        const response = await fetch(`${url}/.well-known/${name}`, { headers });
        return (await response.json()) as Record<string, unknown>;
      }),
    );
    expect(oauth).toEqual(openid);
    expect(JSON.stringify(oauth)).not.toContain('evil.example');
    expect(oauth).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      introspection_endpoint: `${url}/oauth/introspect`,
      device_authorization_endpoint: `${url}/oauth/device_authorization`,
      jwks_uri: `${url}/oauth/jwks`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      scopes_supported: ['openid', 'offline_access', 'mcp:read', 'mcp:admin'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      gateway_command_line_client: 'gateway-cli',
    });
  });

  it('introspect and revoke a token for its client', async () => {
    const { signInAs, post, isActive, resource } = await start();
    const { body } = await signInAs();
    const form = { client_id: 'gateway-cli', token: String(body['access_token']) };
    const active = { active: true, scope: 'mcp:read', aud: resource, client_id: 'gateway-cli' };
    expect(await post('/oauth/introspect', form)).toMatchObject({ status: 200, body: active });
    expect((await post('/oauth/revoke', form)).status).toBe(200);
    expect(await isActive(body['access_token'])).toBe(false);
    expect(await post('/oauth/introspect', form)).toMatchObject({ body: { active: false } });
  });

  it('end the whole sign-in of a client with its refresh token', async () => {
    const { signInAs, post, isActive } = await start();
    const { body } = await signInAs();
    const form = { client_id: 'gateway-cli', token: String(body['refresh_token']) };
    expect((await post('/oauth/revoke', form)).status).toBe(200);
    expect(await isActive(body['access_token'])).toBe(false);
  });
});

describe('the scope mcp:admin', () => {
  const users = [
    { name: 'root', password: 'password', groups: ['admins'] },
    { name: 'user', password: 'password', groups: ['staff'] },
  ];
  const asked = { scope: 'mcp:read mcp:admin' };

  it('is for members of the groups that administer the gateway, and named as withheld on the consent page of others', async () => {
    const { signInAs, request } = await start({ provider: { users } });
    expect((await signInAs('root', asked)).body['scope']).toBe('mcp:read mcp:admin');
    const browser = clientBrowser();
    expect((await signInAs('user', asked, browser)).body['scope']).toBe('mcp:read');
    const { text } = await browser.open(request(asked).url);
    expect(text).toContain('It also asked for administration, which your groups do not permit.');
    expect(text).not.toContain('change the gateway');
  });

  it('is not given to a client that does not ask for it, or when the user unchecks it, also by an administrator', async () => {
    const { signInAs, request, exchange, verify } = await start({ provider: { users } });
    const browser = clientBrowser();
    const { body } = await signInAs('root', { scope: 'mcp:read' }, browser);
    expect(body['scope']).toBe('mcp:read');
    expect(await verify(body['access_token'])).toMatchObject({
      principal: { groups: ['admins'], scopes: ['mcp:read'] },
    });
    const { url, verifier } = request(asked);
    const page = await browser.open(url);
    expect(page.text).toContain('<input type="checkbox" checked name="mcp:admin">');
    const form = findForm(page);
    const fields = new Map([...form.fields].filter(([name]) => name !== 'mcp:admin'));
    const end = await browser.submit(page, { ...form, fields }, {}, form.buttons[0]);
    const narrowed = await exchange(redirected(end).get('code'), verifier);
    expect(narrowed.body['scope']).toBe('mcp:read');
  });

  it('is lost at the refresh after the provider removed the user from the group', async () => {
    const clock = createClock();
    const admins = [{ name: 'root', password: 'password', groups: ['admins'] }];
    const gateway = await start({ now: clock.now, provider: { users: admins } });
    const { body } = await gateway.signInAs('root', asked);
    const scopesOf = async (token: unknown) => {
      const outcome = await gateway.verify(token);
      return outcome.ok ? outcome.principal.scopes : outcome.code;
    };
    expect(await scopesOf(body['access_token'])).toEqual(['mcp:read', 'mcp:admin']);
    admins[0] = { name: 'root', password: 'password', groups: ['staff'] };
    clock.step(1);
    const renewed = await gateway.refresh(body['refresh_token']);
    expect(await scopesOf(renewed.body['access_token'])).toEqual(['mcp:read']);
    expect(await scopesOf(body['access_token'])).not.toContain('mcp:admin');
  });
});

describe('ID tokens of the provider', () => {
  it('have the audiences that servers required at the sign-in, and are missing for users who never signed in', async () => {
    let audiences: readonly string[] = ['kubernetes'];
    const { signInAs, findIdToken } = await start({ requiredAudiences: () => audiences });
    await signInAs();
    expect(await findIdToken('alice', 'kubernetes')).toMatchObject({ ok: true });
    const missing = { ok: false, code: 'audience-missing', audience: 'other' };
    expect(await findIdToken('alice', 'other')).toEqual(missing);
    audiences = ['kubernetes', 'other'];
    await signInAs();
    expect(await findIdToken('alice', 'other')).toMatchObject({ ok: true });
    expect(await findIdToken('x')).toEqual(SIGNED_OUT);
  });

  it('are refreshed once for 100 calls when less than five minutes are left', async () => {
    const clock = createClock();
    const gateway = await start({ now: clock.now, provider: SHORT });
    await gateway.signInAs();
    clock.step(6);
    const calls = Array.from({ length: 100 }, () => gateway.findIdToken('alice'));
    const tokens = await Promise.all(calls);
    expect(countRefreshes(gateway)).toBe(1);
    expect(new Set(tokens.map((token) => JSON.stringify(token))).size).toBe(1);
    expect(tokens[0]).toMatchObject({ ok: true });
  });

  it('end once when the provider revokes the sign-in, without further requests, and with them the tokens of clients', async () => {
    const clock = createClock();
    const gateway = await start({ now: clock.now, provider: SHORT });
    const { body } = await gateway.signInAs();
    gateway.provider.revokeUser('alice');
    clock.step(11);
    expect(await gateway.isActive(body['access_token'])).toBe(true);
    for (let time = 0; time < 5; time += 1)
      expect(await gateway.findIdToken('alice')).toEqual(SIGNED_OUT);
    expect(await gateway.verify(body['access_token'])).toEqual({ ok: false, code: 'inactive' });
    expect(countRefreshes(gateway)).toBe(1);
    expect(await gateway.refresh(body['refresh_token'])).toMatchObject(INVALID_GRANT);
    expect(countRefreshes(gateway)).toBe(1);
  });

  it('stay valid while the provider is away', async () => {
    const clock = createClock();
    const gateway = await start({ now: clock.now, provider: SHORT });
    const { body } = await gateway.signInAs();
    await gateway.provider.close();
    clock.step(7);
    expect(await gateway.findIdToken('alice')).toMatchObject({ ok: true });
    clock.step(5);
    expect(await gateway.findIdToken('alice')).toEqual({ ok: false, code: 'unavailable' });
    expect((await gateway.refresh(body['refresh_token'])).status).toBe(200);
  });
});

describe('tokens of a client', () => {
  it('end at the next refresh after the provider revoked the sign-in', async () => {
    const clock = createClock();
    const { provider, refresh, signInAs } = await start({ now: clock.now });
    const still = await refresh((await signInAs()).body['refresh_token']);
    expect(still.status).toBe(200);
    provider.revokeUser('alice');
    clock.step(1);
    expect(await refresh(still.body['refresh_token'])).toMatchObject(INVALID_GRANT);
  });

  it.each([
    ['gives no refresh token', { refreshTokens: 'never' }],
    ['is away', {}],
  ] as const)('continue for a limited time when the provider %s', async (title, provider) => {
    const clock = createClock();
    const settings = { sessionSeconds: 600 };
    const gateway = await start({ now: clock.now, provider, settings });
    const { body } = await gateway.signInAs();
    if (title === 'is away') await gateway.provider.close();
    clock.step(9);
    const renewed = await gateway.refresh(body['refresh_token']);
    expect(renewed.status).toBe(200);
    clock.step(2);
    expect(await gateway.refresh(renewed.body['refresh_token'])).toMatchObject(INVALID_GRANT);
  });

  it('end when the user signs out of the gateway', async () => {
    const { url, signInAs, refresh, isActive, findIdToken } = await start();
    const browser = clientBrowser();
    const { body } = await signInAs('alice', {}, browser);
    const page = await browser.open(`${url}/oauth/logout`);
    expect(page.text).toContain('alice@example.com');
    expect((await submitForm(browser, page, { token: 'x' })).status).toBe(400);
    expect(await isActive(body['access_token'])).toBe(true);
    const { text } = await submitForm(browser, page);
    expect(text).toContain('You are signed out of this gateway.');
    expect(await isActive(body['access_token'])).toBe(false);
    expect((await refresh(body['refresh_token'])).status).toBe(400);
    expect(await findIdToken('alice')).toMatchObject({ ok: false });
  });
});

describe('a device', () => {
  it('is signed in by a user who confirms its code', async () => {
    const { url, resource, post, isActive } = await start();
    const asked = { client_id: 'gateway-cli', scope: 'mcp:read', resource };
    const { status, body } = await post('/oauth/device_authorization', asked);
    expect([status, body['verification_uri']]).toEqual([200, `${url}/oauth/device`]);
    const poll = () =>
      post('/oauth/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'gateway-cli',
        device_code: String(body['device_code']),
      });
    expect(await poll()).toMatchObject({ body: { error: 'authorization_pending' } });
    const browser = new CookieBrowser();
    const page = await browser.open(String(body['verification_uri_complete']));
    expect(page.text).toContain('Code that the device shows');
    expect(page.text).not.toContain('<script');
    const confirmation = await submitForm(browser, page);
    expect(confirmation.text).toContain(String(body['user_code']));
    const isDone = ({ text }: typeof page): boolean => text.includes('The device is signed in.');
    await continueUntil(isDone, browser, await submitForm(browser, confirmation));
    const tokens = await poll();
    expect(tokens).toMatchObject({ status: 200, body: { scope: 'mcp:read' } });
    expect(await isActive(tokens.body['access_token'])).toBe(true);
    expect((await poll()).status).toBe(400);
  });

  it('is not signed in with a code that does not exist', async () => {
    const { url } = await start();
    const browser = new CookieBrowser();
    const page = await browser.open(`${url}/oauth/device`);
    const { status, text } = await submitForm(browser, page, { user_code: 'AAAA-AAAA' });
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('The code is not valid or has expired.'),
    ]);
  });
});

it('keeps its keys in the store, so that another process continues a sign-in', async () => {
  const { store, url } = await start();
  const other = await start({ store });
  const jwks = async (at: string): Promise<unknown> => (await fetch(`${at}/oauth/jwks`)).json();
  expect(await jwks(other.url)).toEqual(await jwks(url));
});

it('answers 503 when the provider is away', async () => {
  const { provider, request, failures } = await start();
  await provider.close();
  const page = await clientBrowser().open(request().url);
  expect(page.status).toBe(503);
  expect(page.text).toContain('The provider that signs you in cannot be reached.');
  expect(failures.join('\n')).toContain('unavailable');
  expect(redirected(page).get('code')).toBeNull();
});

it('answers with a temporary error while the store is away, and recovers', async () => {
  const memory = createMemoryStore();
  let isAway = false;
  const store = new Proxy(memory, {
    get: (target, name) => {
      if (isAway)
        return () => Promise.reject(new StateStoreError('unavailable', 'The store is away.'));
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const { signInAs, refresh, verify } = await start({ store });
  const { body } = await signInAs();
  isAway = true;
  const error_description = 'The state of sign-ins cannot be read or written. Try again later.';
  expect(await refresh(body['refresh_token'])).toEqual({
    status: 503,
    body: { error: 'temporarily_unavailable', error_description },
  });
  expect(await verify(body['access_token'])).toEqual({ ok: false, code: 'unavailable' });
  isAway = false;
  expect((await refresh(body['refresh_token'])).status).toBe(200);
});
