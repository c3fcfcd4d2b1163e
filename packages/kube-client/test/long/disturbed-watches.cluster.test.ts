import { request } from 'node:https';
import { startOwnCluster, type Cluster } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { create, follow, hold, soon } from '../followed-objects.ts';
import { listPods } from '../pods.ts';

let own: Awaited<ReturnType<typeof startOwnCluster>>;
let cluster: Cluster;
beforeAll(async () => {
  // With the watch cache, as in production: only it sends bookmarks.
  own = await startOwnCluster();
  cluster = own.cluster;
});
afterAll(() => own.close());

it('continues from the version of a bookmark', async () => {
  const { proxy, names, namespace, lists, positions } = await follow(cluster);
  await soon(() => proxy.watches.count).toBe(1);
  // The API server sends a bookmark two seconds before the end of a watch, when the version has changed.
  proxy.watchSeconds = 4;
  proxy.watches.cut();
  await soon(() => [positions().length, proxy.watches.count]).toEqual([2, 1]);
  await create(cluster, await cluster.namespace(), 'elsewhere');
  await soon(() => positions().length).toBe(3);
  const [first, second, third] = positions();
  expect(second).toBe(first);
  // The API server may send more than one.
  const types = new Set(proxy.watches.lines.map(({ type }) => type));
  expect([...types]).toEqual(['BOOKMARK']);
  expect(proxy.watches.lines.at(-1)).toMatchObject({
    object: { metadata: { resourceVersion: third } },
  });
  expect(Number(third)).toBeGreaterThan(Number(second));
  await create(cluster, namespace, 'a');
  await soon(names).toEqual(['a']);
  expect(lists()).toBe(1);
});

describe('a connection on which nothing arrives', () => {
  it('is replaced when the watch was silent for too long', async () => {
    const { proxy, names, namespace, lists } = await follow(cluster, { silenceMs: 1_000 });
    await soon(() => proxy.watches.count).toBe(1);
    proxy.freeze();
    await create(cluster, namespace, 'a');
    await soon(names).toEqual(['a']);
    expect(lists()).toBe(1);
  });

  it('is replaced when it is half open because the API server has restarted', async () => {
    const options = { silenceMs: 1_000, timeoutMs: 1_000 };
    const { proxy, names, namespace, errorCodes } = await follow(cluster, options);
    await create(cluster, namespace, 'a');
    await soon(names).toEqual(['a']);
    proxy.freeze();
    const release = hold(proxy);
    await create(cluster, namespace, 'b');
    await own.restart();
    release();
    await soon(names).toEqual(['a', 'b']);
    // The history of the new process begins with its start.
    expect(errorCodes()).toEqual([410]);
  });

  it('fails a request in its time limit, and the next request has another connection', async () => {
    const { proxy, connection } = await follow(cluster, { timeoutMs: 2_000 });
    expect(await listPods(connection)).toMatchObject({ ok: true });
    proxy.freeze();
    expect(await listPods(connection)).toEqual({
      ok: false,
      failure: { kind: 'late', afterMs: 2_000 },
    });
    expect(await listPods(connection)).toMatchObject({ ok: true });
  });
});

describe('an overloaded API server (429)', () => {
  const FLOW = 'flowcontrol.apiserver.k8s.io/v1';

  /** Limits the requests of a service account to one at a time. The API server rejects any other one. */
  const limit = async (account: { readonly namespace: string; readonly name: string }) => {
    const { namespace: name } = account;
    await cluster.admin.apply({
      ...{ apiVersion: FLOW, kind: 'PriorityLevelConfiguration', metadata: { name } },
      spec: {
        type: 'Limited',
        limited: {
          ...{ nominalConcurrencyShares: 0, lendablePercent: 0, borrowingLimitPercent: 0 },
          limitResponse: { type: 'Reject' },
        },
      },
    });
    const anything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };
    await cluster.admin.apply({
      ...{ apiVersion: FLOW, kind: 'FlowSchema', metadata: { name } },
      spec: {
        ...{ matchingPrecedence: 2, priorityLevelConfiguration: { name } },
        rules: [
          {
            subjects: [{ kind: 'ServiceAccount', serviceAccount: account }],
            resourceRules: [anything],
          },
        ],
      },
    });
  };

  /** Sends a request that does not end, until the returned function is called. */
  const occupy = (path: string, token: string): (() => void) => {
    const sent = request(new URL(path, cluster.url), {
      ...{ method: 'POST', ca: cluster.ca },
      headers: { authorization: `Bearer ${token}`, 'content-length': '100' },
    });
    sent.on('error', () => undefined).write('{');
    return () => sent.destroy();
  };

  it('is asked again after its Retry-After, and not earlier', async () => {
    const namespace = await cluster.namespace();
    const token = await cluster.serviceAccountToken(namespace, 'reader');
    const group = 'rbac.authorization.k8s.io';
    await cluster.admin.apply({
      ...{ apiVersion: `${group}/v1`, kind: 'RoleBinding' },
      metadata: { namespace, name: 'reader' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', namespace, name: 'reader' }],
    });
    const client = cluster.client({ token });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const statusNow = async () => (await client.request('GET', path)).status;
    await soon(statusNow).toBe(200);
    const followed = await follow(cluster, { namespace, user: { token } });
    const { proxy, log, names, lists } = followed;
    await soon(() => proxy.watches.count).toBe(1);
    await limit({ namespace, name: 'reader' });
    const occupied: (() => void)[] = [];
    const release = (): void => {
      for (const end of occupied) end();
    };
    onTestFinished(release);
    // The API server applies the limit some moments later.
    const occupyAndRead = (): Promise<number> => {
      occupied.push(occupy(path, token));
      return statusNow();
    };
    await expect.poll(occupyAndRead, { timeout: 60_000, interval: 200 }).toBe(429);
    const askedAt: number[] = [];
    proxy.fault = () => {
      askedAt.push(performance.now());
      return false;
    };
    proxy.watches.cut();
    await soon(() => askedAt.length).toBeGreaterThan(2);
    expect(log).toEqual(['watch 429']);
    const waits = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
    expect(Math.min(...waits)).toBeGreaterThan(990);
    await create(cluster, namespace, 'a');
    release();
    await soon(names).toEqual(['a']);
    expect(log).toEqual(['watch 429', 'recovered']);
    expect(lists()).toBe(1);
  });
});
