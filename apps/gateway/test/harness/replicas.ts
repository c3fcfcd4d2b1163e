import { randomBytes } from 'node:crypto';
import { type ConfigDirectory } from '@gateway/repo-checks';
import { startRedis, type TestRedis, findFreePort } from '@gateway/test-peers';
import type { GatewayCluster } from './gateway-cluster.ts';
import { startGateway, type RunningGateway } from './gateway.ts';
import { atEnd, closing, testDirectory } from './lifetime.ts';

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
    /** They read the definitions of this cluster. */
    readonly cluster?: GatewayCluster;
  } = {},
): Promise<{ readonly redis: TestRedis; readonly replicas: readonly Replica[] }> {
  const { config = {}, fill = () => undefined, args = [], cluster } = options;
  const redis = await closing(startRedis());
  const env = {
    GATEWAY_STATE_KEY: randomBytes(32).toString('base64'),
    ...(cluster && { KUBECONFIG: cluster.kubeconfig }),
  };
  const state = { store: 'redis', url: redis.url.href };
  const kubernetes = cluster && {
    ...{ namespaces: [cluster.namespace], namespace: cluster.namespace },
  };
  const startOne = async (): Promise<Replica> => {
    const directory = testDirectory();
    directory.config({ ...config, state, ...(kubernetes && { kubernetes }) });
    fill(directory);
    const port = await findFreePort();
    const all = ['--port', String(port), ...(cluster ? ['--kubernetes'] : []), ...args];
    const start = async (): Promise<void> => {
      replica.gateway = await startGateway(directory.path, { args: all, env });
      const { gateway } = replica;
      // Without a drain.
      atEnd(() => gateway.stop('SIGKILL'));
    };
    const url = new URL(`http://127.0.0.1:${String(port)}`);
    const replica = { url, port, start } as Replica;
    await start();
    return replica;
  };
  const replicas: Replica[] = [];
  for (let at = 0; at < count; at += 1) replicas.push(await startOne());
  return { redis, replicas };
}
