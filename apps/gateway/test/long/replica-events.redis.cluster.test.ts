import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { gatewayCluster } from '../harness/gateway-cluster.ts';
import { atEnd } from '../harness/lifetime.ts';
import { openStream, postMessage, startSession, toolCallOf } from '../harness/mcp-posts.ts';
import { startReplicas } from '../harness/replicas.ts';

type Fields = Readonly<Record<string, unknown>>;

const RUNS = 3;

/** Starts to follow the events of a resource. Returns the reasons that were received, in order. */
const follow = async (url: URL, resourceName: string): Promise<() => readonly string[]> => {
  const headers = await startSession(url);
  const stream = await openStream(url, headers);
  atEnd(stream.cut);
  const call = toolCallOf('core_events', { follow: true, resourceName });
  expect((await postMessage(url, call, { headers })).text).toContain('following');
  return () => [...stream.text().matchAll(/"reason":"([^"]+)"/gu)].map(([, reason = '']) => reason);
};

const countOf = (events: readonly Fields[], reason: string): number =>
  events
    .filter((event) => event['reason'] === reason)
    .map(({ series }) => (series as { readonly count: number } | undefined)?.count ?? 1)
    .reduce((sum, count) => sum + count, 0);

const queried = async (client: TestClient, filter: Fields): Promise<readonly Fields[]> => {
  const text = textOf(await callTool(client, 'core_events', { limit: 1_000, ...filter }));
  return JSON.parse(text) as readonly Fields[];
};

/** An event without its times, which differ by the resolution of a second. */
const brief = ({ resource_type, resource_name, reason, message, type, count = 1 }: Fields) =>
  [resource_type, resource_name, reason, message, type, count].join(' | ');

it('reach followers at every replica, are written once, and are read back with all filters', async () => {
  const kube = await gatewayCluster();
  for (const name of ['greet', 'other'])
    await kube.apply('Workflow', name, { steps: [{ id: 'one', tool: 'core_workflow_list' }] });
  const { replicas } = await startReplicas(2, { cluster: kube });
  const [one, two] = replicas.map(({ url }) => url) as [URL, URL];
  const followers = [await follow(one, 'greet'), await follow(two, 'greet')];
  const clients = [await connect(one), await connect(two)];
  for (let run = 0; run < RUNS; run += 1)
    for (const client of clients) await callTool(client, 'workflow_greet');
  for (const reasons of followers)
    await retryAssertion(() => {
      const ofRuns = reasons().filter((reason) => reason.startsWith('WorkflowExecution'));
      expect(ofRuns).toHaveLength(4 * RUNS);
      expect(ofRuns.slice(0, 2)).toEqual([
        'WorkflowExecutionStarted',
        'WorkflowExecutionCompleted',
      ]);
    });
  // A change that every replica observes.
  await kube.apply('Workflow', 'greet', {
    description: 'Greets.',
    steps: [{ id: 'one', tool: 'core_workflow_list' }],
  });
  for (const reasons of followers)
    await retryAssertion(() => {
      expect(reasons().filter((reason) => reason === 'WorkflowUpdated')).toHaveLength(1);
    });
  await retryAssertion(async () => {
    const events = await kube.events();
    expect(countOf(events, 'WorkflowExecutionStarted')).toBe(2 * RUNS);
    expect(countOf(events, 'WorkflowExecutionCompleted')).toBe(2 * RUNS);
    expect(countOf(events, 'WorkflowUpdated')).toBe(1);
  });

  const filters: readonly Fields[] = [
    {},
    { resourceType: 'Workflow' },
    { resourceType: 'MCPServer' },
    { resourceName: 'greet' },
    { namespace: kube.namespace, resourceName: 'greet' },
    { namespace: 'default', resourceName: 'greet' },
    { eventType: 'Normal', resourceName: 'greet' },
    { eventType: 'Warning' },
    { since: '1h', resourceType: 'Workflow' },
    { until: '1h' },
    { until: new Date(Date.now() + 60_000).toISOString(), resourceName: 'greet' },
  ];
  const answers = async (client: TestClient) => {
    const found: (readonly string[])[] = [];
    for (const filter of filters) found.push((await queried(client, filter)).map(brief).sort());
    return found;
  };
  const before = await answers(clients[0] as TestClient);
  expect(before.map(({ length }) => length > 0)).toEqual([
    ...[true, true, false, true, true, false, true, false, true, false, true],
  ]);
  expect(await answers(clients[1] as TestClient)).toEqual(before);
  for (const client of clients) await client.close();
  for (const { gateway } of replicas) await gateway.stop();
  // Nothing but the objects of the cluster has the events now.
  await replicas[0]?.start();
  const third = await connect(one);
  expect((await queried(third, { resourceName: 'greet', limit: 1 })).length).toBe(1);
  const restored = (await answers(third)).map((lines) =>
    lines.filter((line) => before[0]?.includes(line)),
  );
  expect(restored).toEqual(before);
});
