import { randomBytes } from 'node:crypto';
import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { startProvider, startRedis, findFreePort } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../harness/gateway.ts';
import { initialize, login, refresh } from '../harness/stored-sign-in.ts';

it('signs in at one gateway, calls and refreshes at another, and recovers from the loss of the server', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const ports = [await findFreePort(), await findFreePort()];
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
  const env = {
    GATEWAY_STATE_KEY: randomBytes(32).toString('base64'),
    GATEWAY_SESSION_KEY: randomBytes(32).toString('base64'),
  };
  const gateways = [];
  for (const port of ports) {
    const directory = createTestConfigDirectory();
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
  expect((await initialize(second, stored.accessToken)).status).toBe(200);
  const answer = await refresh(second, stored.refreshToken, stored);
  expect(answer.status).toBe(200);
  const renewed = (await answer.json()) as { access_token: string; refresh_token: string };
  expect((await initialize(first, renewed.access_token)).status).toBe(200);

  await redis.stop();
  const away = await refresh(second, renewed.refresh_token, stored);
  expect(away.status).toBeGreaterThanOrEqual(500);
  expect((await fetch(new URL('/healthz', second))).status).toBe(200);
  await redis.start();
  await retryAssertion(async () => {
    await login(`${first}/mcp`);
  });

  const logs = gateways.flatMap(({ stderr, stdout }) => [...stderr, ...stdout]).join('\n');
  for (const secret of [stored.accessToken, stored.refreshToken, renewed.refresh_token]) {
    expect(logs).not.toContain(secret);
  }
  expect(logs).toContain('The state store is not available: no connection to the server.');
  expect(logs).toContain('The state store is available again.');
});
