import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProvider, type TestProvider, findFreePort } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManifestObject } from '../../../src/render.ts';
import { type NodeProcess } from '../../harness/node-process.ts';
import { gatewayObjects } from '../../gateway/gateway-chart.ts';
import { objectOf } from '../../harness/rendered-objects.ts';
import { accessTokenAt, statusWith, upstreamClient } from '../../gateway/sign-in-at.ts';
import { startRendered } from '../../gateway/started-render.ts';

const SECRET = 'secret of the gateway: +%/';

let folder: string;
let port: number;
let base: string;
let provider: TestProvider;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sign-in-'));
  port = await findFreePort();
  base = `http://127.0.0.1:${port.toString()}`;
  provider = await startProvider({ clients: [upstreamClient(base, SECRET)] });
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

/** A path that an Ingress or an HTTPRoute forwards, alone or with the paths below it. */
interface Forwarded {
  readonly path: string;
  readonly isPrefix: boolean;
}

const pathsOf = (objects: readonly ManifestObject[], kind: string, pattern: RegExp) =>
  [...JSON.stringify(objectOf(objects, kind)['spec']).matchAll(pattern)].map(
    ({ groups = {} }): Forwarded => ({
      path: groups['path'] ?? '',
      isPrefix: groups['type']?.endsWith('Prefix') === true,
    }),
  );

const isForwarded = (paths: readonly Forwarded[], path: string): boolean =>
  paths.some((one) => path === one.path || (one.isPrefix && path.startsWith(`${one.path}/`)));

const jsonAt = async (url: string): Promise<Readonly<Record<string, unknown>>> => {
  const response = await fetch(url);
  expect(response.status, url).toBe(200);
  return (await response.json()) as Record<string, unknown>;
};

describe('a gateway with auth.mode broker that serves what the chart renders', () => {
  let objects: readonly ManifestObject[];
  let gateway: NodeProcess;

  beforeAll(async () => {
    objects = await gatewayObjects({
      secretFiles: [{ secret: 'provider', keys: ['client-secret'] }],
      ingress: { enabled: true, hosts: [{ host: '127.0.0.1' }] },
      httpRoute: { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['127.0.0.1'] },
      muster: {
        http: { port, publicUrl: base },
        health: { port: await findFreePort() },
        stateDirectory: join(folder, 'state'),
        workflows: { executionsDirectory: join(folder, 'runs') },
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
    gateway = await startRendered(objects, join(folder, 'broker'), {
      provider: { 'client-secret': SECRET },
    });
  });
  afterAll(async () => {
    await gateway.stop();
  });

  it('asks for a token, and names its metadata below the public URL', async () => {
    const response = await fetch(`${base}/mcp`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain(
      `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it('has each path that clients and browsers need in the Ingress and the HTTPRoute, and no other', async () => {
    const resource = '/.well-known/oauth-protected-resource/mcp';
    const server = '/.well-known/oauth-authorization-server';
    const { authorization_servers } = await jsonAt(base + resource);
    expect(authorization_servers).toEqual([base]);
    const endpoints = Object.values({
      ...(await jsonAt(base + server)),
      ...(await jsonAt(`${base}/.well-known/openid-configuration`)),
    }).filter((value) => typeof value === 'string' && value.startsWith(`${base}/`));
    expect(endpoints.length).toBeGreaterThan(3);
    const paths = endpoints.map((url) => new URL(String(url)).pathname);
    const further = ['/mcp', resource, server, '/oauth/upstream/callback', '/oauth/proxy/callback'];
    const others = ['/', '/metrics', '/readyz', '/oauthx', '/.well-known/acme-challenge/x'];
    const all = [...paths, ...further, ...others];
    for (const forwarded of [
      pathsOf(objects, 'Ingress', /"path":"(?<path>[^"]*)","pathType":"(?<type>\w+)"/gu),
      pathsOf(objects, 'HTTPRoute', /"type":"(?<type>\w+)","value":"(?<path>[^"]*)"/gu),
    ])
      expect(all.filter((path) => !isForwarded(forwarded, path))).toEqual(others);
  });

  it('signs a user in, with the client secret of the mounted file', async () => {
    const token = await accessTokenAt(base, 'alice');
    expect([await statusWith(base, token), await statusWith(base, `${token}x`)]).toEqual([
      200, 401,
    ]);
  });
});

it('a gateway with auth.mode resource-server that serves what the chart renders names the issuer to clients', async () => {
  const objects = await gatewayObjects({
    muster: {
      http: { port, publicUrl: base },
      health: { port: await findFreePort() },
      stateDirectory: join(folder, 'state-of-rs'),
      workflows: { executionsDirectory: join(folder, 'runs-of-rs') },
      auth: { mode: 'resource-server', issuers: [{ issuer: provider.issuer }] },
    },
  });
  const gateway = await startRendered(objects, join(folder, 'resource-server'));
  try {
    const metadata = await jsonAt(`${base}/.well-known/oauth-protected-resource`);
    expect(metadata['authorization_servers']).toEqual([provider.issuer]);
  } finally {
    await gateway.stop();
  }
});
