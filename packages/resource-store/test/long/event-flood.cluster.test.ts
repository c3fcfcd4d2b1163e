import { listObjects } from '@gateway/kube-client';
import { openSharedCluster } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import {
  EVENT,
  toStoredEvent,
  formatEventSelector,
  createEventSample,
} from '../../src/kubernetes/event-objects.ts';
import { connected } from '../kubernetes/cluster-store.ts';

const EVENTS = 1_600;
const AT_ONCE = 40;
const ORIGIN = { apiGroup: 'gateway.internal', namespace: 'unused' };

it('reads a bounded part of the events that any client can create, and uses the newest of them', async () => {
  const cluster = await openSharedCluster();
  const namespace = await cluster.namespace();
  const labels = {
    ...{ 'app.kubernetes.io/managed-by': 'gateway', 'gateway.internal/kind': 'MCPServer' },
  };
  const create = (at: number) =>
    cluster.admin.expect('POST', `/apis/events.k8s.io/v1/namespaces/${namespace}/events`, {
      content: {
        ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', type: 'Normal' },
        metadata: { name: `forged-${String(at).padStart(4, '0')}`, labels },
        eventTime: new Date(at * 1_000).toISOString().replace('Z', '000Z'),
        ...{ reason: 'MCPServerFailed', action: 'Forged', note: String(at) },
        ...{ reportingController: 'somebody', reportingInstance: 'somebody' },
        regarding: {
          apiVersion: 'gateway.internal/v1alpha1',
          kind: 'MCPServer',
          namespace,
          name: 'a',
        },
      },
    });
  for (let at = 0; at < EVENTS; at += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => create(at + more)));

  const connection = await connected(cluster.kubeconfig);
  const numbersOf = async (maxRead: number, maxUsed: number): Promise<readonly number[]> => {
    const sample = createEventSample('MCPServer', { maxRead, maxUsed });
    const selector = { labelSelector: formatEventSelector('MCPServer', ORIGIN) };
    const list = await listObjects(connection, { kind: EVENT, namespace, selector, sample });
    if (!list.ok) throw new Error(list.failure.kind);
    return list.value.objects.map((object) => Number(toStoredEvent(object, 'MCPServer').message));
  };
  // A page has 500 objects, so that two are read.
  const part = await numbersOf(600, 2_000);
  expect([part.length, part.at(-1)]).toEqual([1_000, 999]);
  const newest = await numbersOf(10_000, 100);
  expect(newest.length).toBeLessThanOrEqual(200);
  expect(newest).toEqual(
    expect.arrayContaining(Array.from({ length: 100 }, (_, at) => EVENTS - 1 - at)),
  );
});
