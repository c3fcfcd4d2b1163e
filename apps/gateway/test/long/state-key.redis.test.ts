import { randomBytes } from 'node:crypto';
import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import { startProvider, startRedis, findFreePort } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { initialize, login, refresh, type StoredSignIn } from '../harness/stored-sign-in.ts';

interface Replica {
  readonly origin: string;
  /** Stops the gateway and starts it again with other keys. */
  readonly restart: (current: string, previous?: string) => Promise<void>;
  readonly output: () => string;
}

const sessionKey = randomBytes(32).toString('base64');

const createReplica = (directory: ConfigDirectory, port: number): Replica => {
  let running: RunningGateway | undefined;
  const lines: string[] = [];
  const stop = async (): Promise<void> => {
    await running?.stop();
    lines.push(...(running?.stderr ?? []));
    running = undefined;
  };
  onTestFinished(stop);
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    restart: async (current, previous) => {
      await stop();
      const env = {
        GATEWAY_SESSION_KEY: sessionKey,
        GATEWAY_STATE_KEY: current,
        ...(previous !== undefined && { GATEWAY_STATE_KEY_PREVIOUS: previous }),
      };
      running = await startGateway(directory.path, { args: ['--port', String(port)], env });
    },
    output: () => [...lines, ...(running?.stderr ?? [])].join('\n'),
  };
};

/** Two gateways behind one public URL, with one store. */
const createReplicas = async (): Promise<readonly [Replica, Replica]> => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const ports = [await findFreePort(), await findFreePort()] as const;
  const publicUrl = `http://127.0.0.1:${String(ports[0])}`;
  const provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${publicUrl}/oauth/upstream/callback`],
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  onTestFinished(() => provider.close());
  const directory = createTestConfigDirectory();
  onTestFinished(() => directory.remove());
  const upstream = { issuer: provider.issuer, clientId: 'gateway' };
  directory.config({
    http: { publicUrl },
    state: { store: 'redis', url: redis.url.href },
    auth: { mode: 'broker', broker: { upstream } },
  });
  return [createReplica(directory, ports[0]), createReplica(directory, ports[1])];
};

/** Refreshes at each replica, and uses each token at the other one. @returns the last refresh token */
const useBoth = async (
  replicas: readonly [Replica, Replica],
  token: string,
  stored: StoredSignIn,
): Promise<string> => {
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

it('keeps users signed in while the state key is replaced, one gateway after the other', async () => {
  const [old, key] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const replicas = await createReplicas();
  for (const replica of replicas) await replica.restart(old);
  const stored = await login(`${replicas[0].origin}/mcp`);
  let token = await useBoth(replicas, stored.refreshToken, stored);
  const steps = [
    [old, key],
    [key, old],
  ] as const;
  for (const [current, previous] of steps)
    for (const replica of replicas) {
      await replica.restart(current, previous);
      token = await useBoth(replicas, token, stored);
    }
  const isUnreadable = 'cannot decrypt';
  for (const replica of replicas) expect(replica.output()).not.toContain(isUnreadable);

  // Without the old key, what was not written since is absent: the user signs in again, and nothing fails otherwise.
  for (const replica of replicas) await replica.restart(key);
  for (const { origin } of replicas)
    expect([200, 400]).toContain((await refresh(origin, token, stored)).status);
  const again = await login(`${replicas[0].origin}/mcp`);
  await useBoth(replicas, again.refreshToken, again);
});
