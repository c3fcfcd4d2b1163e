import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { createBrokerReplicas, newKey } from '../harness/broker-replicas.ts';
import { initialize, login, refresh } from '../harness/stored-sign-in.ts';

it('signs in at one gateway, calls and refreshes at another, and recovers from the loss of the server', async () => {
  const { redis, replicas } = await createBrokerReplicas();
  const key = newKey();
  for (const replica of replicas) await replica.start(key);
  const [first, second] = [replicas[0].origin, replicas[1].origin];

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

  const logs = replicas.map((replica) => replica.output()).join('\n');
  for (const secret of [stored.accessToken, stored.refreshToken, renewed.refresh_token])
    expect(logs).not.toContain(secret);
  expect(logs).toContain('The state store is not available: no connection to the server.');
  expect(logs).toContain('The state store is available again.');
});
