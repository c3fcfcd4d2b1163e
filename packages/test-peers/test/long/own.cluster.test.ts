import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type OwnCluster, startOwnCluster } from '../../src/cluster/start-cluster.ts';

const start = async (options: Parameters<typeof startOwnCluster>[0]): Promise<OwnCluster> => {
  const own = await startOwnCluster(options);
  onTestFinished(() => own.close());
  return own;
};

const configMap = (namespace: string, name: string, owner?: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, ...(owner === undefined ? {} : { ownerReferences: [owner] }) },
});

describe('a cluster of one test', () => {
  it('records who asked for what', async () => {
    const { cluster, requests } = await start({ audit: true });
    const namespace = await cluster.namespace();
    const token = await cluster.serviceAccountToken(namespace, 'reader');
    const client = cluster.client({ token });
    const secret = `/api/v1/namespaces/${namespace}/secrets/one`;
    expect((await client.request('GET', secret)).status).toBe(403);
    const own = (await requests()).filter(({ user }) => user.endsWith(':reader'));
    expect(own).toEqual([
      {
        user: `system:serviceaccount:${namespace}:reader`,
        verb: 'get',
        group: '',
        resource: 'secrets',
        namespace,
        name: 'one',
        status: 403,
        at: expect.any(Number) as unknown,
      },
    ]);
  });

  it('is killed and restarted with its objects, and discards its history', async () => {
    const { cluster, kill, restart, compact, log } = await start({ watchCache: false });
    const namespace = await cluster.namespace();
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const { metadata } = await cluster.admin.apply(configMap(namespace, 'one'));
    await kill();
    await expect(cluster.admin.request('GET', path)).rejects.toThrow(/ECONNREFUSED|socket hang up/);
    await restart();
    expect(await cluster.admin.read(configMap(namespace, 'one'))).toMatchObject({ metadata });

    await cluster.admin.apply(configMap(namespace, 'two'));
    await compact();
    const version = String(metadata['resourceVersion']);
    const watch = `${path}?watch=true&resourceVersion=${version}&timeoutSeconds=5`;
    expect((await cluster.admin.request('GET', watch)).body).toMatchObject({
      type: 'ERROR',
      object: { code: 410, reason: 'Expired' },
    });
    expect(log()).toContain('Serving securely');
  });

  it('collects objects whose owner is gone and ends namespaces with the controllers', async () => {
    const { cluster } = await start({ controllerManager: true });
    const namespace = await cluster.namespace();
    const { metadata } = await cluster.admin.apply(configMap(namespace, 'owner'));
    const { uid, name } = metadata as { readonly uid?: string; readonly name?: string };
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
    await cluster.admin.apply(configMap(namespace, 'owned', owner));
    await cluster.admin.remove(configMap(namespace, 'owner'));
    const path = `/api/v1/namespaces/${namespace}`;
    const statusOf = async (of: string) => (await cluster.admin.request('GET', of)).status;
    await expect.poll(() => statusOf(`${path}/configmaps/owned`), { timeout: 60_000 }).toBe(404);
    await cluster.admin.expect('DELETE', path);
    await expect.poll(() => statusOf(path), { timeout: 60_000 }).toBe(404);
  });

  it('refuses to start with a feature gate that does not exist, with the log of the program', async () => {
    await expect(startOwnCluster({ featureGates: { NoSuchGate: true } })).rejects.toThrow(
      /^kube-apiserver ended:[^]*NoSuchGate/,
    );
  });

  it('ends with its process, also when that is killed', async () => {
    const loader = new URL('../../../repo-checks/bin/load-typescript.mjs', import.meta.url).href;
    const program = fileURLToPath(new URL('../start-and-wait.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', loader, program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { folder, etcdUrl } = JSON.parse(line) as { folder: string; etcdUrl: string };
    expect((await fetch(`${etcdUrl}/health`)).status).toBe(200);
    child.kill('SIGKILL');
    await expect.poll(() => existsSync(folder), { timeout: 60_000 }).toBe(false);
    await expect(fetch(`${etcdUrl}/health`)).rejects.toThrow();
  });
});
