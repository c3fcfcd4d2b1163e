import { createServer } from 'node:http';
import { createPrincipal } from '@gateway/call-contract';
import { CookieBrowser } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  clientBrowser,
  continueUntil,
  isConsent,
  redirected,
  start,
} from '../../broker/harness/client.ts';

describe('a flood of authorization requests', () => {
  it('stores a bounded number of sign-ins in a minute, and users who are signed in go on', async () => {
    const now = Date.now();
    const { request, post, signInAs, isActive } = await start({ now: () => now });
    const { body } = await signInAs();
    const statuses = new Map<number, number>();
    const send = async (method = 'GET'): Promise<number> =>
      (await fetch(request().url, { method, redirect: 'manual' })).status;
    const count = async (): Promise<void> => {
      const status = await send();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    for (let round = 0; round < 44; round += 1)
      await Promise.all(Array.from({ length: 50 }, count));
    expect(statuses.get(303)).toBeLessThanOrEqual(2_000);
    expect(statuses.get(429)).toBeGreaterThanOrEqual(200);
    const code = await post('/oauth/device_authorization', { client_id: 'gateway-cli' });
    expect([code.status, await send('HEAD')]).toEqual([429, 429]);
    expect(await isActive(body['access_token'])).toBe(true);
  });

  it('has no second path without the limit, and stores no long parameters', async () => {
    const { request } = await start();
    const statusOf = async (url: URL) => (await fetch(url, { redirect: 'manual' })).status;
    for (const path of ['/oauth/authorize/', '/oauth/device/'])
      expect(await statusOf(new URL(path, request().url))).toBe(404);
    expect(await statusOf(request({ state: 'x'.repeat(4_096) }).url)).toBe(414);
  });

  it('stores one sign-in at the provider for a page that is opened many times', async () => {
    const { request } = await start();
    const browser = new CookieBrowser({ isEnd: ({ pathname }) => pathname === '/auth' });
    const { visited } = await browser.open(request().url);
    const page = visited.find((one) => one.includes('/oauth/interaction/')) ?? '';
    const states = new Set<string | null>();
    for (let visit = 0; visit < 5; visit += 1)
      states.add(redirected(await browser.open(new URL(page))).get('state'));
    expect([...states]).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });
});

it('a browser that is signed in as another user is recognized, and no other browser', async () => {
  const { broker, provider, signInAs } = await start();
  const server = createServer((request, response) => {
    const subject = request.url?.slice(1) ?? '';
    const { key } = createPrincipal({ issuer: provider.issuer, subject });
    void broker
      .browserUser(request, response, { principalKey: key, state: 's' })
      .then(({ kind }) => response.end(kind));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  const browser = clientBrowser();
  await signInAs('alice', {}, browser);
  const ask = async (name: string, from: CookieBrowser): Promise<string> =>
    (await from.request(new URL(`http://127.0.0.1:${port}/${name}`))).text();
  expect(await ask('bob', browser)).toBe('other');
  expect(await ask('alice', browser)).toBe('same');
  expect(await ask('bob', clientBrowser())).toBe('signed-out');
});

describe('a remembered consent', () => {
  const client_id = 'https://client.example/metadata.json';
  const redirect_uri = 'https://client.example/callback';
  const CLIENT = { client_id, redirect_uri };

  /** A gateway with a client whose user has given consent. */
  const startAllowed = async () => {
    const redirect_uris = [redirect_uri, 'https://client.example/other'];
    const document = JSON.stringify({ client_id, client_name: 'Editor', redirect_uris });
    const headers = { 'content-type': 'application/json' };
    const { authorize, request } = await start({
      fetchDocument: () => Promise.resolve(new Response(document, { headers })),
    });
    const { browser, code } = await authorize('alice', CLIENT);
    expect(code).not.toBeNull();
    const open = (changes: object = {}) => browser.open(request({ ...CLIENT, ...changes }).url);
    return { browser, open };
  };

  it.each([
    ['a request that asks for consent', { prompt: 'consent' }],
    ['a request that asks for a sign-in and consent', { prompt: 'login consent' }],
    ['a wider scope', { scope: 'mcp:read offline_access', prompt: 'consent' }],
  ])('is not used for %s', async (_title, changes) => {
    const { browser, open } = await startAllowed();
    expect(redirected(await open()).get('code')).not.toBeNull();
    const { text } = await continueUntil(isConsent, browser, await open(changes));
    expect(text).toContain('Allow “Editor” to use this gateway?');
  });

  it('does not answer a request without prompts', async () => {
    const { open } = await startAllowed();
    const parameters = redirected(await open({ prompt: 'none' }));
    expect(parameters.get('error')).toBe('consent_required');
  });
});

it('names administration to its members also when a client did not ask for it', async () => {
  const users = [{ name: 'root', password: 'password', groups: ['admins'] }];
  const { request, signInAs } = await start({ provider: { users } });
  const browser = clientBrowser();
  await signInAs('root', {}, browser);
  const page = await browser.open(request({ scope: 'mcp:read' }).url);
  expect(page.text).toContain('change the gateway');
});
