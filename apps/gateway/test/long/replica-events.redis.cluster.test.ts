import { randomBytes } from 'node:crypto';
import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { startRedis } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { gatewayCluster, type GatewayCluster } from '../harness/gateway-cluster.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { openStream, postMessage, startSession, toolCallOf } from '../harness/mcp-posts.ts';

type Fields = Readonly<Record<string, unknown>>;

const RUNS = 3;

/** Starts gateways of one namespace that share one Redis. */
const startReplicas = async (kube: GatewayCluster, count: number) => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const directory = createTestConfigDirectory();
  onTestFinished(() => directory.remove());
  directory.config({
    kubernetes: { namespaces: [kube.namespace], namespace: kube.namespace },
    state: { store: 'redis', url: redis.url.href },
  });
  const key = randomBytes(32).toString('base64');
  const start = async (): Promise<RunningGateway> => {
    const gateway = await startGateway(directory.path, {
      args: ['--kubernetes'],
      env: { KUBECONFIG: kube.kubeconfig, GATEWAY_STATE_KEY: key },
    });
    onTestFinished(async () => {
      await gateway.stop('SIGKILL');
    });
    return gateway;
  };
  const replicas: RunningGateway[] = [];
  for (let at = 0; at < count; at += 1) replicas.push(await start());
  return { replicas, start };
};

/** Starts to follow the events of a resource. Returns the reasons that were received, in order. */
const follow = async (url: URL, resourceName: string): Promise<() => readonly string[]> => {
  const headers = await startSession(url);
  const stream = await openStream(url, headers);
  onTestFinished(() => {
    stream.cut();
  });
  const call = toolCallOf('core_events', { follow: true, resourceName });
  expect((await postMessage(url, call, { headers })).text).toContain('following');
  return () => [...stream.text().matchAll(/"reason":"([^"]+)"/gu)].map(([, reason = '']) => reason);
};

const writtenEvents = async (kube: GatewayCluster): Promise<readonly Fields[]> => {
  const path = `/apis/events.k8s.io/v1/namespaces/${kube.namespace}/events`;
  const list = (await kube.cluster.admin.expect('GET', path)) as { readonly items: Fields[] };
  return list.items;
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
  const { replicas, start } = await startReplicas(kube, 2);
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
      return Promise.resolve();
    });
  // A change that every replica observes.
  await kube.apply('Workflow', 'greet', {
    description: 'Greets.',
    steps: [{ id: 'one', tool: 'core_workflow_list' }],
  });
  for (const reasons of followers)
    await retryAssertion(() => {
      expect(reasons().filter((reason) => reason === 'WorkflowUpdated')).toHaveLength(1);
      return Promise.resolve();
    });
  await retryAssertion(async () => {
    const events = await writtenEvents(kube);
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
  for (const replica of replicas) await replica.stop();
  // Nothing but the objects of the cluster has the events now.
  const third = await connect((await start()).url);
  expect((await queried(third, { resourceName: 'greet', limit: 1 })).length).toBe(1);
  const restored = (await answers(third)).map((lines) =>
    lines.filter((line) => before[0]?.includes(line)),
  );
  expect(restored).toEqual(before);
  await third.close();
});
