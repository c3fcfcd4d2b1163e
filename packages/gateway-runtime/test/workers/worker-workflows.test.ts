import { type ExecutionRecord, parseWorkflow, type Workflow } from '@gateway/crd-schemas';
import {
  openFileStore,
  resourceKey,
  type GatewayStore,
  type WorkflowResource,
} from '@gateway/resource-store';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '@gateway/gateway-config';
import { serveWorkflows } from '../../src/workers/serve-workflows.ts';
import { WorkerWorkflows } from '../../src/workers/worker-workflows.ts';
import { createExecutionStore, type ExecutionStore } from '../../src/workflows/execution-store.ts';
import { channels } from './channels.ts';
import { configDirectory, eventually, type ConfigDirectory } from '@gateway/repo-checks';

const apiGroup = 'gateway.internal';
const logger = pino({ level: 'silent' });

let directory: ConfigDirectory;
let store: GatewayStore;
let executions: ExecutionStore;
let warned: string[];

beforeEach(async () => {
  directory = configDirectory();
  directory.workflow('first', { steps: [{ id: 'a', tool: 'x_a', args: { ['__proto__x']: [1] } }] });
  directory.write('workflows/broken.yaml', 'kind: Workflow\n');
  store = await openFileStore({ directory: directory.path });
  const parsed = parseConfig(undefined);
  if (!parsed.ok) throw new Error('the defaults are refused');
  executions = createExecutionStore(parsed, logger);
  warned = [];
});

afterEach(async () => {
  await store.close();
  await executions.close();
  directory.remove();
});

/** A worker, and its workflows after each message. */
async function worker() {
  const { primary, worker: end, close } = channels();
  const warnings = { warn: (text: string) => warned.push(text) };
  serveWorkflows({ store, executions, warnings, apiGroup }, primary.port('workflows'));
  const workflows = new WorkerWorkflows(end.port('workflows'), { apiGroup, logger });
  const states: (readonly WorkflowResource[])[] = [];
  await workflows.follow((resources) => states.push(resources));
  return { workflows, states, close, last: () => states.at(-1) ?? [] };
}

const workflowOf = (name: string, description: string): Workflow => {
  const parsed = parseWorkflow(
    {
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'Workflow',
      metadata: { name },
      spec: { description, steps: [{ id: 'a', tool: 'x_a' }] },
    },
    { apiGroup },
  );
  if (!parsed.ok) throw new Error('the workflow of the test is refused');
  return parsed.workflow;
};

const record = (id: string, status: ExecutionRecord['status']): ExecutionRecord => ({
  execution_id: id,
  workflow_name: 'first',
  status,
  started_at: new Date().toISOString(),
  duration_ms: 0,
  input: {},
  steps: [],
});

describe('a worker', () => {
  it('has the workflows of the primary process, invalid ones included', async () => {
    const { last } = await worker();
    expect(last()).toEqual(store.current().workflows);
    expect(last().map(({ name, valid }) => [name, valid])).toEqual([
      ['broken', false],
      ['first', true],
    ]);
  });

  it('has its change when the write resolves, and preserves the identity of unchanged workflows', async () => {
    const { workflows, states, last } = await worker();
    const other = await worker();
    const [, first] = last();
    expect(await workflows.writer.create(workflowOf('made', 'one'))).toEqual({ kind: 'done' });
    expect(last().map(({ name }) => name)).toEqual(['broken', 'first', 'made']);
    expect(last()[1]).toBe(first);
    expect(await workflows.writer.create(workflowOf('made', 'two'))).toEqual({ kind: 'exists' });
    expect(await workflows.writer.replace(workflowOf('made', 'two'))).toEqual({ kind: 'done' });
    expect(last()[2]).toMatchObject({ workflow: { spec: { description: 'two' } } });
    expect(await workflows.writer.remove(resourceKey('made'))).toEqual({ kind: 'done' });
    expect(await workflows.writer.remove(resourceKey('made'))).toEqual({ kind: 'missing' });
    expect(last().map(({ name }) => name)).toEqual(['broken', 'first']);
    await eventually(() => {
      expect(other.last()).toEqual(last());
    });
    expect(states).toHaveLength(4);
  });

  it('stores its runs in the primary process, where every worker finds them', async () => {
    const { workflows } = await worker();
    const other = await worker();
    workflows.executions.record(record('run-1', 'inprogress'));
    workflows.executions.record({ ...record('run-1', 'completed'), duration_ms: 5 });
    await workflows.executions.list({ limit: 1, offset: 0 });
    const { total, executions: runs } = await other.workflows.executions.list({
      workflowName: 'first',
      limit: 10,
      offset: 0,
    });
    expect(total).toBe(1);
    expect(runs).toMatchObject([{ execution_id: 'run-1', status: 'completed', duration_ms: 5 }]);
    expect(await other.workflows.executions.get('run-1')).toMatchObject({ duration_ms: 5 });
    expect(await other.workflows.executions.get('run-2')).toBeUndefined();
  });

  it('leaves no run in progress when it ends', async () => {
    const { workflows, close } = await worker();
    workflows.executions.record(record('cut', 'inprogress'));
    workflows.executions.record(record('done', 'inprogress'));
    workflows.executions.record(record('done', 'completed'));
    await workflows.executions.list({ limit: 1, offset: 0 });
    close();
    expect(await executions.get('cut')).toMatchObject({
      status: 'failed',
      error: 'the process that ran this workflow ended before the workflow did',
    });
    expect(await executions.get('done')).toMatchObject({ status: 'completed' });
  });

  it('logs its warnings in the primary process', async () => {
    const { workflows } = await worker();
    workflows.warnings.warn('a flag is deprecated');
    await workflows.executions.list({ limit: 1, offset: 0 });
    expect(warned).toEqual(['a flag is deprecated']);
  });
});
