import { randomBytes } from 'node:crypto';
import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import { startRedis, type TestRedis, findFreePort } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import { startGateway, type RunningGateway } from './gateway.ts';

/** One of several gateways with the same state: its address stays when its process is replaced. */
export interface Replica {
  readonly url: URL;
  readonly port: number;
  gateway: RunningGateway;
  /** Starts a new process at the same address. */
  readonly start: () => Promise<void>;
}

/** Starts gateways that share one Redis, each with its own configuration directory. The end of the test stops them. */
export async function startReplicas(
  count: number,
  options: {
    readonly config?: Readonly<Record<string, unknown>>;
    readonly fill?: (directory: ConfigDirectory) => void;
    readonly args?: readonly string[];
  } = {},
): Promise<{ readonly redis: TestRedis; readonly replicas: readonly Replica[] }> {
  const { config = {}, fill = () => undefined, args = [] } = options;
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const env = { GATEWAY_STATE_KEY: randomBytes(32).toString('base64') };
  const state = { store: 'redis', url: redis.url.href };
  const startOne = async (): Promise<Replica> => {
    const directory = createTestConfigDirectory();
    onTestFinished(() => directory.remove());
    directory.config({ ...config, state });
    fill(directory);
    const port = await findFreePort();
    const start = async (): Promise<void> => {
      replica.gateway = await startGateway(directory.path, {
        args: ['--port', String(port), ...args],
        env,
      });
    };
    const url = new URL(`http://127.0.0.1:${String(port)}`);
    const replica = { url, port, start } as Replica;
    await start();
    onTestFinished(async () => {
      await replica.gateway.stop('SIGKILL');
    });
    return replica;
  };
  const replicas: Replica[] = [];
  for (let at = 0; at < count; at += 1) replicas.push(await startOne());
  return { redis, replicas };
}
