import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  authorizationRequest,
  clientBrowser,
  exchange,
  redirected,
  refresh,
  REDIRECT,
  signInAs,
} from './harness/client.ts';
import { startGateway, type TestGateway } from './harness/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/** A browser that stops where the provider sends it back to the gateway. */
const browserBeforeCallback = (): CookieBrowser =>
  new CookieBrowser({ isEnd: ({ pathname }) => pathname === '/oauth/upstream/callback' });

const isConsent = (text: string): boolean => text.includes('to use this gateway?');

/** Signs in until the consent page is shown. */
const consentOf = async (name: string, changes: Readonly<Record<string, string>> = {}) => {
  const browser = clientBrowser();
  const { url, verifier } = authorizationRequest(gateway, changes);
  let page = await browser.open(url);
  while (!isConsent(page.text)) {
    const [form] = page.forms;
    if (form === undefined) throw new Error(page.text);
    const fields = form.fields.has('login') ? { login: name, password: 'password' } : {};
    page = await browser.submit(page, form, fields, form.buttons[0]);
  }
  return { browser, page, verifier };
};

const tokenIsActive = async (token: unknown): Promise<boolean> =>
  (await gateway.broker.verifier.verify(String(token))).ok;

describe('the authorization endpoint', () => {
  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with PKCE plain', { code_challenge_method: 'plain' }],
    ['with PKCE of an unnamed method', { code_challenge_method: undefined }],
  ])('refuses a request %s', async (_title, changes) => {
    const { url } = authorizationRequest(gateway, changes);
    const page = await clientBrowser().open(url);
    expect(redirected(page).get('error')).toBe('invalid_request');
    expect(redirected(page).get('code')).toBeNull();
  });

  it.each([
    ['another host', 'http://evil.example/callback'],
    ['another path', 'http://127.0.0.1:7/other'],
    ['a longer path', 'http://127.0.0.1:7/callback/x'],
    ['user information', 'http://127.0.0.1:7@evil.example/callback'],
    ['https', 'https://127.0.0.1:7/callback'],
  ])('does not redirect to %s', async (_title, uri) => {
    const { url } = authorizationRequest(gateway, { redirect_uri: uri });
    const page = await new CookieBrowser().open(url);
    expect(page.status).toBe(400);
    expect(page.visited).toHaveLength(1);
    expect(page.text).not.toContain('evil.example');
  });

  it('redirects to any port of a loopback address', async () => {
    const uri = 'http://127.0.0.1:51234/callback';
    const browser = clientBrowser(uri);
    const page = await signIn(
      authorizationRequest(gateway, { redirect_uri: uri }).url,
      createTestUser('a'),
      { browser },
    );
    expect(redirected(page).get('code')).not.toBeNull();
  });

  it('refuses another resource', async () => {
    const { url } = authorizationRequest(gateway, { resource: 'https://other.example/mcp' });
    const page = await clientBrowser().open(url);
    expect(redirected(page).get('error')).toBe('invalid_target');
  });

  it('takes the gateway as the resource and mcp:read as the scope of a request that names none', async () => {
    const tokens = await signInAs(gateway, 'alice', { resource: undefined, scope: undefined });
    expect(tokens.body['scope']).toBe('mcp:read');
    expect(await tokenIsActive(tokens.body['access_token'])).toBe(true);
  });

  it('reflects nothing of a request on its error page', async () => {
    const mark = '<script>alert(1)</script>';
    const { url } = authorizationRequest(gateway, {
      client_id: mark,
      redirect_uri: mark,
      state: mark,
    });
    const page = await new CookieBrowser().open(url);
    expect(page.status).toBe(400);
    expect(page.text).not.toContain('alert');
  });
});

describe('the pages', () => {
  it('cannot be framed, run scripts or be stored', async () => {
    const { page } = await consentOf('alice');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('script-src');
    expect(page.text).not.toContain('<script');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  it('name the client, the user, the receiver and the permissions', async () => {
    const { page } = await consentOf('alice');
    expect(page.text).toContain('Allow “Gateway command line” to use this gateway?');
    expect(page.text).toContain('alice@example.com');
    expect(page.text).toContain('127.0.0.1:7 (a program on this computer)');
    expect(page.text).toContain('list and call the tools that you may use, with your permissions');
    expect(page.text).toContain('<html lang="en">');
  });
});

describe('the consent form', () => {
  it('is refused without its token, and the sign-in can still be allowed', async () => {
    const { browser, page, verifier } = await consentOf('alice');
    const [form] = page.forms;
    if (form === undefined) throw new Error('no form');
    const refused = await browser.submit(page, form, { token: 'forged' }, form.buttons[0]);
    expect(refused.status).toBe(400);
    const allowed = await browser.submit(page, form, {}, form.buttons[0]);
    const tokens = await exchange(gateway, redirected(allowed).get('code') ?? '', verifier);
    expect(tokens.status).toBe(200);
  });

  it('is refused from another site', async () => {
    const { browser, page } = await consentOf('alice');
    const [form] = page.forms;
    const response = await browser.request(new URL(page.url), {
      method: 'POST',
      headers: {
        origin: 'https://evil.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        token: form?.fields.get('token')?.value ?? '',
        decision: 'allow',
      }),
    });
    expect(response.status).toBe(400);
  });

  it('is refused from another browser', async () => {
    const { page } = await consentOf('alice');
    const [form] = page.forms;
    if (form === undefined) throw new Error('no form');
    const other = await clientBrowser().submit(page, form, {}, form.buttons[0]);
    expect(other.status).toBe(400);
    expect(other.text).toContain('Authentication session expired. Please try again.');
  });

  it('is refused with the token of the form of another user', async () => {
    const alice = await consentOf('alice');
    const bob = await consentOf('bob');
    const [form] = bob.page.forms;
    const [other] = alice.page.forms;
    if (form === undefined) throw new Error('no form');
    const token = other?.fields.get('token')?.value ?? '';
    const page = await bob.browser.submit(bob.page, form, { token }, form.buttons[0]);
    expect(page.status).toBe(400);
  });

  it('is shown each time for a program on the computer of the user', async () => {
    const browser = clientBrowser();
    const first = await signIn(authorizationRequest(gateway).url, createTestUser('carol'), {
      browser,
    });
    expect(redirected(first).get('code')).not.toBeNull();
    const second = await browser.open(authorizationRequest(gateway).url);
    expect(isConsent(second.text)).toBe(true);
  });
});

describe('the callback of the provider', () => {
  const callbackOf = async (browser: CookieBrowser): Promise<URL> => {
    const page = await signIn(authorizationRequest(gateway).url, createTestUser('mallory'), {
      browser,
    });
    return new URL(page.url);
  };

  it('is refused in a browser that did not start the sign-in', async () => {
    const callback = await callbackOf(browserBeforeCallback());
    const victim = await clientBrowser().open(callback);
    expect(victim.status).toBe(400);
    expect(victim.text).toContain('Authentication session invalid. Please try again.');
  });

  it('is accepted once', async () => {
    const browser = browserBeforeCallback();
    const callback = await callbackOf(browser);
    const first = await browser.request(callback);
    expect(first.status).toBe(303);
    const second = await browser.request(callback);
    expect(second.status).toBe(400);
  });

  it.each([
    ['without a state', (url: URL) => url.searchParams.delete('state')],
    ['with two states', (url: URL) => url.searchParams.append('state', 'x')],
    ['without a code', (url: URL) => url.searchParams.delete('code')],
  ])('is refused %s', async (_title, change) => {
    const browser = browserBeforeCallback();
    const callback = await callbackOf(browser);
    change(callback);
    const page = await browser.request(callback);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('Invalid callback: missing required parameters');
  });

  it.each([
    [
      'with the issuer of another provider',
      (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    ],
    [
      'without an issuer, which the provider announces',
      (url: URL) => url.searchParams.delete('iss'),
    ],
    ['with another code', (url: URL) => url.searchParams.set('code', 'other')],
  ])('is refused %s', async (_title, change) => {
    const browser = browserBeforeCallback();
    const callback = await callbackOf(browser);
    change(callback);
    const page = await browser.request(callback);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('Failed to complete authentication. Please try again.');
  });
});

describe('a session', () => {
  it('has another identifier after the sign-in than before', async () => {
    const browser = clientBrowser();
    const fixed = await browser.request(new URL(`${gateway.url}/oauth/device`));
    const before = fixed.headers.getSetCookie().find((line) => line.startsWith('gateway_session='));
    await signIn(authorizationRequest(gateway).url, createTestUser('alice'), { browser });
    const header = browser.jar.header(new URL(gateway.url)) ?? '';
    expect(before).toBeDefined();
    expect(header).toContain('gateway_session=');
    expect(header).not.toContain(before?.split(';', 1)[0]);
  });

  it('has cookies that scripts and other sites do not get', async () => {
    const browser = clientBrowser();
    await signIn(authorizationRequest(gateway).url, createTestUser('alice'), { browser });
    const own = browser.jar.list().filter(({ name }) => name.startsWith('gateway_'));
    expect(own.length).toBeGreaterThan(0);
    for (const { attributes } of own)
      expect(attributes.toLowerCase()).toMatch(/httponly.*samesite=lax|samesite=lax.*httponly/u);
  });
});

describe('a code', () => {
  it('is for one use: a second use ends the tokens of the first', async () => {
    const { url, verifier } = authorizationRequest(gateway);
    const page = await signIn(url, createTestUser('alice'), { browser: clientBrowser() });
    const code = redirected(page).get('code') ?? '';
    const first = await exchange(gateway, code, verifier);
    expect(await tokenIsActive(first.body['access_token'])).toBe(true);
    const second = await exchange(gateway, code, verifier);
    expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await tokenIsActive(first.body['access_token'])).toBe(false);
    expect((await refresh(gateway, first.body['refresh_token'])).status).toBe(400);
  });

  it('of several uses at the same time serves none', async () => {
    const { url, verifier } = authorizationRequest(gateway);
    const page = await signIn(url, createTestUser('alice'), { browser: clientBrowser() });
    const code = redirected(page).get('code') ?? '';
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(gateway, code, verifier)));
    const active = await Promise.all(
      answers
        .filter(({ status }) => status === 200)
        .map(({ body }) => tokenIsActive(body['access_token'])),
    );
    expect(active.length).toBeLessThanOrEqual(1);
    expect(active).not.toContain(true);
  });

  it('is refused with another verifier, client or redirect URI', async () => {
    const { url, verifier } = authorizationRequest(gateway);
    const page = await signIn(url, createTestUser('alice'), { browser: clientBrowser() });
    const code = redirected(page).get('code') ?? '';
    const wrong = await exchange(gateway, code, 'x'.repeat(43));
    expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const redirect = await exchange(gateway, code, verifier, {
      redirect_uri: 'http://127.0.0.1:8/callback',
    });
    expect(redirect.status).toBe(400);
  });
});

describe('a refresh token', () => {
  it('that is used again ends its family', async () => {
    const first = await signInAs(gateway, 'dave');
    const second = await refresh(gateway, first.body['refresh_token']);
    expect(await tokenIsActive(second.body['access_token'])).toBe(true);
    const reused = await refresh(gateway, first.body['refresh_token']);
    expect(reused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await tokenIsActive(second.body['access_token'])).toBe(false);
    expect((await refresh(gateway, second.body['refresh_token'])).status).toBe(400);
  });

  it('leaves other sign-ins of the user alone when it is used again', async () => {
    const other = await signInAs(gateway, 'erin');
    const first = await signInAs(gateway, 'erin');
    await refresh(gateway, first.body['refresh_token']);
    await refresh(gateway, first.body['refresh_token']);
    expect(await tokenIsActive(other.body['access_token'])).toBe(true);
  });
});

it('sends nothing of the provider to a client', async () => {
  const tokens = await signInAs(gateway, 'frank', {
    scope: 'openid mcp:read offline_access',
    redirect_uri: REDIRECT,
  });
  expect(Object.keys(tokens.body).toSorted()).toEqual([
    'access_token',
    'expires_in',
    'id_token',
    'refresh_token',
    'scope',
    'token_type',
  ]);
  const [, payload = ''] = String(tokens.body['id_token']).split('.');
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
    const other = await startGateway({ provider: { idTokenClaims } });
    onTestFinished(other.close);
    const page = await signIn(authorizationRequest(other).url, createTestUser('mallory'), {
      browser: clientBrowser(),
    });
    expect(page.visited.filter((url) => url.startsWith(`${REDIRECT}?code=`))).toEqual([]);
    expect(other.failures.join('\n')).toContain('callback');
  });

  it('signs a user in when its time is ahead by less than the difference of clocks', async () => {
    const idTokenClaims = { iat: seconds(50) };
    const other = await startGateway({ provider: { idTokenClaims } });
    onTestFinished(other.close);
    expect((await signInAs(other, 'alice')).status).toBe(200);
  });
});
