import { configDirectory, eventually } from '@gateway/repo-checks';
import { readFileSync } from 'node:fs';
import { text as textOfStream } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionsToAll, type PinnedConnection } from '../harness/connection-owner.ts';
import { fixture } from '../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { descendantsOf, isRunning } from '../harness/living-process.ts';

const directory = configDirectory();
let gateway: RunningGateway;
let one: PinnedConnection;
let other: PinnedConnection;

beforeAll(async () => {
  directory.config({ workflows: { executionsDirectory: 'runs' } });
  directory.server('box', fixture('workflow'));
  directory.workflow('echo', {
    args: { value: { type: 'string', default: 'hi' } },
    steps: [{ id: 'a', tool: 'x_box_echo', args: { value: '{{ .input.value }}' } }],
    output: { said: '{{ .results.a }}' },
  });
  directory.workflow('hanging', { steps: [{ id: 'a', tool: 'x_box_hang' }] });
  directory.write('workflows/broken.yaml', 'kind: Workflow\nspec: {}\n');
  await start();
});

afterAll(async () => {
  await gateway.stop();
  directory.remove();
});

const workersOf = ({ child }: RunningGateway): readonly number[] =>
  descendantsOf(child.pid ?? 0).filter(
    (pid) =>
      isRunning(pid) && readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes('cli.js'),
  );

async function start(): Promise<void> {
  gateway = await startGateway(directory.path, { args: ['--workers', '2'] });
  await connect();
}

/** One connection to each worker. */
async function connect(): Promise<void> {
  const [first, second] = await connectionsToAll(gateway.url, workersOf(gateway));
  if (first === undefined || second === undefined) throw new Error('not two workers');
  [one, other] = [first, second];
}

async function call(connection: PinnedConnection, name: string, args: object = {}) {
  const params = { name: 'call_tool', arguments: { name, arguments: args } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const text = await textOfStream(await connection.send({ body }));
  const data = text.split('\n').findLast((line) => line.startsWith('data: {'));
  const answer = JSON.parse(data?.slice('data: '.length) ?? text) as {
    result?: { content?: readonly { text?: string }[] };
  };
  return answer.result?.content?.[0]?.text ?? text;
}

const json = async (connection: PinnedConnection, name: string, args: object = {}) =>
  JSON.parse(await call(connection, name, args)) as Record<string, unknown>;

const definition = (value: string) => ({
  name: 'made',
  description: value,
  steps: [{ id: 'a', tool: 'x_box_echo', args: { value } }],
  output: { said: '{{ .results.a }}' },
});

describe('workflows with two workers', () => {
  it('run on each worker and are listed equally, invalid ones included', async () => {
    expect(await json(one, 'workflow_echo', { value: 'one' })).toMatchObject({ said: 'one' });
    expect(await json(other, 'workflow_echo')).toMatchObject({ said: 'hi' });
    const list = await json(one, 'core_workflow_list');
    expect(list).toEqual(await json(other, 'core_workflow_list'));
    expect(list).toMatchObject({
      workflows: [{ name: 'broken', valid: false }, { name: 'echo' }, { name: 'hanging' }],
    });
    expect(await json(one, 'core_workflow_get', { name: 'broken' })).toEqual(
      await json(other, 'core_workflow_get', { name: 'broken' }),
    );
  });

  it('are the same on both workers after one creates, changes and deletes them', async () => {
    expect(await call(one, 'core_workflow_create', definition('first'))).toBe(
      'Workflow created successfully',
    );
    expect(await json(one, 'workflow_made')).toMatchObject({ said: 'first' });
    await eventually(async () => {
      expect(await json(other, 'workflow_made')).toMatchObject({ said: 'first' });
    });
    expect(await call(other, 'core_workflow_create', definition('twice'))).toContain(
      'already exists',
    );
    const changes = ['second', 'third'].map((value, index) =>
      call(index === 0 ? one : other, 'core_workflow_update', definition(value)),
    );
    expect(new Set(await Promise.all(changes))).toEqual(
      new Set(["Workflow 'made' updated successfully"]),
    );
    await eventually(async () => {
      const said = await json(one, 'workflow_made');
      expect(['second', 'third']).toContain(said['said']);
      expect(await json(other, 'workflow_made')).toMatchObject({ said: said['said'] });
    });
    expect(await call(other, 'core_workflow_delete', { name: 'made' })).toContain('deleted');
    await eventually(async () => {
      expect(await call(one, 'workflow_made')).toBe('Tool not found: workflow_made');
    });
  });

  it('change on both workers after an edit', async () => {
    directory.workflow('echo', {
      steps: [{ id: 'a', tool: 'x_box_echo', args: { value: 1 } }],
      output: { now: '{{ .results.a }}' },
    });
    for (const connection of [one, other])
      await eventually(async () => {
        expect(await json(connection, 'workflow_echo')).toMatchObject({ now: 1 });
      });
    const errors = gateway.logs().filter(({ level }) => level === 'error');
    const told = errors.filter(({ msg }) => String(msg).includes('broken.yaml'));
    expect(new Set(told.map(({ msg }) => msg)).size).toBe(told.length);
    expect(told.length).toBeGreaterThan(0);
  });

  it('share one list of runs', async () => {
    for (const connection of [one, other]) await json(connection, 'workflow_echo');
    const list = await json(one, 'core_workflow_execution_list', { workflow_name: 'echo' });
    expect(list).toEqual(
      await json(other, 'core_workflow_execution_list', { workflow_name: 'echo' }),
    );
    const { executions } = list as { executions: readonly { execution_id: string }[] };
    const args = { execution_id: executions[0]?.execution_id };
    expect(await json(other, 'core_workflow_execution_get', args)).toMatchObject({
      status: 'completed',
    });
  });

  it('are recorded as failed when their worker is killed, and the records survive a restart', async () => {
    const cut = call(one, 'workflow_hanging').catch(() => 'cut');
    const hanging = async () => {
      const list = await json(other, 'core_workflow_execution_list', { workflow_name: 'hanging' });
      return list['executions'];
    };
    await eventually(async () => {
      expect(await hanging()).toMatchObject([{ status: 'inprogress' }]);
    });
    process.kill(one.owner, 'SIGKILL');
    expect(await cut).toBe('cut');
    const error = 'the process that ran this workflow ended before the workflow did';
    await eventually(async () => {
      expect(await hanging()).toMatchObject([{ status: 'failed', error }]);
    });
    const list = await json(other, 'core_workflow_execution_list');
    await gateway.stop();
    await start();
    expect(await json(one, 'core_workflow_execution_list')).toEqual(list);
    expect(await json(other, 'core_workflow_execution_list')).toEqual(list);
  });
});
