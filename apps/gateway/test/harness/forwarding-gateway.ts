import { type ConfigDirectory } from '@gateway/repo-checks';
import { signIn, createTestUser, type TestProvider } from '@gateway/test-peers';
import { expect } from 'vitest';
import { brokerAuth } from './broker-gateway.ts';
import { clientBrowser, REDIRECT } from './broker-token.ts';
import { connect, type TestClient } from './clients.ts';
import { startGateway, type RunningGateway } from './gateway.ts';
import { testDirectory } from './lifetime.ts';
import { ClientState, OAUTH_CLIENTS } from './oauth-clients.ts';

/** A gateway in mode `broker` whose servers receive the ID tokens of its callers. */
export interface ForwardingGateway {
  readonly gateway: RunningGateway;
  readonly directory: ConfigDirectory;
  readonly provider: TestProvider;
  /** Signs a user in to the gateway with a browser and returns their access token. */
  readonly tokenOf: (user: string) => Promise<string>;
  /** Signs a user in to the gateway with a browser and returns their client. */
  readonly clientOf: (user: string) => Promise<TestClient>;
  /** Adds a server with `forwardToken`. */
  readonly addServer: (name: string, url: string, requiredAudiences?: readonly string[]) => void;
}

/** Options of {@link startForwardingGateway}. */
export interface ForwardingOptions {
  readonly provider: TestProvider;
  readonly port: number;
  /** URL and audiences by name of the server. */
  readonly servers: Readonly<Record<string, readonly [url: string, ...audiences: string[]]>>;
}

const signInTo = async ({ url }: RunningGateway, user: string): Promise<string> => {
  const endpoint = new URL('/mcp', url);
  const state = new ClientState(REDIRECT);
  const oauth = OAUTH_CLIENTS['generation 2'];
  expect(await oauth.connect(endpoint, state)).toBe(false);
  const browser = clientBrowser();
  const page = await signIn(state.link ?? '', createTestUser(user), { browser });
  await oauth.finish(endpoint, state, new URL(page.url));
  return (state.tokens() as { readonly access_token: string }).access_token;
};

/** Starts a gateway. The end of the test stops it. */
export const startForwardingGateway = async (
  options: ForwardingOptions,
): Promise<ForwardingGateway> => {
  const { provider, port, servers } = options;
  const directory = testDirectory();
  directory.config({ auth: brokerAuth(directory, provider.issuer) });
  const addServer: ForwardingGateway['addServer'] = (name, url, requiredAudiences = []) => {
    const auth = { forwardToken: true, requiredAudiences };
    directory.server(name, { type: 'streamable-http', url, autoStart: true, auth });
  };
  for (const [name, [url, ...audiences]] of Object.entries(servers))
    addServer(name, url, audiences);
  const gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
  const tokenOf = (user: string): Promise<string> => signInTo(gateway, user);
  return {
    ...{ gateway, directory, provider, tokenOf, addServer },
    clientOf: async (user) => {
      const client = await connect(gateway.url, {
        authorization: `Bearer ${await tokenOf(user)}`,
      });
      return client;
    },
  };
};
