import { CookieBrowser } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  clientBrowser,
  connect,
  continueUntil,
  findForm,
  isConsent,
  redirected,
  REDIRECT,
  start,
  submitForm,
  type ConnectedGateway,
} from './harness/client.ts';
import { startGateway } from './harness/gateway.ts';

let gateway: ConnectedGateway;
beforeAll(async () => {
  gateway = connect(await startGateway());
});
afterAll(() => gateway.close());

/** Signs in until the consent page is shown. */
const reachConsent = async (name: string) => {
  const browser = clientBrowser();
  const { url, verifier } = gateway.request();
  const page = await continueUntil(isConsent, browser, await browser.open(url), name);
  return { browser, page, verifier };
};

/** Opens an authorization request and returns the parameters that the client receives. */
const openRequest = async (changes: Readonly<Record<string, string | undefined>>) =>
  redirected(await clientBrowser().open(gateway.request(changes).url));

describe('the authorization endpoint', () => {
  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with PKCE plain', { code_challenge_method: 'plain' }],
    ['with PKCE of an unnamed method', { code_challenge_method: undefined }],
  ])('refuses a request %s', async (_title, changes) => {
    const parameters = await openRequest(changes);
    expect([parameters.get('error'), parameters.get('code')]).toEqual(['invalid_request', null]);
  });

  it.each([
    ['another host', 'http://evil.example/callback'],
    ['another path', 'http://127.0.0.1:7/other'],
    ['a longer path', 'http://127.0.0.1:7/callback/x'],
    ['user information', 'http://127.0.0.1:7@evil.example/callback'],
    ['https', 'https://127.0.0.1:7/callback'],
  ])('does not redirect to %s', async (_title, redirect_uri) => {
    const page = await new CookieBrowser().open(gateway.request({ redirect_uri }).url);
    expect([page.status, page.visited.length]).toEqual([400, 1]);
    expect(page.text).not.toContain('evil.example');
  });

  it('redirects to any port of a loopback address', async () => {
    const redirect_uri = 'http://127.0.0.1:51234/callback';
    expect((await gateway.authorize('a', { redirect_uri })).code).not.toBeNull();
  });

  it('refuses another resource', async () => {
    const parameters = await openRequest({ resource: 'https://other.example/mcp' });
    expect(parameters.get('error')).toBe('invalid_target');
  });

  it('takes the gateway as the resource and mcp:read as the scope of a request that names none', async () => {
    const { body } = await gateway.signInAs('alice', { resource: undefined, scope: undefined });
    expect([body['scope'], await gateway.isActive(body['access_token'])]).toEqual([
      'mcp:read',
      true,
    ]);
  });

  it('reflects nothing of a request on its error page', async () => {
    const mark = '<script>alert(1)</script>';
    const { url } = gateway.request({ client_id: mark, redirect_uri: mark, state: mark });
    const page = await new CookieBrowser().open(url);
    expect(page.status).toBe(400);
    expect(page.text).not.toContain('alert');
  });
});

it('the consent page names the client, the user, the receiver and the permissions, and cannot be framed, run scripts or be stored', async () => {
  const { page } = await reachConsent('alice');
  for (const text of [
    'Allow “Gateway command line” to use this gateway?',
    'alice@example.com',
    '127.0.0.1:7 (a program on this computer)',
    'list and call the tools that you may use, with your permissions',
    '<html lang="en">',
  ])
    expect(page.text).toContain(text);
  expect(page.text).not.toContain('<script');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|script-src/u);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
});

describe('the consent form', () => {
  it('is refused without its token, and the sign-in can still be allowed', async () => {
    const { browser, page, verifier } = await reachConsent('alice');
    expect((await submitForm(browser, page, { token: 'forged' })).status).toBe(400);
    const code = redirected(await submitForm(browser, page)).get('code');
    expect((await gateway.exchange(code, verifier)).status).toBe(200);
  });

  it('is refused from another site', async () => {
    const { browser, page } = await reachConsent('alice');
    const token = findForm(page).fields.get('token')?.value ?? '';
    const response = await browser.request(new URL(page.url), {
      method: 'POST',
      headers: {
        origin: 'https://evil.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token, decision: 'allow' }),
    });
    expect(response.status).toBe(400);
  });

  it('is refused from another browser', async () => {
    const { page } = await reachConsent('alice');
    const other = await submitForm(clientBrowser(), page);
    expect(other.status).toBe(400);
    expect(other.text).toContain('Authentication session expired. Please try again.');
  });

  it('is refused with the token of the form of another user', async () => {
    const alice = await reachConsent('alice');
    const bob = await reachConsent('bob');
    const token = findForm(alice.page).fields.get('token')?.value ?? '';
    expect((await submitForm(bob.browser, bob.page, { token })).status).toBe(400);
  });

  it('is shown each time for a program on the computer of the user', async () => {
    const { browser, code } = await gateway.authorize('carol');
    expect(code).not.toBeNull();
    expect(isConsent(await browser.open(gateway.request().url))).toBe(true);
  });
});

describe('the callback of the provider', () => {
  /** Signs in up to the callback, which the browser does not open. */
  const reachCallback = async () => {
    const isEnd = ({ pathname }: URL): boolean => pathname === '/oauth/upstream/callback';
    const browser = new CookieBrowser({ isEnd });
    const { page } = await gateway.authorize('mallory', {}, browser);
    return { browser, callback: new URL(page.url) };
  };

  it('is refused in a browser that did not start the sign-in', async () => {
    const { callback } = await reachCallback();
    const victim = await clientBrowser().open(callback);
    expect(victim.status).toBe(400);
    expect(victim.text).toContain('Authentication session invalid. Please try again.');
  });

  it('is accepted once', async () => {
    const { browser, callback } = await reachCallback();
    expect((await browser.request(callback)).status).toBe(303);
    expect((await browser.request(callback)).status).toBe(400);
  });

  const MISSING = 'Invalid callback: missing required parameters';
  const FAILED = 'Failed to complete authentication. Please try again.';
  type Change = (parameters: URLSearchParams) => void;
  it.each<[string, Change, string]>([
    ['without a state', (all) => all.delete('state'), MISSING],
    ['with two states', (all) => all.append('state', 'x'), MISSING],
    ['without a code', (all) => all.delete('code'), MISSING],
    ['of another provider', (all) => all.set('iss', 'https://evil.example'), FAILED],
    ['without an issuer, which the provider announces', (all) => all.delete('iss'), FAILED],
    ['with another code', (all) => all.set('code', 'other'), FAILED],
  ])('is refused %s', async (_title, change, text) => {
    const { browser, callback } = await reachCallback();
    change(callback.searchParams);
    const page = await browser.request(callback);
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining(text)]);
  });
});

describe('a session', () => {
  it('has another identifier after the sign-in than before, in cookies that scripts and other sites do not get', async () => {
    const browser = clientBrowser();
    const fixed = await browser.request(new URL(`${gateway.url}/oauth/device`));
    const before = fixed.headers.getSetCookie().find((line) => line.startsWith('gateway_session='));
    await gateway.authorize('alice', {}, browser);
    const header = browser.jar.header(new URL(gateway.url)) ?? '';
    expect(before).toBeDefined();
    expect(header).toContain('gateway_session=');
    expect(header).not.toContain(before?.split(';', 1)[0]);
    const own = browser.jar.list().filter(({ name }) => name.startsWith('gateway_'));
    expect(own.length).toBeGreaterThan(0);
    for (const { attributes } of own)
      expect(attributes.toLowerCase()).toMatch(/httponly.*samesite=lax|samesite=lax.*httponly/u);
  });
});

describe('a code', () => {
  it('is for one use: a second use ends the tokens of the first', async () => {
    const { code, verifier } = await gateway.authorize();
    const { body } = await gateway.exchange(code, verifier);
    expect(await gateway.isActive(body['access_token'])).toBe(true);
    const second = await gateway.exchange(code, verifier);
    expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await gateway.isActive(body['access_token'])).toBe(false);
    expect((await gateway.refresh(body['refresh_token'])).status).toBe(400);
  });

  it('of several uses at the same time serves none', async () => {
    const { code, verifier } = await gateway.authorize();
    const uses = [1, 2, 3, 4].map(() => gateway.exchange(code, verifier));
    const served = (await Promise.all(uses)).filter(({ status }) => status === 200);
    expect(served.length).toBeLessThanOrEqual(1);
    for (const { body } of served) expect(await gateway.isActive(body['access_token'])).toBe(false);
  });

  it('is refused with another verifier, client or redirect URI', async () => {
    const { code, verifier } = await gateway.authorize();
    const wrong = await gateway.exchange(code, 'x'.repeat(43));
    expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const redirect_uri = 'http://127.0.0.1:8/callback';
    expect((await gateway.exchange(code, verifier, { redirect_uri })).status).toBe(400);
  });
});

describe('a refresh token', () => {
  it('that is used again ends its family', async () => {
    const { signInAs, refresh, isActive } = gateway;
    const first = await signInAs('dave');
    const second = await refresh(first.body['refresh_token']);
    expect(await isActive(second.body['access_token'])).toBe(true);
    const reused = await refresh(first.body['refresh_token']);
    expect(reused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await isActive(second.body['access_token'])).toBe(false);
    expect((await refresh(second.body['refresh_token'])).status).toBe(400);
  });

  it('leaves other sign-ins of the user alone when it is used again', async () => {
    const { signInAs, refresh, isActive } = gateway;
    const other = await signInAs('erin');
    const first = await signInAs('erin');
    for (let use = 0; use < 2; use += 1) await refresh(first.body['refresh_token']);
    expect(await isActive(other.body['access_token'])).toBe(true);
  });
});

it('sends nothing of the provider to a client', async () => {
  const { body } = await gateway.signInAs('frank', { scope: 'openid mcp:read offline_access' });
  const tokens = ['access_token', 'expires_in', 'id_token', 'refresh_token', 'scope', 'token_type'];
  expect(Object.keys(body).toSorted()).toEqual(tokens);
  const [, payload = ''] = String(body['id_token']).split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iss: string };
  expect(claims.iss).toBe(gateway.url);
});

describe('an ID token of the provider', () => {
  const HOUR_SECONDS = 3_600;
  const seconds = (ahead: number): number => Math.floor(Date.now() / 1_000) + ahead;

  it.each([
    ['with an empty subject', { sub: '' }],
    ['with a subject that is no text', { sub: 7 }],
    ['with a subject of more than 1,024 characters', { sub: 'x'.repeat(1_025) }],
    ['from the future', { iat: seconds(HOUR_SECONDS), exp: seconds(2 * HOUR_SECONDS) }],
  ])('%s signs nobody in', async (_title, idTokenClaims) => {
    const { authorize, failures } = await start({ provider: { idTokenClaims } });
    const { page } = await authorize('mallory');
    expect(page.visited.filter((url) => url.startsWith(`${REDIRECT}?code=`))).toEqual([]);
    expect(failures.join('\n')).toContain('callback');
  });

  it('signs a user in when its time is ahead by less than the difference of clocks', async () => {
    const { signInAs } = await start({ provider: { idTokenClaims: { iat: seconds(50) } } });
    expect((await signInAs()).status).toBe(200);
  });
});
