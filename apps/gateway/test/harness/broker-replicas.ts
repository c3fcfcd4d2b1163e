import { randomBytes } from 'node:crypto';
import { findFreePorts, startProvider, startRedis, type TestRedis } from '@gateway/test-peers';
import { startGateway, type RunningGateway } from './gateway.ts';
import { closing, testDirectory } from './lifetime.ts';

/** One of two gateways. */
export interface BrokerReplica {
  readonly origin: string;
  /** Starts the gateway; one that runs is stopped before. */
  readonly start: (currentKey: string, previousKey?: string) => Promise<void>;
  /** Returns what its processes have written. */
  readonly output: () => string;
}

/** Returns a key of the state. */
export const newKey = (): string => randomBytes(32).toString('base64');

/** Prepares two gateways in mode `broker` behind one public URL, that of the first one, with one state server. */
export const createBrokerReplicas = async (): Promise<{
  readonly redis: TestRedis;
  readonly replicas: readonly [BrokerReplica, BrokerReplica];
}> => {
  const redis = await closing(startRedis());
  const [first = 0, second = 0] = await findFreePorts(2);
  const publicUrl = `http://127.0.0.1:${first}`;
  const provider = await closing(
    startProvider({
      clients: [
        {
          ...{ client_id: 'gateway', token_endpoint_auth_method: 'none' },
          redirect_uris: [`${publicUrl}/oauth/upstream/callback`],
          application_type: 'native',
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
    }),
  );
  const directory = testDirectory();
  const upstream = { issuer: provider.issuer, clientId: 'gateway' };
  directory.config({
    http: { publicUrl },
    state: { store: 'redis', url: redis.url.href },
    auth: { mode: 'broker', broker: { upstream } },
  });
  const sessionKey = newKey();
  const createReplica = (port: number): BrokerReplica => {
    const processes: RunningGateway[] = [];
    return {
      origin: `http://127.0.0.1:${port}`,
      start: async (currentKey, previousKey = '') => {
        await processes.at(-1)?.stop();
        const env = {
          GATEWAY_SESSION_KEY: sessionKey,
          GATEWAY_STATE_KEY: currentKey,
          ...(previousKey !== '' && { GATEWAY_STATE_KEY_PREVIOUS: previousKey }),
        };
        const args = ['--port', String(port)];
        processes.push(await startGateway(directory.path, { args, env }));
      },
      output: () => processes.flatMap(({ stderr, stdout }) => [...stderr, ...stdout]).join('\n'),
    };
  };
  return { redis, replicas: [createReplica(first), createReplica(second)] };
};
