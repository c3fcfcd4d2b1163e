import { type ConfigDirectory } from '@gateway/repo-checks';
import { findFreePort, startDex, startProvider, type TestProvider } from '@gateway/test-peers';
import { fixture } from './fixture.ts';
import { startGateway, type RunningGateway } from './gateway.ts';
import { closing, testDirectory } from './lifetime.ts';

const SECRET = 'the secret of the gateway';

const callbackAt = (port: number): string => `http://127.0.0.1:${port}/oauth/upstream/callback`;

/** Starts a provider at which a gateway on a free port is the client `gateway`. The end closes it. */
export const startBrokerProvider = async (
  options: Parameters<typeof startProvider>[0] = {},
  secret = SECRET,
): Promise<{ readonly provider: TestProvider; readonly port: number }> => {
  const port = await findFreePort();
  const client = {
    ...{ client_id: 'gateway', client_secret: secret, redirect_uris: [callbackAt(port)] },
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const provider = await closing(startProvider({ clients: [client], ...options }));
  return { provider, port };
};

/** Writes the secret of the client `gateway` and returns `auth` of a gateway in mode `broker`. */
export const brokerAuth = (directory: ConfigDirectory, issuer: string, more: object = {}) => {
  directory.write('client-secret', SECRET);
  const upstream = { issuer, clientId: 'gateway', clientSecretFile: 'client-secret' };
  return { mode: 'broker', broker: { upstream, registration: { enabled: true } }, ...more };
};

/** A gateway in mode `broker` with one server, in front of Dex. The end of the test stops both. */
export const startBrokerGateway = async (): Promise<RunningGateway> => {
  const port = await findFreePort();
  const redirectURIs = [callbackAt(port)];
  const client = { id: 'gateway', secret: SECRET, redirectURIs };
  const dex = await closing(startDex({ clients: [client] }));
  const directory = testDirectory();
  directory.server('plain', fixture('plain'));
  directory.config({ auth: brokerAuth(directory, dex.issuer) });
  return startGateway(directory.path, { args: ['--port', String(port)] });
};
