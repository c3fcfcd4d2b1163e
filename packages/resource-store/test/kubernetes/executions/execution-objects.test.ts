import { startTestCluster } from '@gateway/test-peers';
import { SOLE_LEADER } from '@gateway/kube-client';
import { expect, it } from 'vitest';
import { recordContract, recordOf } from '../../record-contract.suite.ts';
import { breakConnections, changingLeadership } from '../cluster-store.ts';
import { startReplica } from './execution-replicas.ts';

const KIND = {
  ...{ group: 'gateway.internal', version: 'v1alpha1' },
  ...{ kind: 'WorkflowExecution', resource: 'workflowexecutions' },
};

const start = async (origin: Parameters<typeof startReplica>[2] = {}) => {
  const { api, kubeconfig } = await startTestCluster({ kinds: [KIND], namespaces: ['default'] });
  return { api, kubeconfig, replica: await startReplica(kubeconfig, 'default', origin) };
};

recordContract('objects', async () => {
  const { kubeconfig, replica } = await start();
  const again = await startReplica(kubeconfig, 'default');
  return { blobs: replica.blobs, again: () => again.blobs };
});

it('sends nothing at rest: no renewal of ended runs, no list and no check', async () => {
  const { api, replica } = await start();
  await replica.put(recordOf('a'));
  await expect.poll(() => replica.known.size).toBe(1);
  const before = api.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(api.requests.slice(before).map(({ verb }) => verb)).toEqual([]);
});

it('asks for metadata only, of the runs of this gateway', async () => {
  const { api } = await start();
  await expect.poll(() => api.requests.map(({ verb }) => verb)).toContain('watch');
  const read = api.requests.filter(({ verb }) => verb === 'list' || verb === 'watch');
  expect(read.map(({ query }) => query.get('labelSelector'))).toEqual([
    'gateway.internal/lease=gateway',
    'gateway.internal/lease=gateway',
  ]);
});

it('names the missing definition', async () => {
  const { kubeconfig } = await startTestCluster({ kinds: [], namespaces: ['default'] });
  const replica = await startReplica(kubeconfig, 'default');
  await expect(replica.put(recordOf('a'))).rejects.toThrow(
    'it does not serve WorkflowExecution of gateway.internal/v1alpha1; install the CustomResourceDefinitions',
  );
});

it('gives a hash for a lease or a workflow whose name is no label', async () => {
  const lease = `${'l'.repeat(200)}.gateway`;
  const { api, replica } = await start({ lease, leadership: SOLE_LEADER });
  await replica.put(recordOf('a', { workflow_name: 'w'.repeat(64) }));
  await expect.poll(() => replica.known.size).toBe(1);
  const { labels } = api.history.get(KIND, { namespace: 'default', name: 'a' })?.metadata ?? {};
  const hash = expect.stringMatching(/^[0-9a-f]{32}$/) as unknown;
  expect(labels).toMatchObject({
    ...{ 'gateway.internal/lease': hash, 'gateway.internal/workflow': hash },
  });
});

it('reports an outage once, and follows again after it', async () => {
  const { api, replica } = await start({ leadership: changingLeadership(false) });
  breakConnections(api);
  api.watches.cut();
  await expect.poll(() => replica.problems).toHaveLength(1);
  api.fault = undefined;
  await expect(replica.put(recordOf('a'))).resolves.toBeUndefined();
  await expect.poll(() => replica.known.size).toBe(1);
  await expect.poll(() => replica.problems).toEqual([expect.any(String), 'recovered']);
});
