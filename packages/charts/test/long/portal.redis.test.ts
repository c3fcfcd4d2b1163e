import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startProvider, startRedis, findFreePort } from '@gateway/test-peers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNode, type NodeProcess } from '../harness/node-process.ts';
import { deploymentOf, validObjects } from '../harness/rendered-objects.ts';

/** The command line of the portal. It is a build. */
const CLI = resolve(import.meta.dirname, '../../../../apps/portal/dist/cli.js');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-chart-'));
  writeFileSync(join(folder, 'client-secret'), 'the secret of the client');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
}

/** Starts the portal as the rendered container does, on the loopback address. */
const start = async ({ args, env = [] }: Container, port: number): Promise<NodeProcess> => {
  const values: Readonly<Record<string, string>> = {
    PORTAL_SESSION_KEY: 'k'.repeat(48),
    PORTAL_REDIS_PASSWORD: 'of the server',
  };
  return await startNode(
    [CLI, ...args].map(
      (arg) =>
        ({
          '0.0.0.0': '127.0.0.1',
          '8070': port.toString(),
          '/etc/portal/client-secret': join(folder, 'client-secret'),
        })[arg] ?? arg,
    ),
    (line) => line.includes('the portal serves'),
    Object.fromEntries(env.map(({ name }) => [name, values[name] ?? ''])),
  );
};

it('the portal starts as the chart starts it, with sign-in, shared sessions and a prefix', async () => {
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port.toString()}/portal/`;
  const redis = await startRedis(['--requirepass', 'of the server']);
  const provider = await startProvider({
    clients: [
      {
        client_id: 'portal',
        client_secret: 'the secret of the client',
        redirect_uris: [`${publicUrl}auth/callback`],
      },
    ],
  });
  const objects = await validObjects('portal', {
    replicas: 2,
    publicUrl,
    // The schema takes issuers over HTTPS only; the test names its provider on the command line.
    signIn: {
      issuer: 'https://login.example.com',
      clientId: 'portal',
      clientSecret: { existingSecret: 'portal' },
    },
    sessionKey: { existingSecret: 'portal' },
    redis: { url: redis.url.href, password: { existingSecret: 'valkey' } },
  });
  const container = deploymentOf(objects).template.spec.containers[0] as unknown as Container;
  const args = container.args.map((arg) =>
    arg === 'https://login.example.com' ? provider.issuer : arg,
  );
  try {
    const portal = await start({ ...container, args }, port);
    const answers = await Promise.all(
      [
        `http://127.0.0.1:${port.toString()}${container.readinessProbe.httpGet.path}`,
        publicUrl,
        `${publicUrl}auth/start`,
      ].map(async (url) => await fetch(url, { redirect: 'manual' })),
    );
    await portal.stop();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 303]);
    const location = new URL(answers[2]?.headers.get('location') ?? '');
    expect(location.origin).toBe(new URL(provider.issuer).origin);
    expect(location.searchParams.get('redirect_uri')).toBe(`${publicUrl}auth/callback`);
  } finally {
    await Promise.all([redis.close(), provider.close()]);
  }
});
