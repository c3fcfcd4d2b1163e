import { createServer } from 'node:http';
import { createPrincipal } from '@gateway/call-contract';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  authorizationRequest,
  clientBrowser,
  post,
  redirected,
  signInAs,
} from '../../broker/harness/client.ts';
import {
  startGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../../broker/harness/gateway.ts';

let running: TestGateway | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const start = async (options: TestGatewayOptions = {}): Promise<TestGateway> => {
  running = await startGateway(options);
  return running;
};

const findKey = ({ provider }: TestGateway, subject: string): string =>
  createPrincipal({ issuer: provider.issuer, subject }).key;

describe('a flood of authorization requests', () => {
  it('stores a bounded number of sign-ins in a minute, and users who are signed in go on', async () => {
    const now = Date.now();
    const gateway = await start({ now: () => now });
    const tokens = await signInAs(gateway, 'alice');
    const statuses = new Map<number, number>();
    for (let round = 0; round < 44; round += 1)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const { url } = authorizationRequest(gateway);
          const { status } = await fetch(url, { redirect: 'manual' });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }),
      );
    expect(statuses.get(303)).toBeLessThanOrEqual(2_000);
    expect(statuses.get(429)).toBeGreaterThanOrEqual(200);
    const code = await post(gateway, '/oauth/device_authorization', { client_id: 'gateway-cli' });
    expect(code.status).toBe(429);
    const { url } = authorizationRequest(gateway);
    expect((await fetch(url, { method: 'HEAD', redirect: 'manual' })).status).toBe(429);
    const { ok } = await gateway.broker.verifier.verify(String(tokens.body['access_token']));
    expect(ok).toBe(true);
  });

  it('has no second path without the limit', async () => {
    const gateway = await start();
    const { url } = authorizationRequest(gateway);
    for (const path of ['/oauth/authorize/', '/oauth/device/']) {
      url.pathname = path;
      expect((await fetch(url, { redirect: 'manual' })).status).toBe(404);
    }
  });

  it('stores one sign-in at the provider for a page that is opened many times', async () => {
    const gateway = await start();
    const states = new Set<string | null>();
    const browser = new CookieBrowser({ isEnd: ({ pathname }) => pathname === '/auth' });
    const { url } = authorizationRequest(gateway);
    const { visited } = await browser.open(url);
    const page = visited.find((one) => one.includes('/oauth/interaction/')) ?? '';
    for (let visit = 0; visit < 5; visit += 1)
      states.add(redirected(await browser.open(new URL(page))).get('state'));
    expect([...states]).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });

  it('stores no long parameters', async () => {
    const gateway = await start();
    const { url } = authorizationRequest(gateway, { state: 'x'.repeat(4_096) });
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(414);
  });
});

describe('the name of a client', () => {
  const register = async (gateway: TestGateway, name: string): Promise<number> => {
    const response = await fetch(`${gateway.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: name,
        redirect_uris: ['http://127.0.0.1:4444/cb'],
        token_endpoint_auth_method: 'none',
      }),
    });
    return response.status;
  };

  it.each([
    ['that reverses the text around it', '\u202Eelbatsurt', 400],
    ['with isolated directions', 'Agent\u2066x\u2069', 400],
    ['with a line break', 'Agent\nverified by the operator', 400],
    ['with a line separator', 'Agent\u2028verified', 400],
    ['in other scripts and with a joined emoji', 'עוזר 助手 👩\u200D💻', 201],
  ])('%s is refused, or accepted as it is', async (_title, name, status) => {
    const gateway = await start({ settings: { registration: { enabled: true } } });
    expect(await register(gateway, name)).toBe(status);
  });
});

describe('a browser', () => {
  it('that is signed in as another user is recognized, and no other browser', async () => {
    const gateway = await start();
    const server = createServer((request, response) => {
      const key = findKey(gateway, request.url?.slice(1) ?? '');
      void gateway.broker
        .browserUser(request, response, { principalKey: key, state: 's' })
        .then(({ kind }) => response.end(kind));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    const browser = clientBrowser();
    await signInAs(gateway, 'alice', {}, browser);
    const ask = async (name: string, from: CookieBrowser): Promise<string> =>
      (await from.request(new URL(`http://127.0.0.1:${port}/${name}`))).text();
    expect(await ask('bob', browser)).toBe('other');
    expect(await ask('alice', browser)).toBe('same');
    expect(await ask('bob', clientBrowser())).toBe('signed-out');
  });
});

describe('a remembered consent', () => {
  const CLIENT = {
    client_id: 'https://client.example/metadata.json',
    client_name: 'Editor',
    redirect_uris: ['https://client.example/callback', 'https://client.example/other'],
  };
  const fetchDocument = (): Promise<Response> =>
    Promise.resolve(
      new Response(JSON.stringify(CLIENT), { headers: { 'content-type': 'application/json' } }),
    );
  const [redirect = ''] = CLIENT.redirect_uris;
  const request = (gateway: TestGateway, changes: Readonly<Record<string, string>> = {}): URL =>
    authorizationRequest(gateway, {
      client_id: CLIENT.client_id,
      redirect_uri: redirect,
      ...changes,
    }).url;

  it.each([
    ['a request that asks for consent', { prompt: 'consent' }],
    ['a request that asks for a sign-in and consent', { prompt: 'login consent' }],
    ['a wider scope', { scope: 'mcp:read offline_access', prompt: 'consent' }],
  ])('is not used for %s', async (_title, changes) => {
    const gateway = await start({ fetchDocument });
    const browser = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(redirect) });
    const first = await signIn(request(gateway), createTestUser('alice'), { browser });
    expect(redirected(first).get('code')).not.toBeNull();
    const silent = await browser.open(request(gateway));
    expect(redirected(silent).get('code')).not.toBeNull();
    let page = await browser.open(request(gateway, changes));
    while (
      !page.text.includes('to use this gateway?') &&
      page.forms[0] !== undefined &&
      !page.isEnd
    ) {
      const [form] = page.forms;
      const fields = form.fields.has('login') ? { login: 'alice', password: 'password' } : {};
      page = await browser.submit(page, form, fields, form.buttons[0]);
    }
    expect(page.text).toContain('Allow “Editor” to use this gateway?');
  });

  it('does not answer a request without prompts', async () => {
    const gateway = await start({ fetchDocument });
    const browser = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(redirect) });
    await signIn(request(gateway), createTestUser('alice'), { browser });
    const page = await browser.open(request(gateway, { prompt: 'none' }));
    expect(redirected(page).get('error')).toBe('consent_required');
  });
});

it('names administration to its members also when a client did not ask for it', async () => {
  const users = [{ name: 'root', password: 'password', groups: ['admins'] }];
  const gateway = await start({ provider: { users } });
  const browser = clientBrowser();
  await signInAs(gateway, 'root', {}, browser);
  const page = await browser.open(authorizationRequest(gateway, { scope: 'mcp:read' }).url);
  expect(page.text).toContain('change the gateway');
});

it('refuses the access tokens of a user as soon as the provider has ended the sign-in', async () => {
  let time = Date.now();
  const gateway = await start({ now: () => time, provider: { idTokenSeconds: 600 } });
  const { body } = await signInAs(gateway, 'alice');
  const verify = () => gateway.broker.verifier.verify(String(body['access_token']));
  gateway.provider.revokeUser('alice');
  time += 11 * 60_000;
  const user = createPrincipal({ issuer: gateway.provider.issuer, subject: 'alice' });
  expect((await verify()).ok).toBe(true);
  await gateway.broker.idTokens.idToken(user, { audiences: [] });
  expect(await verify()).toEqual({ ok: false, code: 'inactive' });
});
