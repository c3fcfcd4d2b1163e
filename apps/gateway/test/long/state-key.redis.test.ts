import { expect, it } from 'vitest';
import { createBrokerReplicas, newKey } from '../harness/broker-replicas.ts';
import { initialize, login, refresh, type StoredSignIn } from '../harness/stored-sign-in.ts';

it('keeps users signed in while the state key is replaced, one gateway after the other', async () => {
  const { replicas } = await createBrokerReplicas();
  /** Refreshes at each replica, and uses each token at both. Returns the last refresh token. */
  const useBoth = async (token: string, stored: StoredSignIn): Promise<string> => {
    let current = token;
    for (const { origin } of replicas) {
      const answer = await refresh(origin, current, stored);
      expect(answer.status).toBe(200);
      const body = (await answer.json()) as { access_token: string; refresh_token: string };
      for (const other of replicas)
        expect((await initialize(other.origin, body.access_token)).status).toBe(200);
      current = body.refresh_token;
    }
    return current;
  };
  const [old, key] = [newKey(), newKey()];
  for (const replica of replicas) await replica.start(old);
  const stored = await login(`${replicas[0].origin}/mcp`);
  let token = await useBoth(stored.refreshToken, stored);
  for (const [current, previous] of [
    [old, key],
    [key, old],
  ] as const)
    for (const replica of replicas) {
      await replica.start(current, previous);
      token = await useBoth(token, stored);
    }
  for (const replica of replicas) expect(replica.output()).not.toContain('cannot decrypt');

  // Without the old key, what was not written since is absent: the user signs in again, and nothing fails otherwise.
  for (const replica of replicas) await replica.start(key);
  for (const { origin } of replicas)
    expect([200, 400]).toContain((await refresh(origin, token, stored)).status);
  const again = await login(`${replicas[0].origin}/mcp`);
  await useBoth(again.refreshToken, again);
});
