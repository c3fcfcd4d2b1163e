import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import {
  CookieBrowser,
  signIn,
  startProvider,
  createTestUser,
  findFreePorts,
} from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';

const APPS = resolve(import.meta.dirname, '../../..');

/** Starts a built program. The end of the test stops it. */
const start = async (app: string, args: readonly string[]): Promise<ChildProcess> => {
  const child = fork(resolve(APPS, app, 'dist/cli.js'), ['serve', ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  await once(child, 'message');
  return child;
};

const [GATEWAY_PORT = 0, PORTAL_PORT = 0] = await findFreePorts(2);
const GATEWAY = `http://127.0.0.1:${GATEWAY_PORT}`;
const PORTAL = `http://127.0.0.1:${PORTAL_PORT}/tools/`;

/** Starts a gateway in mode `broker` with the portal as a client. */
const startGateway = async (http: object = {}): Promise<void> => {
  const provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        client_secret: 'the secret of the gateway',
        redirect_uris: [`${GATEWAY}/oauth/upstream/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  onTestFinished(provider.close);
  const directory = createTestConfigDirectory();
  onTestFinished(() => {
    directory.remove();
  });
  directory.write('secret', 'the secret of the gateway');
  directory.config({
    http,
    auth: {
      mode: 'broker',
      broker: {
        upstream: { issuer: provider.issuer, clientId: 'gateway', clientSecretFile: 'secret' },
        clients: [{ clientId: 'portal', name: 'Portal', redirectUris: [`${PORTAL}auth/callback`] }],
      },
    },
  });
  const { port } = new URL(GATEWAY);
  await start('gateway', ['--config-dir', directory.path, '--port', port, '--no-health-listener']);
  await retryAssertion(async () => {
    expect((await fetch(`${GATEWAY}/readyz`)).ok).toBe(true);
  });
};

const startPortal = (): Promise<ChildProcess> =>
  start('portal', [
    ...['--port', new URL(PORTAL).port, '--public-url', PORTAL, '--gateway', `${GATEWAY}/mcp`],
    ...['--issuer', GATEWAY, '--client-id', 'portal', '--log-level', 'error'],
    ...['--scopes', 'openid offline_access mcp:read', '--metrics', `${GATEWAY}/metrics`],
  ]);

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface SignedIn {
  readonly browser: CookieBrowser;
  readonly token: string;
}

const listTools = ({ browser, token }: SignedIn): Promise<Response> =>
  browser.request(new URL('mcp', PORTAL), {
    method: 'POST',
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
      params: { _meta: ENVELOPE },
    }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
      'x-portal-token': token,
    },
  });

const signedIn = async (login: string): Promise<SignedIn> => {
  const browser = new CookieBrowser();
  await signIn(new URL('auth/start', PORTAL), createTestUser(login), { browser });
  const session = await browser.request(new URL('session', PORTAL));
  const { token } = (await session.json()) as { readonly token: string };
  return { browser, token };
};

it('counts the requests of each user of a portal on their own', async () => {
  await startGateway({ rateLimit: { enabled: true, requestsPerSecond: 1, burst: 100 } });
  await startPortal();
  const [alice, bob] = [await signedIn('alice'), await signedIn('bob')];
  const statuses = await Promise.all(
    Array.from({ length: 120 }, async () => (await listTools(alice)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await listTools(bob)).status).toBe(200);
});

it('signs a user in at the gateway, whose tools answer in the name of the user', async () => {
  await startGateway();
  const portal = await startPortal();
  const browser = new CookieBrowser();
  const refused = await browser.request(new URL('mcp', PORTAL), { method: 'POST', body: '{}' });
  expect(refused.status).toBe(401);
  const link = new URL(`auth/start?return=${encodeURIComponent(`${PORTAL}catalog`)}`, PORTAL);
  const page = await signIn(link, createTestUser('alice'), { browser });
  expect(page.url).toBe(`${PORTAL}catalog`);
  const session = await browser.request(new URL('session', PORTAL));
  const { token, user } = (await session.json()) as { readonly token: string; user: unknown };
  // The gateway gives clients an identifier of the user, without name and address.
  const identifier = expect.stringMatching(/^[\w-]{43}$/u) as string;
  expect(user).toEqual({ id: identifier, name: identifier });
  const answer = await listTools({ browser, token });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('call_tool');
  const ended = await browser.request(new URL('auth/end', PORTAL), {
    method: 'POST',
    headers: { 'x-portal-token': token },
  });
  expect(ended.status).toBe(200);
  const after = await browser.request(new URL('session', PORTAL));
  expect(await after.json()).not.toHaveProperty('user');
  const exited = once(portal, 'exit');
  portal.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
