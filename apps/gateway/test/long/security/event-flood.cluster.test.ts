import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { callTool, textOf } from '../../harness/answers.ts';
import { connect } from '../../harness/clients.ts';
import {
  gatewayCluster,
  startClusterGateway,
  type GatewayCluster,
} from '../../harness/gateway-cluster.ts';
import { testDirectory } from '../../harness/lifetime.ts';

interface EventFields {
  readonly reason: string;
  readonly count?: number;
  readonly series?: { readonly count: number };
}

const FORGED = 2_000;
const AT_ONCE = 50;
const UPDATES = 9;
const ESCAPE = '\u001b[2J';

const pathOf = ({ namespace }: GatewayCluster): string =>
  `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;

/** Creates events with the labels of the gateway, as anybody can who may create events. */
const forge = async (kube: GatewayCluster): Promise<void> => {
  const { namespace } = kube;
  const time = new Date().toISOString().replace('Z', '000Z');
  const create = (at: number) =>
    kube.cluster.admin.expect('POST', pathOf(kube), {
      content: {
        ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', type: 'Warning', eventTime: time },
        metadata: {
          name: `forged-${String(at)}`,
          labels: {
            'app.kubernetes.io/managed-by': 'gateway',
            'gateway.internal/kind': 'Workflow',
          },
        },
        ...{ reason: at % 20 === 1 ? `Bad${ESCAPE}` : 'WorkflowUnavailable', action: 'Forged' },
        note: `forged ${String(at)} ${ESCAPE}`,
        ...{ reportingController: 'somebody', reportingInstance: 'somebody' },
        regarding: {
          ...{ apiVersion: 'gateway.internal/v1alpha1', kind: 'Workflow', namespace },
          name: at % 20 === 2 ? `greet${ESCAPE}` : 'greet',
        },
      },
    });
  for (let at = 0; at < FORGED; at += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => create(at + more)));
};

it('a flood of events of another client neither stops those of the gateway nor makes answers large', async () => {
  const kube = await gatewayCluster();
  await forge(kube);
  const directory = testDirectory();
  const startedAt = performance.now();
  const gateway = await startClusterGateway(kube, directory);
  const readyMs = performance.now() - startedAt;
  const client = await connect(gateway.url);
  const query = async (filter: object): Promise<readonly EventFields[]> =>
    JSON.parse(textOf(await callTool(client, 'core_events', { ...filter }))) as EventFields[];

  const askedAt = performance.now();
  const all = await query({ limit: 1_000 });
  console.info(
    `${String(FORGED)} events: ready after ${readyMs.toFixed()} ms, an answer after ${(performance.now() - askedAt).toFixed()} ms`,
  );
  expect(all).toHaveLength(1_000);
  const texts = JSON.stringify(all);
  expect(texts).toContain('forged');
  expect(texts).not.toContain('u001b');

  const occurrencesOf = async (reason: string): Promise<readonly number[]> =>
    (await query({ resourceName: 'greet', limit: 5 }))
      .filter((event) => event.reason === reason)
      .map(({ count = 1 }) => count);
  for (let change = 0; change <= UPDATES; change += 1) {
    const steps = [{ id: 'one', tool: 'core_workflow_list' }];
    await kube.apply('Workflow', 'greet', { description: `Greets ${String(change)}.`, steps });
    // The gateway reads changes that arrive together as one.
    await retryAssertion(async () => {
      expect(await occurrencesOf('WorkflowCreated')).toEqual([1]);
      expect(await occurrencesOf('WorkflowUpdated')).toEqual(change === 0 ? [] : [change]);
    });
  }
  await retryAssertion(async () => {
    const items = (await kube.events()) as unknown as readonly EventFields[];
    const written = (reason: string): readonly number[] =>
      items.filter((event) => event.reason === reason).map(({ series }) => series?.count ?? 1);
    expect(written('WorkflowUpdated')).toEqual([UPDATES]);
    expect(written('WorkflowCreated')).toEqual([1]);
  });
});
