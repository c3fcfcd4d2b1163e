import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDirectory, eventually } from '@gateway/repo-checks';
import { signIn, startProvider, startRedis, testUser } from '@gateway/test-identity';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../harness/free-port.ts';
import { CLI, SERVER_ENV, startGateway } from '../harness/gateway.ts';
import { startNode } from '../harness/process.ts';

interface Stored {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenEndpoint: string;
  readonly resource: string;
  readonly client: { readonly clientId: string };
}

const home = mkdtempSync(join(tmpdir(), 'shared-state-'));

const login = async (url: string): Promise<Stored> => {
  const env = { ...SERVER_ENV, XDG_CONFIG_HOME: home, GATEWAY_KEYRING: 'off' };
  const running = startNode([CLI, 'auth', 'login', '--no-browser', url], { env });
  const link = await running.line((line) => line.startsWith('http'));
  await signIn(link, testUser('alice'));
  expect(await running.exited).toMatchObject({ code: 0 });
  const text = readFileSync(join(home, 'mcp-gateway', 'sign-ins.json'), 'utf8');
  const stored = (JSON.parse(text) as Record<string, { signIn: Stored }>)[url]?.signIn;
  if (stored === undefined) throw new Error('nothing is stored');
  return stored;
};

const refresh = (origin: string, token: string, { client, resource, tokenEndpoint }: Stored) =>
  fetch(new URL(new URL(tokenEndpoint).pathname, origin), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: client.clientId,
      resource,
    }),
  });

const listTools = (origin: string, token: string): Promise<Response> =>
  fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }),
  });

it('signs in at one gateway, calls and refreshes at another, and recovers from the loss of the server', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const ports = [await freePort(), await freePort()];
  const [first, second] = ports.map((port) => `http://127.0.0.1:${String(port)}`) as [
    string,
    string,
  ];
  const provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${first}/oauth/upstream/callback`],
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  onTestFinished(() => provider.close());
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = {
    GATEWAY_STATE_KEY: randomBytes(32).toString('base64'),
    GATEWAY_SESSION_KEY: randomBytes(32).toString('base64'),
  };
  const gateways = [];
  for (const port of ports) {
    const directory = configDirectory();
    onTestFinished(() => directory.remove());
    directory.config({
      http: { publicUrl: first },
      state: { store: 'redis', url: redis.url.href },
      auth: {
        mode: 'broker',
        broker: { upstream: { issuer: provider.issuer, clientId: 'gateway' } },
      },
    });
    const gateway = await startGateway(directory.path, { args: ['--port', String(port)], env });
    onTestFinished(async () => {
      await gateway.stop();
    });
    gateways.push(gateway);
  }

  const stored = await login(`${first}/mcp`);
  expect((await listTools(second, stored.accessToken)).status).toBe(200);
  const answer = await refresh(second, stored.refreshToken, stored);
  expect(answer.status).toBe(200);
  const renewed = (await answer.json()) as { access_token: string; refresh_token: string };
  expect((await listTools(first, renewed.access_token)).status).toBe(200);

  await redis.stop();
  const away = await refresh(second, renewed.refresh_token, stored);
  expect(away.status).toBeGreaterThanOrEqual(500);
  expect((await fetch(new URL('/healthz', second))).status).toBe(200);
  await redis.start();
  await eventually(async () => {
    await login(`${first}/mcp`);
  }, 60_000);

  const logs = gateways.flatMap(({ stderr, stdout }) => [...stderr, ...stdout]).join('\n');
  for (const secret of [stored.accessToken, stored.refreshToken, renewed.refresh_token]) {
    expect(logs).not.toContain(secret);
  }
  expect(logs).toContain('The state store is not available: no connection to the server.');
  expect(logs).toContain('The state store is available again.');
});
