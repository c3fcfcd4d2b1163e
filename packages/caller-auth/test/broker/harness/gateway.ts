import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryStore, type StateStore } from '@gateway/state-store';
import { startProvider, type ProviderOptions, type TestProvider } from '@gateway/test-peers';
import {
  type Broker,
  type BrokerOptions,
  createBroker,
} from '../../../src/broker/create-broker.ts';
import { handleWith } from './serve-broker.ts';
import { brokerSchema } from '../../../src/auth-settings.ts';

/** A gateway with the authorization server alone, and the provider that users sign in at. */
export interface TestGateway {
  readonly url: string;
  readonly resource: string;
  readonly broker: Broker;
  readonly provider: TestProvider;
  readonly store: StateStore;
  readonly failures: readonly string[];
  readonly close: () => Promise<void>;
}

/** How the gateway of a test differs. */
export interface TestGatewayOptions extends Partial<
  Omit<BrokerOptions, 'settings' | 'publicUrl' | 'resource'>
> {
  /** Members of `auth.broker`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Secret of the gateway at the provider. */
  readonly clientSecret?: string;
  readonly provider?: ProviderOptions;
  /** Starts another provider than `startProvider`; returns the settings that differ. */
  readonly upstream?: (redirectUri: string) => Promise<{ readonly issuer: string }>;
}

const listen = async (server: Server): Promise<string> => {
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const SECRET = 'the secret of the gateway';

/** The gateway as a client of the provider. */
export const upstreamClient = (url: string, secret = SECRET) => ({
  client_id: 'gateway',
  client_secret: secret,
  redirect_uris: [`${url}/oauth/upstream/callback`],
  grant_types: ['authorization_code', 'refresh_token'],
});

/** Starts a gateway with the authorization server, and a provider for it. */
export const startGateway = async (options: TestGatewayOptions = {}): Promise<TestGateway> => {
  const { settings = {}, provider: providerOptions, upstream, ...rest } = options;
  const { clientSecret = SECRET, ...others } = rest;
  // Idle connections stay, so that no request of many sign-ins meets one that closes.
  const server = createServer({ keepAliveTimeout: 0 });
  const url = await listen(server);
  const provider = await startProvider({
    audiences: ['kubernetes', 'other'],
    ...providerOptions,
    clients: [upstreamClient(url, clientSecret)],
  });
  const store =
    others.store ?? createMemoryStore({ maxEntries: 200_000, maxBytes: 256 * 1024 * 1024 });
  const failures: string[] = [];
  const broker = await createBroker({
    settings: brokerSchema.parse({
      upstream: {
        issuer: provider.issuer,
        clientId: 'gateway',
        clientSecretFile: 'secret',
        ...(await upstream?.(`${url}/oauth/upstream/callback`)),
      },
      ...settings,
    }),
    publicUrl: new URL(url),
    resource: `${url}/mcp`,
    adminGroups: ['admins'],
    allowPrivate: false,
    requiredAudiences: () => [],
    returnPath: '/return',
    readSecret: async () => Promise.resolve(clientSecret),
    onFailure: (line) => failures.push(line),
    ...others,
    store,
  });
  server.on('request', handleWith(broker));
  const close = async (): Promise<void> => {
    await closeServer(server);
    await provider.close();
    if (others.store === undefined) await store.close();
  };
  return { url, resource: `${url}/mcp`, broker, provider, store, failures, close };
};
