import { createTestConfigDirectory } from '@gateway/repo-checks';
import { startDex, findFreePort } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import { fixture } from './fixture.ts';
import { startGateway, type RunningGateway } from './gateway.ts';

/** A gateway in mode `broker` with one server, in front of Dex. The end of the test stops both. */
export const startBrokerGateway = async (): Promise<RunningGateway> => {
  const port = await findFreePort();
  const redirectURIs = [`http://127.0.0.1:${port}/oauth/upstream/callback`];
  const dex = await startDex({ clients: [{ id: 'gateway', secret: 'secret', redirectURIs }] });
  onTestFinished(dex.close);
  const directory = createTestConfigDirectory();
  onTestFinished(() => {
    directory.remove();
  });
  directory.write('dex-secret', 'secret');
  directory.server('plain', fixture('plain'));
  directory.config({
    auth: {
      mode: 'broker',
      broker: {
        upstream: { issuer: dex.issuer, clientId: 'gateway', clientSecretFile: 'dex-secret' },
        registration: { enabled: true },
      },
    },
  });
  const gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
  onTestFinished(async () => {
    await gateway.stop();
  });
  return gateway;
};
