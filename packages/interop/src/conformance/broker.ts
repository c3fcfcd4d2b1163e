import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProvider, freePort } from '@gateway/test-peers';
import { serveGateway, type GatewayOptions, type Setup } from './setup.ts';

/** The client of the suite, which the gateway knows in advance. */
export const SUITE_CLIENT = 'conformance';

const SECRET = 'the secret of the gateway';

/** Starts the gateway in mode `broker` before an OpenID provider in this process. It has no servers. */
export async function startBroker(options: GatewayOptions): Promise<Setup> {
  const port = await freePort();
  const provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        client_secret: SECRET,
        redirect_uris: [`http://127.0.0.1:${port}/oauth/upstream/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  const configDir = join(options.folder, 'config');
  mkdirSync(join(configDir, 'mcpservers'), { recursive: true });
  writeFileSync(join(configDir, 'secret'), SECRET, { mode: 0o600 });
  writeFileSync(join(configDir, 'config.yaml'), JSON.stringify(configuration(provider.issuer)));
  const args = ['--port', String(port), '--config-dir', configDir, '--no-health-listener'];
  return serveGateway({ ...options, args, stopPeer: provider.close });
}

const configuration = (issuer: string): object => ({
  auth: {
    mode: 'broker',
    broker: {
      upstream: { issuer, clientId: 'gateway', clientSecretFile: 'secret' },
      // The port of a loopback redirect URI may differ.
      clients: [{ clientId: SUITE_CLIENT, redirectUris: ['http://127.0.0.1/callback'] }],
    },
  },
});
