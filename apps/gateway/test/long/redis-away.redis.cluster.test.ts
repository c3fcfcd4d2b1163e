import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { callTool, textOf, toolNames } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { gatewayCluster, type GatewayCluster } from '../harness/gateway-cluster.ts';
import type { RunningGateway } from '../harness/gateway.ts';
import { httpMcpServer } from '../harness/http-mcp-server.ts';
import { atEnd } from '../harness/lifetime.ts';
import { openStream, postMessage, rpcOf, startSession, toolCallOf } from '../harness/mcp-posts.ts';
import { startReplicas } from '../harness/replicas.ts';

type Fields = Readonly<Record<string, unknown>>;

const LONG = 60_000;
const soon = <T>(read: () => T) => expect.poll(read, { timeout: LONG });

const leaseOf = async ({ cluster, namespace }: GatewayCluster): Promise<Fields> => {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/gateway`;
  return ((await cluster.admin.expect('GET', path)) as { readonly spec: Fields }).spec;
};

const eventsOf = async (kube: GatewayCluster, reason: string): Promise<number> =>
  (await kube.events()).filter((event) => event['reason'] === reason).length;

const readiness = ({ url }: RunningGateway): Promise<number> =>
  fetch(new URL('/readyz', url)).then(({ status }) => status);

const logged = async (gateways: readonly RunningGateway[], line: string): Promise<void> => {
  for (const gateway of gateways) await soon(() => gateway.stderr.join('\n')).toContain(line);
};

const runsOf = async (client: TestClient): Promise<number> => {
  const list = textOf(
    await callTool(client, 'core_workflow_execution_list', { workflow_name: 'greet' }),
  );
  return (JSON.parse(list) as { readonly executions: readonly unknown[] }).executions.length;
};

it('without Redis, replicas of a cluster serve sessions, calls, definitions and runs, keep their leader and stay ready; events are exchanged again afterwards', async () => {
  const kube = await gatewayCluster();
  const server = await httpMcpServer();
  const remote = { type: 'streamable-http', url: server.url, autoStart: true };
  const steps = [{ id: 'one', tool: 'core_workflow_list' }];
  await kube.apply('MCPServer', 'first', remote);
  await kube.apply('Workflow', 'greet', { steps });
  const { redis, replicas } = await startReplicas(2, { cluster: kube });
  const gateways = replicas.map(({ gateway }) => gateway);
  const [one, two] = gateways as [RunningGateway, RunningGateway];
  const session = await startSession(one.url);
  const stream = await openStream(two.url, session);
  atEnd(stream.cut);
  const follow = toolCallOf('core_events', { follow: true, resourceName: 'greet' });
  expect((await postMessage(two.url, follow, { headers: session })).text).toContain('following');
  const clients = [await connect(one.url), await connect(two.url)];
  const before = await leaseOf(kube);

  await redis.stop();
  await logged(gateways, 'The state store is not available');
  // Sessions of before and new ones, at both replicas.
  for (const headers of [session, await startSession(one.url)])
    for (const { url } of gateways) {
      const call = await postMessage(url, toolCallOf('x_first_hello'), { headers });
      expect([call.status, call.text]).toEqual([200, expect.stringContaining('hello')]);
    }
  // A definition reaches both, and the leader writes its status and event.
  await kube.apply('MCPServer', 'second', remote);
  for (const client of clients) await soon(() => toolNames(client)).toContain('x_second_hello');
  await soon(async () => (await kube.read('mcpservers', 'second'))['status']).toMatchObject({
    state: 'Connected',
  });
  await kube.apply('Workflow', 'greet', { description: 'Greets.', steps });
  await soon(() => eventsOf(kube, 'WorkflowUpdated')).toBe(1);
  // A run at each replica is listed by both.
  for (const client of clients)
    expect((await callTool(client, 'workflow_greet')).isError ?? false).toBe(false);
  for (const client of clients) await soon(() => runsOf(client)).toBe(2);
  expect([await readiness(one), await readiness(two)]).toEqual([200, 200]);
  // The Lease is renewed by the same process.
  await soon(async () => {
    const { holderIdentity, leaseTransitions, renewTime } = await leaseOf(kube);
    return [holderIdentity, leaseTransitions, renewTime !== before['renewTime']];
  }).toEqual([before['holderIdentity'], before['leaseTransitions'], true]);

  await redis.start();
  await logged(gateways, 'The state store is available again.');
  for (const { url } of gateways)
    expect((await postMessage(url, rpcOf('ping'), { headers: session })).status).toBe(200);
  const missed = stream.text().length;
  await retryAssertion(async () => {
    await callTool(clients[0] as TestClient, 'workflow_greet');
    expect(stream.text().slice(missed)).toContain('WorkflowExecutionStarted');
  }, LONG);
  for (const gateway of gateways) expect(gateway.child.exitCode).toBeNull();
});
