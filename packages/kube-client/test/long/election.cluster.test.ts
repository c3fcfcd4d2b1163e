import { openSharedCluster } from '@gateway/test-peers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Election, type ApiConnection } from '../../src/index.ts';
import { connected } from '../pods.ts';

const raceSignal = { timeout: 60_000, interval: 20 };
const NAME = 'gateway';

/** The permissions that an election needs, and no others. */
const permissions = (namespace: string) => {
  const rbac = 'rbac.authorization.k8s.io';
  const object = { apiVersion: `${rbac}/v1`, metadata: { namespace, name: 'leader' } };
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  const rules = [
    { ...leases, verbs: ['get', 'update', 'watch'], resourceNames: [NAME] },
    { ...leases, verbs: ['create'] },
  ];
  const subjects = [{ kind: 'ServiceAccount', namespace, name: 'gateway' }];
  const roleRef = { apiGroup: rbac, kind: 'Role', name: 'leader' };
  return [
    { ...object, kind: 'Role', rules },
    { ...object, kind: 'RoleBinding', roleRef, subjects },
  ];
};

const start = async () => {
  const cluster = await openSharedCluster();
  const namespace = await cluster.namespace();
  const token = await cluster.serviceAccountToken(namespace, 'gateway');
  for (const object of permissions(namespace)) await cluster.admin.apply(object);
  const kubeconfig = await cluster.writeKubeconfig({ token });
  const failures: unknown[] = [];
  const part = async (
    identity: string,
  ): Promise<{ election: Election; connection: ApiConnection }> => {
    const connection = await connected({ kubeconfig });
    const key = { namespace, name: NAME };
    const onFailure = (failure: unknown): void => void failures.push(failure);
    const election = new Election({ connection, key, identity, onFailure });
    onTestFinished(() => election.release());
    return { election, connection };
  };
  return { part, failures };
};

const leads = ({ election }: { readonly election: Election }): Promise<void> =>
  vi.waitFor(() => {
    expect(election.isLeader()).toBe(true);
  }, raceSignal);

it('elects one of three processes, and another one within 20 seconds when its connection is lost, or within 2 when it leaves', async () => {
  const { part, failures } = await start();
  const one = await part('one');
  await leads(one);
  const others = [await part('two'), await part('three')];
  const all = [one, ...others];
  const leaders = (): number => all.filter(({ election }) => election.isLeader()).length;
  let most = 0;
  const watching = setInterval(() => (most = Math.max(most, leaders())), 5);
  onTestFinished(() => {
    clearInterval(watching);
  });
  const elected = async (): Promise<number> => {
    const startedAt = performance.now();
    await vi.waitFor(() => {
      expect(others.some(({ election }) => election.isLeader())).toBe(true);
    }, raceSignal);
    return performance.now() - startedAt;
  };
  // The end of a process without notice.
  one.connection.close();
  const afterLossMs = await elected();
  expect(afterLossMs).toBeLessThan(20_000);
  const [second, third] = others.toSorted((a) => (a.election.isLeader() ? -1 : 1));
  if (second === undefined || third === undefined) throw new Error('no others');
  await second.election.release();
  const startedAt = performance.now();
  await leads(third);
  const afterReleaseMs = performance.now() - startedAt;
  expect(afterReleaseMs).toBeLessThan(2_000);
  console.log({ afterLossMs, afterReleaseMs });
  expect(most).toBe(1);
  expect(failures).toEqual([]);
});
