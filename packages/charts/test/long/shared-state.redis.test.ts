import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProvider, startRedis, findFreePort } from '@gateway/test-peers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatewayObjects } from '../gateway/gateway-chart.ts';
import { accessTokenAt, statusWith, upstreamClient } from '../gateway/sign-in-at.ts';
import { startRendered, type ClusterSecrets } from '../gateway/started-render.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shared-state-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('the gateway of the chart keeps sign-ins in a server, with the key, the previous key and the password of the Secret', async () => {
  const [port, healthPort] = [await findFreePort(), await findFreePort()];
  const base = `http://127.0.0.1:${port.toString()}`;
  const redis = await startRedis(['--requirepass', 'of the server']);
  const provider = await startProvider({ clients: [upstreamClient(base, 'secret')] });
  const objects = await gatewayObjects({
    replicas: 2,
    stateSecret: { existingSecret: 'state' },
    secretFiles: [{ secret: 'provider', keys: ['client-secret'] }],
    muster: {
      http: { port, publicUrl: base },
      health: { port: healthPort },
      stateDirectory: join(folder, 'state'),
      workflows: { executionsDirectory: join(folder, 'runs') },
      state: { store: 'redis', url: redis.url.href },
      auth: {
        mode: 'broker',
        broker: {
          upstream: {
            issuer: provider.issuer,
            clientId: 'gateway',
            clientSecretFile: 'secrets/provider/client-secret',
          },
        },
      },
    },
  });
  const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const secrets = (state: Readonly<Record<string, string>>): ClusterSecrets => ({
    provider: { 'client-secret': 'secret' },
    state: { password: 'of the server', ...state },
  });
  try {
    const before = await startRendered(objects, folder, secrets({ 'state-key': first }));
    const token = await accessTokenAt(base, 'alice');
    const status = await statusWith(base, token);
    await before.stop();
    const rotated = { 'state-key': second, 'previous-state-key': first };
    const after = await startRendered(objects, folder, secrets(rotated));
    const again = await statusWith(base, token);
    await after.stop();
    expect([status, again]).toEqual([200, 200]);
  } finally {
    await Promise.all([redis.close(), provider.close()]);
  }
});
