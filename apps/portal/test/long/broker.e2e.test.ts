import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { configDirectory, eventually } from '@gateway/repo-checks';
import { CookieBrowser, signIn, startProvider, testUser } from '@gateway/test-identity';
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

/** Returns a free port of the loopback address: the addresses must be known before the programs start. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const GATEWAY = `http://127.0.0.1:${await freePort()}`;
const PORTAL = `http://127.0.0.1:${await freePort()}/tools/`;

/** Starts a gateway in mode `broker` with the portal as a client. */
const startGateway = async (): Promise<void> => {
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
  const directory = configDirectory();
  onTestFinished(() => {
    directory.remove();
  });
  directory.write('secret', 'the secret of the gateway');
  directory.config({
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
  await eventually(async () => {
    expect((await fetch(`${GATEWAY}/readyz`)).ok).toBe(true);
  }, 10_000);
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

it('signs a person in at the gateway, whose tools answer in the name of the person', async () => {
  await startGateway();
  const portal = await startPortal();
  const browser = new CookieBrowser();
  const refused = await browser.request(new URL('mcp', PORTAL), { method: 'POST', body: '{}' });
  expect(refused.status).toBe(401);
  const link = new URL(`auth/start?return=${encodeURIComponent(`${PORTAL}catalog`)}`, PORTAL);
  const page = await signIn(link, testUser('alice'), { browser });
  expect(page.url).toBe(`${PORTAL}catalog`);
  const session = await browser.request(new URL('session', PORTAL));
  const { token, person } = (await session.json()) as { readonly token: string; person: unknown };
  // The gateway gives clients an identifier of the person, without name and address.
  expect(person).toEqual({ name: expect.stringMatching(/^[\w-]{43}$/u) as string });
  const answer = await browser.request(new URL('mcp', PORTAL), {
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
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('call_tool');
  const ended = await browser.request(new URL('auth/end', PORTAL), {
    method: 'POST',
    headers: { 'x-portal-token': token },
  });
  expect(ended.status).toBe(200);
  const after = await browser.request(new URL('session', PORTAL));
  expect(await after.json()).not.toHaveProperty('person');
  const exited = once(portal, 'exit');
  portal.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
