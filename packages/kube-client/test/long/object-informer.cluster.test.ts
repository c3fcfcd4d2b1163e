import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOwnCluster, createTestDirectory } from '@gateway/test-peers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { change, create, follow, hold, remove, soon } from '../followed-objects.ts';

let own: Awaited<ReturnType<typeof startOwnCluster>>;
beforeAll(async () => {
  // Without the cache, compaction also ends watches.
  own = await startOwnCluster({ watchCache: false });
});
afterAll(() => own.close());

it('lists again when its version was compacted (410), and misses no change', async () => {
  const { proxy, names, namespace, uidOf, lists, errorCodes } = await follow(own.cluster);
  await create(own.cluster, namespace, 'gone');
  await create(own.cluster, namespace, 'again');
  await soon(names).toEqual(['again', 'gone']);
  const before = uidOf('again');
  await soon(() => proxy.watches.count).toBe(1);
  const release = hold(proxy);
  proxy.watches.cut();
  await remove(own.cluster, namespace, 'gone');
  await remove(own.cluster, namespace, 'again');
  await create(own.cluster, namespace, 'again');
  await create(own.cluster, namespace, 'new');
  await own.compact();
  expect([lists(), errorCodes()]).toEqual([1, []]);
  release();
  await soon(names).toEqual(['again', 'new']);
  expect(uidOf('again')).not.toBe(before);
  expect([lists(), errorCodes()]).toEqual([2, [410]]);
});

it('continues from its version after a cut, without a list', async () => {
  const { proxy, names, namespace, lists } = await follow(own.cluster);
  await create(own.cluster, namespace, 'a');
  await soon(names).toEqual(['a']);
  const release = hold(proxy);
  proxy.watches.cut();
  await create(own.cluster, namespace, 'b');
  await remove(own.cluster, namespace, 'a');
  release();
  await soon(names).toEqual(['b']);
  expect(lists()).toBe(1);
});

it('keeps its objects while the API server restarts, and follows it afterwards', async () => {
  const { names, namespace, log } = await follow(own.cluster);
  await create(own.cluster, namespace, 'a');
  await soon(names).toEqual(['a']);
  await own.kill();
  await soon(() => log.length).toBe(1);
  expect(names()).toEqual(['a']);
  await own.restart();
  await create(own.cluster, namespace, 'b');
  await soon(names).toEqual(['a', 'b']);
  expect(log).toEqual([expect.stringMatching(/^(?:list|watch) broken$/), 'recovered']);
});

it('reads the token of a service account again after it has expired', async () => {
  const { cluster } = own;
  const namespace = await cluster.namespace();
  const tokenFile = join(await createTestDirectory(), 'token');
  const expired = await cluster.serviceAccountToken(namespace, 'reader', { seconds: 0 });
  await writeFile(tokenFile, expired);
  const { names, log } = await follow(cluster, { namespace, user: { tokenFile } });
  await create(cluster, namespace, 'a');
  await soon(() => log).toEqual(['list 401']);
  const group = 'rbac.authorization.k8s.io';
  await cluster.admin.apply({
    ...{ apiVersion: `${group}/v1`, kind: 'ClusterRoleBinding', metadata: { name: namespace } },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', namespace, name: 'reader' }],
  });
  await writeFile(tokenFile, await cluster.serviceAccountToken(namespace, 'reader'));
  await soon(names).toEqual(['a']);
  expect(log).toEqual(['list 401', 'recovered']);
});

it('waits for a kind that is not served yet, and survives its removal', async () => {
  const kind = { group: 'late.example', version: 'v1', kind: 'Thing', resource: 'things' };
  const definition = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'things.late.example' },
    spec: {
      ...{ group: 'late.example', scope: 'Namespaced' },
      names: { kind: 'Thing', plural: 'things', singular: 'thing' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  };
  const { names, namespace, log } = await follow(own.cluster, { kind });
  await soon(() => log).toEqual(['list 404']);
  await own.cluster.define(definition);
  const metadata = { namespace, name: 'a' };
  const thing = { apiVersion: 'late.example/v1', kind: 'Thing', metadata };
  await own.cluster.admin.apply(thing);
  await soon(names).toEqual(['a']);
  const at = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.late.example';
  await own.cluster.admin.expect('DELETE', at);
  await soon(names).toEqual([]);
  await soon(async () => (await own.cluster.admin.request('GET', at)).status).toBe(404);
  await own.cluster.define(definition);
  await own.cluster.admin.apply({ ...thing, metadata: { namespace, name: 'b' } });
  await soon(names).toEqual(['b']);
});

it('lists 5,000 objects in pages', async () => {
  const namespace = await own.cluster.namespace();
  const rest = Array.from({ length: 5_000 }, (_, index) => `c-${String(index)}`);
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let name = rest.pop(); name !== undefined; name = rest.pop())
        await create(own.cluster, namespace, name);
    }),
  );
  const startedAt = performance.now();
  const { names, proxy, lists } = await follow(own.cluster, { namespace });
  console.info(`5,000 objects listed in ${Math.round(performance.now() - startedAt)} ms`);
  expect(names()).toHaveLength(5_000);
  const pages = proxy.requests.filter(({ query }) => query.has('continue'));
  expect([lists(), pages.length]).toEqual([1, 9]);
  await create(own.cluster, namespace, 'one-more');
  await soon(() => names().length).toBe(5_001);
});

it('begins a list again when its pages have expired (410), and gives up after three attempts', async () => {
  const { cluster } = own;
  const namespace = await cluster.namespace();
  for (const name of ['a', 'b', 'c']) await create(cluster, namespace, name);
  const { proxy, informer, lists, names } = await follow(cluster, { namespace });
  let expirations = 1;
  proxy.limit = 2;
  proxy.fault = async ({ query }) => {
    if (!query.has('continue') || expirations === 0) return false;
    expirations -= 1;
    await change(cluster, namespace, { name: 'a', value: String(performance.now()) });
    await own.compact();
    return false;
  };
  expect(await informer.refresh()).toMatchObject({ ok: true });
  expect([lists(), names()]).toEqual([3, ['a', 'b', 'c']]);
  expirations = 3;
  expect(await informer.refresh()).toMatchObject({
    failure: { kind: 'refused', status: 410, reason: 'Expired' },
  });
});
