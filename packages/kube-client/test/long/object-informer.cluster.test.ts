import type { IncomingMessage } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOwnCluster, testDirectory } from '@gateway/test-cluster';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ObjectInformer, type ApiConnection, type ApiKind } from '../../src/index.ts';
import { connected } from '../pods.ts';

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 20 });

const CONFIG_MAP: ApiKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps' };

let own: Awaited<ReturnType<typeof startOwnCluster>>;
beforeAll(async () => {
  // Without the cache, compaction also ends watches.
  own = await startOwnCluster({ watchCache: false });
}, 120_000);
afterAll(() => own.close());

/** A connection whose watches a test holds back and cuts. */
const controlled = (connection: ApiConnection) => {
  let gate: Promise<void> = Promise.resolve();
  const streams = new Set<IncomingMessage>();
  const requests: string[] = [];
  const wrapped: ApiConnection = {
    ...connection,
    send: (request) => {
      requests.push(request.query?.['continue'] === undefined ? 'list' : 'page');
      return connection.send(request);
    },
    openStream: async (request, signal) => {
      await gate;
      const opened = await connection.openStream(request, signal);
      requests.push(opened.ok ? 'watch' : `watch ${opened.failure.kind}`);
      if (opened.ok) streams.add(opened.value);
      return opened;
    },
  };
  return {
    ...{ wrapped, requests },
    cut: () => {
      for (const stream of streams) stream.destroy();
      streams.clear();
    },
    /** Holds watches back until the returned function is called. */
    hold: (): (() => void) => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
};

const start = async (kubeconfig = own.cluster.kubeconfig, kind = CONFIG_MAP, place?: string) => {
  const namespace = place ?? (await own.cluster.namespace());
  const control = controlled(await connected({ kubeconfig }));
  const log: string[] = [];
  const informer = new ObjectInformer(control.wrapped, {
    ...{ kind, namespace },
    onChange: () => undefined,
    onFailure: (failure, verb) => {
      log.push(`${verb} ${failure.kind === 'refused' ? String(failure.status) : failure.kind}`);
    },
    onRecovery: () => log.push('recovered'),
  });
  onTestFinished(() => informer.stop());
  await informer.synced();
  const names = (): readonly string[] =>
    informer
      .objects()
      .map(({ object }) => object.metadata.name)
      .toSorted();
  return { ...control, informer, log, names, namespace };
};

const path = (namespace: string, name = ''): string =>
  `/api/v1/namespaces/${namespace}/configmaps${name === '' ? '' : `/${name}`}`;

const create = (namespace: string, name: string): Promise<unknown> =>
  own.cluster.admin.expect('POST', path(namespace), {
    content: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  });

const remove = (namespace: string, name: string): Promise<unknown> =>
  own.cluster.admin.expect('DELETE', path(namespace, name));

it('lists again when its version was compacted (410), and misses no change', async () => {
  const { informer, names, namespace, requests, cut, hold } = await start();
  await create(namespace, 'gone');
  await create(namespace, 'again');
  await soon(names).toEqual(['again', 'gone']);
  const before = informer.get({ namespace, name: 'again' })?.object.metadata['uid'];
  const release = hold();
  cut();
  await remove(namespace, 'gone');
  await remove(namespace, 'again');
  await create(namespace, 'again');
  await create(namespace, 'new');
  await own.compact();
  const lists = requests.filter((request) => request === 'list').length;
  release();
  await soon(names).toEqual(['again', 'new']);
  expect(informer.get({ namespace, name: 'again' })?.object.metadata['uid']).not.toBe(before);
  expect(requests.filter((request) => request === 'list').length).toBe(lists + 1);
});

it('continues from its version after a cut, without a list', async () => {
  const { names, namespace, requests, cut, hold } = await start();
  await create(namespace, 'a');
  await soon(names).toEqual(['a']);
  const release = hold();
  cut();
  await create(namespace, 'b');
  await remove(namespace, 'a');
  release();
  await soon(names).toEqual(['b']);
  expect(requests.filter((request) => request === 'list')).toHaveLength(1);
});

it('keeps its objects while the API server restarts, and follows it afterwards', async () => {
  const { names, namespace, log } = await start();
  await create(namespace, 'a');
  await soon(names).toEqual(['a']);
  await own.kill();
  await soon(() => log.length).toBe(1);
  expect(names()).toEqual(['a']);
  await own.restart();
  await create(namespace, 'b');
  await soon(names).toEqual(['a', 'b']);
  expect(log).toEqual([expect.stringMatching(/^(?:list|watch) broken$/), 'recovered']);
});

it('reads an expired token again', async () => {
  const namespace = await own.cluster.namespace();
  const folder = await testDirectory();
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'expired');
  const kubeconfig = await own.cluster.writeKubeconfig({ tokenFile });
  const { names, log } = await start(kubeconfig, CONFIG_MAP, namespace);
  await create(namespace, 'a');
  await soon(() => log).toEqual(['list 401']);
  const admin = await own.cluster.serviceAccountToken(namespace, 'reader');
  const subjects = [{ kind: 'ServiceAccount', namespace, name: 'reader' }];
  const group = 'rbac.authorization.k8s.io';
  const metadata = { name: namespace };
  await own.cluster.admin.apply({
    ...{ apiVersion: `${group}/v1`, kind: 'ClusterRoleBinding', metadata, subjects },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
  });
  await writeFile(tokenFile, admin);
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
  const { names, namespace, log } = await start(own.cluster.kubeconfig, kind);
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
        await create(namespace, name);
    }),
  );
  const startedAt = performance.now();
  const { names, requests } = await start(own.cluster.kubeconfig, CONFIG_MAP, namespace);
  console.info(`5,000 objects listed in ${Math.round(performance.now() - startedAt)} ms`);
  expect(names()).toHaveLength(5_000);
  expect(requests.filter((request) => request === 'page')).toHaveLength(9);
  await create(namespace, 'one-more');
  await soon(() => names().length).toBe(5_001);
});
