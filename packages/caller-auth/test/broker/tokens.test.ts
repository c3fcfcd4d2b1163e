import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { createPrincipal, type Principal } from '@gateway/call-contract';
import { createMemoryStore, StateStoreError } from '@gateway/state-store';
import { afterEach, describe, expect, it } from 'vitest';
import {
  authorizationRequest,
  clientBrowser,
  post,
  redirected,
  refresh,
  signInAs,
} from './harness/client.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from './harness/gateway.ts';

let running: TestGateway | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const start = async (options: TestGatewayOptions = {}): Promise<TestGateway> => {
  running = await startGateway(options);
  return running;
};

const active = async (gateway: TestGateway, token: unknown): Promise<boolean> =>
  (await gateway.broker.verifier.verify(String(token))).ok;

const principal = (gateway: TestGateway, subject: string): Principal =>
  createPrincipal({ issuer: gateway.provider.issuer, subject });

const MINUTE_MS = 60_000;

/** A clock that a test sets forward. The library has a clock of its own, so steps are shorter than its lifetimes. */
const steppingClock = () => {
  let ahead = 0;
  return { now: (): number => Date.now() + ahead, step: (ms: number): number => (ahead += ms) };
};

const refreshes = (gateway: TestGateway): number =>
  gateway.provider.count('/token', { grant_type: 'refresh_token' });

describe('the endpoints of tokens', () => {
  it('are named by the metadata of OAuth and of OpenID Connect', async () => {
    const gateway = await start();
    const [oauth, openid] = await Promise.all(
      ['oauth-authorization-server', 'openid-configuration'].map(async (name) => {
        const response = await fetch(`${gateway.url}/.well-known/${name}`);
        return (await response.json()) as Record<string, unknown>;
      }),
    );
    expect(oauth).toEqual(openid);
    expect(oauth).toMatchObject({
      issuer: gateway.url,
      authorization_endpoint: `${gateway.url}/oauth/authorize`,
      token_endpoint: `${gateway.url}/oauth/token`,
      revocation_endpoint: `${gateway.url}/oauth/revoke`,
      introspection_endpoint: `${gateway.url}/oauth/introspect`,
      device_authorization_endpoint: `${gateway.url}/oauth/device_authorization`,
      jwks_uri: `${gateway.url}/oauth/jwks`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      scopes_supported: ['openid', 'offline_access', 'mcp:read', 'mcp:admin'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      gateway_command_line_client: 'gateway-cli',
    });
  });

  it('name the public URL whatever the headers of a proxy or of a client say', async () => {
    const gateway = await start();
    const response = await fetch(`${gateway.url}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    expect(await response.text()).not.toContain('evil.example');
  });

  it('introspect and revoke a token for its client', async () => {
    const gateway = await start();
    const { body } = await signInAs(gateway, 'alice');
    const token = String(body['access_token']);
    const form = { client_id: 'gateway-cli', token };
    expect(await post(gateway, '/oauth/introspect', form)).toMatchObject({
      status: 200,
      body: { active: true, scope: 'mcp:read', aud: gateway.resource, client_id: 'gateway-cli' },
    });
    expect((await post(gateway, '/oauth/revoke', form)).status).toBe(200);
    expect(await active(gateway, token)).toBe(false);
    expect(await post(gateway, '/oauth/introspect', form)).toMatchObject({
      body: { active: false },
    });
  });

  it('end the whole sign-in of a client with its refresh token', async () => {
    const gateway = await start();
    const { body } = await signInAs(gateway, 'alice');
    const form = { client_id: 'gateway-cli', token: String(body['refresh_token']) };
    expect((await post(gateway, '/oauth/revoke', form)).status).toBe(200);
    expect(await active(gateway, body['access_token'])).toBe(false);
  });
});

describe('the scope mcp:admin', () => {
  const users = [
    { name: 'root', password: 'password', groups: ['admins'] },
    { name: 'user', password: 'password', groups: ['staff'] },
  ];

  it('is for members of the groups that administer the gateway', async () => {
    const gateway = await start({ provider: { users } });
    const root = await signInAs(gateway, 'root', { scope: 'mcp:read mcp:admin' });
    expect(root.body['scope']).toBe('mcp:read mcp:admin');
    const user = await signInAs(gateway, 'user', { scope: 'mcp:read mcp:admin' });
    expect(user.body['scope']).toBe('mcp:read');
  });

  it('is named as withheld on the consent page of other users', async () => {
    const gateway = await start({ provider: { users } });
    const browser = new CookieBrowser({ isEnd: ({ pathname }) => pathname === '/callback' });
    await signIn(authorizationRequest(gateway).url, createTestUser('user'), { browser });
    const { url } = authorizationRequest(gateway, { scope: 'mcp:read mcp:admin' });
    const page = await browser.open(url);
    expect(page.text).toContain(
      'It also asked for administration, which your groups do not permit.',
    );
    expect(page.text).not.toContain('change the gateway');
  });
});

describe('ID tokens of the provider', () => {
  it('have the audiences that servers required at the sign-in', async () => {
    let audiences: readonly string[] = ['kubernetes'];
    const gateway = await start({ requiredAudiences: () => audiences });
    await signInAs(gateway, 'alice');
    const user = principal(gateway, 'alice');
    expect(
      await gateway.broker.idTokens.idToken(user, { audiences: ['kubernetes'] }),
    ).toMatchObject({ ok: true });
    expect(await gateway.broker.idTokens.idToken(user, { audiences: ['other'] })).toEqual({
      ok: false,
      code: 'audience-missing',
      audience: 'other',
    });
    audiences = ['kubernetes', 'other'];
    await signInAs(gateway, 'alice');
    expect(await gateway.broker.idTokens.idToken(user, { audiences: ['other'] })).toMatchObject({
      ok: true,
    });
  });

  it('are missing for users who never signed in', async () => {
    const gateway = await start();
    expect(
      await gateway.broker.idTokens.idToken(principal(gateway, 'x'), { audiences: [] }),
    ).toEqual({
      ok: false,
      code: 'signed-out',
    });
  });

  it('are refreshed once for 100 calls when less than five minutes are left', async () => {
    const clock = steppingClock();
    const gateway = await start({ now: clock.now, provider: { idTokenSeconds: 600 } });
    await signInAs(gateway, 'alice');
    const user = principal(gateway, 'alice');
    clock.step(6 * MINUTE_MS);
    const tokens = await Promise.all(
      Array.from({ length: 100 }, () => gateway.broker.idTokens.idToken(user, { audiences: [] })),
    );
    expect(refreshes(gateway)).toBe(1);
    expect(new Set(tokens.map((token) => JSON.stringify(token))).size).toBe(1);
    expect(tokens[0]).toMatchObject({ ok: true });
  });

  it('end once when the provider revokes the sign-in, without further requests', async () => {
    const clock = steppingClock();
    const gateway = await start({ now: clock.now, provider: { idTokenSeconds: 600 } });
    const { body } = await signInAs(gateway, 'alice');
    gateway.provider.revokeUser('alice');
    clock.step(11 * MINUTE_MS);
    const user = principal(gateway, 'alice');
    for (let time = 0; time < 5; time += 1)
      expect(await gateway.broker.idTokens.idToken(user, { audiences: [] })).toEqual({
        ok: false,
        code: 'signed-out',
      });
    expect(refreshes(gateway)).toBe(1);
    expect(await refresh(gateway, body['refresh_token'])).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(refreshes(gateway)).toBe(1);
  });

  it('stay valid while the provider is away', async () => {
    const clock = steppingClock();
    const gateway = await start({ now: clock.now, provider: { idTokenSeconds: 600 } });
    const { body } = await signInAs(gateway, 'alice');
    await gateway.provider.close();
    clock.step(7 * MINUTE_MS);
    const user = principal(gateway, 'alice');
    expect(await gateway.broker.idTokens.idToken(user, { audiences: [] })).toMatchObject({
      ok: true,
    });
    clock.step(5 * MINUTE_MS);
    expect(await gateway.broker.idTokens.idToken(user, { audiences: [] })).toEqual({
      ok: false,
      code: 'unavailable',
    });
    expect((await refresh(gateway, body['refresh_token'])).status).toBe(200);
  });
});

describe('tokens of a client', () => {
  it('end at the next refresh after the provider revoked the sign-in', async () => {
    const clock = steppingClock();
    const gateway = await start({ now: clock.now });
    const { body } = await signInAs(gateway, 'alice');
    const still = await refresh(gateway, body['refresh_token']);
    expect(still.status).toBe(200);
    gateway.provider.revokeUser('alice');
    clock.step(MINUTE_MS);
    expect(await refresh(gateway, still.body['refresh_token'])).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('end at once when the gateway learns that the provider revoked the sign-in', async () => {
    const clock = steppingClock();
    const gateway = await start({ now: clock.now, provider: { idTokenSeconds: 600 } });
    const { body } = await signInAs(gateway, 'alice');
    gateway.provider.revokeUser('alice');
    expect(await active(gateway, body['access_token'])).toBe(true);
    clock.step(11 * MINUTE_MS);
    await gateway.broker.idTokens.idToken(principal(gateway, 'alice'), { audiences: [] });
    expect(await active(gateway, body['access_token'])).toBe(false);
  });

  it('lose mcp:admin at the refresh after the provider removed the user from the group', async () => {
    const clock = steppingClock();
    const users = [{ name: 'root', password: 'password', groups: ['admins'] }];
    const gateway = await start({ now: clock.now, provider: { users } });
    const { body } = await signInAs(gateway, 'root', { scope: 'mcp:read mcp:admin' });
    const scopesOf = async (token: unknown) => {
      const outcome = await gateway.broker.verifier.verify(String(token));
      return outcome.ok ? outcome.principal.scopes : outcome.code;
    };
    expect(await scopesOf(body['access_token'])).toEqual(['mcp:read', 'mcp:admin']);
    users[0] = { name: 'root', password: 'password', groups: ['staff'] };
    clock.step(MINUTE_MS);
    const renewed = await refresh(gateway, body['refresh_token']);
    expect(await scopesOf(renewed.body['access_token'])).toEqual(['mcp:read']);
    expect(await scopesOf(body['access_token'])).not.toContain('mcp:admin');
  });

  it.each([
    ['gives no refresh token', { refreshTokens: 'never' }, false],
    ['is away', {}, true],
  ] as const)(
    'continue for a limited time when the provider %s',
    async (_title, options, isAway) => {
      const clock = steppingClock();
      const gateway = await start({
        now: clock.now,
        provider: options,
        settings: { sessionSeconds: 600 },
      });
      const { body } = await signInAs(gateway, 'alice');
      if (isAway) await gateway.provider.close();
      clock.step(9 * MINUTE_MS);
      const renewed = await refresh(gateway, body['refresh_token']);
      expect(renewed.status).toBe(200);
      clock.step(2 * MINUTE_MS);
      expect(await refresh(gateway, renewed.body['refresh_token'])).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    },
  );

  it('end when the user signs out of the gateway', async () => {
    const gateway = await start();
    const browser = clientBrowser();
    const { body } = await signInAs(gateway, 'alice', {}, browser);
    const page = await browser.open(`${gateway.url}/oauth/logout`);
    expect(page.text).toContain('alice@example.com');
    const [form] = page.forms;
    if (form === undefined) throw new Error('no form');
    const forged = await browser.submit(page, form, { token: 'x' });
    expect(forged.status).toBe(400);
    expect(await active(gateway, body['access_token'])).toBe(true);
    const done = await browser.submit(page, form);
    expect(done.text).toContain('You are signed out of this gateway.');
    expect(await active(gateway, body['access_token'])).toBe(false);
    expect((await refresh(gateway, body['refresh_token'])).status).toBe(400);
    expect(
      await gateway.broker.idTokens.idToken(principal(gateway, 'alice'), { audiences: [] }),
    ).toMatchObject({ ok: false });
  });
});

describe('a user who signs in as another one in the same browser', () => {
  it('gets a session of their own, without a page with a script', async () => {
    const gateway = await start();
    const browser = clientBrowser();
    await signInAs(gateway, 'alice', {}, browser);
    const other = new CookieBrowser({ isEnd: ({ pathname }) => pathname === '/callback' });
    const tokens = await signInAs(gateway, 'bob', { prompt: 'login' }, other);
    const verified = await gateway.broker.verifier.verify(String(tokens.body['access_token']));
    expect(verified).toMatchObject({ ok: true, principal: { subject: 'bob' } });
  });
});

describe('a device', () => {
  const begin = (gateway: TestGateway) =>
    post(gateway, '/oauth/device_authorization', {
      client_id: 'gateway-cli',
      scope: 'mcp:read',
      resource: gateway.resource,
    });
  const poll = (gateway: TestGateway, code: unknown) =>
    post(gateway, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'gateway-cli',
      device_code: String(code),
    });

  it('is signed in by a user who confirms its code', async () => {
    const gateway = await start();
    const { status, body } = await begin(gateway);
    expect(status).toBe(200);
    expect(body).toMatchObject({ verification_uri: `${gateway.url}/oauth/device` });
    expect(await poll(gateway, body['device_code'])).toMatchObject({
      body: { error: 'authorization_pending' },
    });
    const browser = new CookieBrowser();
    const page = await browser.open(String(body['verification_uri_complete']));
    expect(page.text).toContain('Code that the device shows');
    expect(page.text).not.toContain('<script');
    const [form] = page.forms;
    if (form === undefined) throw new Error('no form');
    const confirmation = await browser.submit(page, form);
    expect(confirmation.text).toContain(String(body['user_code']));
    const [confirm] = confirmation.forms;
    if (confirm === undefined) throw new Error('no form');
    let last = await browser.submit(confirmation, confirm, {}, confirm.buttons[0]);
    for (let time = 0; time < 5 && last.forms[0] !== undefined; time += 1) {
      const fields = last.forms[0].fields.has('login')
        ? { login: 'alice', password: 'password' }
        : {};
      last = await browser.submit(last, last.forms[0], fields, last.forms[0].buttons[0]);
    }
    expect(last.text).toContain('The device is signed in.');
    const tokens = await poll(gateway, body['device_code']);
    expect(tokens).toMatchObject({ status: 200, body: { scope: 'mcp:read' } });
    expect(await active(gateway, tokens.body['access_token'])).toBe(true);
    expect((await poll(gateway, body['device_code'])).status).toBe(400);
  });

  it('is not signed in with a code that does not exist', async () => {
    const gateway = await start();
    const browser = new CookieBrowser();
    const page = await browser.open(`${gateway.url}/oauth/device`);
    const [form] = page.forms;
    if (form === undefined) throw new Error('no form');
    const refused = await browser.submit(page, form, { user_code: 'AAAA-AAAA' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('The code is not valid or has expired.');
  });
});

it('keeps its keys in the store, so that another process continues a sign-in', async () => {
  const gateway = await start();
  const jwks = async (url: string): Promise<unknown> => (await fetch(`${url}/oauth/jwks`)).json();
  const other = await startGateway({ store: gateway.store });
  try {
    expect(await jwks(other.url)).toEqual(await jwks(gateway.url));
  } finally {
    await other.close();
  }
});

it('answers 503 when the provider is away', async () => {
  const gateway = await start();
  await gateway.provider.close();
  const page = await clientBrowser().open(authorizationRequest(gateway).url);
  expect(page.status).toBe(503);
  expect(page.text).toContain('The provider that signs you in cannot be reached.');
  expect(gateway.failures.join('\n')).toContain('unavailable');
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
  const gateway = await start({ store });
  const { body } = await signInAs(gateway, 'alice');
  isAway = true;
  expect(await refresh(gateway, body['refresh_token'])).toEqual({
    status: 503,
    body: {
      error: 'temporarily_unavailable',
      error_description: 'The state of sign-ins cannot be read or written. Try again later.',
    },
  });
  expect(await gateway.broker.verifier.verify(String(body['access_token']))).toEqual({
    ok: false,
    code: 'unavailable',
  });
  isAway = false;
  expect((await refresh(gateway, body['refresh_token'])).status).toBe(200);
});
