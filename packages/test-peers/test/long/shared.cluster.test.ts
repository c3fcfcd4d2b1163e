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

const reader = (namespace: string, subject: object) => [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { namespace, name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { namespace, name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [subject],
  },
];

describe('the shared cluster', () => {
  it('is a Kubernetes of the pinned version', async () => {
    expect(await cluster.admin.expect('GET', '/version')).toMatchObject({ gitVersion: 'v1.34.4' });
  });

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

  it('asks for roles: a service account reads what its role allows and nothing else', async () => {
    const namespace = await cluster.namespace();
    const token = await cluster.serviceAccountToken(namespace, 'one');
    const client = cluster.client({ token });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    expect((await client.request('GET', path)).status).toBe(403);

    const subject = { kind: 'ServiceAccount', namespace, name: 'one' };
    for (const object of reader(namespace, subject)) await cluster.admin.apply(object);
    await expect.poll(async () => (await client.request('GET', path)).status).toBe(200);
    expect((await client.request('POST', path, { content: {} })).status).toBe(403);
  });

  it('refuses a token of a service account after its seconds', async () => {
    const namespace = await cluster.namespace();
    const path = '/api/v1/namespaces';
    const accepted = await cluster.serviceAccountToken(namespace, 'one', { seconds: 30 });
    expect((await cluster.client({ token: accepted }).request('GET', path)).status).toBe(403);
    const expired = await cluster.serviceAccountToken(namespace, 'one', { seconds: 0 });
    expect((await cluster.client({ token: expired }).request('GET', path)).status).toBe(401);
  });

  it('answers nobody', async () => {
    expect((await cluster.client().request('GET', '/api/v1/namespaces')).status).toBe(403);
  });
});
