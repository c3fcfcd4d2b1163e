import { beforeAll, describe, expect, it } from 'vitest';
import { openSharedCluster, type Cluster } from '../../src/index.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openSharedCluster();
});

const configMap = (namespace: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name: 'one' },
  data,
});

describe('the shared cluster', () => {
  it('is the same one in a second call', async () => {
    expect(await openSharedCluster()).toBe(cluster);
  });

  it('keeps what a test writes in a namespace of its own', async () => {
    const [one, two] = await Promise.all([cluster.namespace(), cluster.namespace()]);
    await cluster.admin.apply(configMap(one, { key: 'one' }));
    const other = await cluster.admin.request('GET', `/api/v1/namespaces/${two}/configmaps/one`);
    expect(other.status).toBe(404);
    expect(await cluster.admin.read(configMap(one, {}))).toMatchObject({ data: { key: 'one' } });
    await cluster.admin.remove(configMap(one, {}));
    await expect(cluster.admin.read(configMap(one, {}))).rejects.toThrow(/404 configmaps "one"/);
  });

  it('refuses a token of a service account after its seconds', async () => {
    const namespace = await cluster.namespace();
    const path = '/api/v1/namespaces';
    const accepted = await cluster.serviceAccountToken(namespace, 'one', { seconds: 30 });
    expect((await cluster.client({ token: accepted }).request('GET', path)).status).toBe(403);
    const expired = await cluster.serviceAccountToken(namespace, 'one', { seconds: 0 });
    expect((await cluster.client({ token: expired }).request('GET', path)).status).toBe(401);
  });
});
