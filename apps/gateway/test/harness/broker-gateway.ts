import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import { findFreePort, startDex, startProvider, type TestProvider } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import { fixture } from './fixture.ts';
import { startGateway, type RunningGateway } from './gateway.ts';

const SECRET = 'the secret of the gateway';

const callbackAt = (port: number): string => `http://127.0.0.1:${port}/oauth/upstream/callback`;

/** Starts a provider at which a gateway on a free port is the client `gateway`. */
export const startBrokerProvider = async (
  options: Parameters<typeof startProvider>[0] = {},
): Promise<{ readonly provider: TestProvider; readonly port: number }> => {
  const port = await findFreePort();
  const provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        client_secret: SECRET,
        redirect_uris: [callbackAt(port)],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    ...options,
  });
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
  const dex = await startDex({ clients: [{ id: 'gateway', secret: SECRET, redirectURIs }] });
  onTestFinished(dex.close);
  const directory = createTestConfigDirectory();
  onTestFinished(() => {
    directory.remove();
  });
  directory.server('plain', fixture('plain'));
  directory.config({ auth: brokerAuth(directory, dex.issuer) });
  const gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
  onTestFinished(async () => {
    await gateway.stop();
  });
  return gateway;
};
