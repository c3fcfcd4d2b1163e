import { expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import {
  gatewayCluster,
  startClusterGateway,
  type GatewayCluster,
} from '../harness/gateway-cluster.ts';
import type { RunningGateway } from '../harness/gateway.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Replica {
  readonly gateway: RunningGateway;
  readonly client: TestClient;
}

/**
 * Sets the monotonic clock of a process forward by 100 s at a signal: a run is abandoned after 90 s without a renewal. Checks the runs and renews the
 * Lease every half second: a process that leads by its own clock again after the jump looks at the runs at once.
 */
const CLOCK = `
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
const CHECK_MS = 5_000;
const RENEWAL_MS = 8_000;
const { setInterval: repeat } = globalThis;
globalThis.setInterval = (work, ms, ...rest) => repeat(work, ms === CHECK_MS ? 500 : ms, ...rest);
const { setTimeout: delay } = timers;
timers.setTimeout = (ms, ...rest) => delay(ms === RENEWAL_MS ? 500 : ms, ...rest);
syncBuiltinESMExports();
const now = performance.now.bind(performance);
let ahead = 0;
performance.now = () => now() + ahead;
process.on('SIGUSR2', () => { ahead += 100_000; });
`;
const AHEAD = ['--import', `data:text/javascript,${encodeURIComponent(CLOCK)}`];

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

const directory = testDirectory();
let kube: GatewayCluster;
/** The replica that leads, because it is the first. */
let leader: Replica;
let other: Replica;

const startReplica = async (): Promise<Replica> => {
  const kubernetes = { allowStdio: true };
  const gateway = await startClusterGateway(kube, directory, { node: AHEAD, kubernetes });
  return { gateway, client: await connect(gateway.url) };
};

const core = async ({ client }: Replica, tool: string, args: Fields = {}): Promise<Fields> =>
  JSON.parse(textOf(await callTool(client, tool, args))) as Fields;

/** The runs of a workflow as a replica lists them. */
const listed = async (replica: Replica, workflow: string): Promise<readonly Fields[]> => {
  const list = await core(replica, 'core_workflow_execution_list', { workflow_name: workflow });
  return list['executions'] as readonly Fields[];
};

const versionOf = async (id: string): Promise<unknown> => {
  const { metadata } = await kube.read('workflowexecutions', id);
  return (metadata as Fields)['resourceVersion'];
};

setUp(async () => {
  kube = await gatewayCluster();
  await kube.apply('MCPServer', 'box', fixture('workflow'));
  for (const tool of ['echo', 'hang'])
    await kube.apply('Workflow', tool, { steps: [{ id: 'one', tool: `x_box_${tool}` }] });
  leader = await startReplica();
  other = await startReplica();
});

it('are listed and returned by each replica, and gone everywhere after kubectl delete', async () => {
  const replicas = [leader, other];
  for (const { client } of replicas) await callTool(client, 'workflow_echo');
  for (const replica of replicas)
    await soon(async () => (await listed(replica, 'echo')).length).toBe(2);
  const [ofLeader, ofOther] = await Promise.all(replicas.map((one) => listed(one, 'echo')));
  expect(ofOther).toEqual(ofLeader);
  const ids = (ofLeader ?? []).map(({ execution_id: id }) => String(id));
  for (const execution_id of ids) {
    const [one, two] = await Promise.all(
      replicas.map((replica) => core(replica, 'core_workflow_execution_get', { execution_id })),
    );
    expect(one).toMatchObject({ workflow_name: 'echo', status: 'completed' });
    expect(two).toEqual(one);
  }
  const [deleted = '', kept = ''] = ids;
  await kube.remove('workflowexecutions', deleted);
  for (const replica of replicas)
    await soon(async () =>
      (await listed(replica, 'echo')).map((run) => run['execution_id']),
    ).toEqual([kept]);
});

it('of a replica that is killed end once as interrupted, by the replica that leads', async () => {
  const call = callTool(other.client, 'workflow_hang').catch(() => undefined);
  await soon(() => listed(leader, 'hang')).toMatchObject([{ status: 'inprogress' }]);
  const [run] = await listed(leader, 'hang');
  const id = String(run?.['execution_id']);
  await other.gateway.stop('SIGKILL');
  await other.client.close().catch(() => undefined);
  await call;
  const before = await versionOf(id);
  expect((await listed(leader, 'hang')).map(({ status }) => status)).toEqual(['inprogress']);
  // Each jump of its clock is longer than the time without a renewal. One before the first look at the run has no effect.
  const statusAfterJump = async () => {
    const [{ status } = {}] = await listed(leader, 'hang');
    if (status === 'inprogress') leader.gateway.child.kill('SIGUSR2');
    return status;
  };
  await expect.poll(statusAfterJump, { timeout: 60_000, interval: 2_000 }).toBe('failed');
  expect(await core(leader, 'core_workflow_execution_get', { execution_id: id })).toMatchObject({
    status: 'failed',
    error: 'the process that ran this workflow ended before the workflow did',
  });
  const ended = await versionOf(id);
  expect(ended).not.toBe(before);
  await callTool(leader.client, 'workflow_echo');
  await soon(async () => (await listed(leader, 'echo')).length).toBe(2);
  expect(await versionOf(id)).toBe(ended);
});
