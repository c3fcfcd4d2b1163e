import type { ProgressReport } from '@gateway/call-contract';
import { expect, it, vi } from 'vitest';
import { createWorkflowEngine } from '../../src/index.ts';
import { echo, failing, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const tools: Record<string, Tool> = { x_echo: echo, x_fail: failing('bad') };

/** The reports of a run, such as `1/3 step a completed`. */
const reportsOf = async (steps: readonly object[], input: unknown = {}) => {
  const reports: string[] = [];
  const onProgress = ({ progress, total, message }: ProgressReport) =>
    reports.push(`${progress}/${total ?? '?'} ${message ?? ''}`);
  await harnessOf({ tools }).run(workflowOf({ steps }), input, { onProgress });
  return reports;
};

const echoing = (id: string, more: object = {}) => ({ id, tool: 'x_echo', ...more });
const failingStep = (id: string) => ({ id, tool: 'x_fail' });
const condition = { template: '{{ false }}' };
const parallel = [echoing('p'), echoing('q')];
const forEach = (step: object, items = '{{ .input.list }}') => ({ items, steps: [step] });

it('tells of each step that is finished, and how many there are', async () => {
  const tolerated = { ...failingStep('c'), allowFailure: true };
  expect(await reportsOf([echoing('a'), echoing('b', { condition }), tolerated])).toEqual([
    '1/3 step a completed',
    '2/3 step b skipped',
    '3/3 step c failed',
  ]);
});

it('tells of the sub-steps of a group, and of the group', async () => {
  expect(await reportsOf([{ id: 'g', parallel }])).toEqual([
    '1/3 step p completed',
    '2/3 step q completed',
    '3/3 step g completed',
  ]);
});

it('tells no total before the length of every loop is known', async () => {
  const steps = [echoing('a'), { id: 'l', forEach: forEach(echoing('s')) }];
  expect(await reportsOf(steps, { list: [1, 2] })).toEqual([
    '1/? step a completed',
    '2/4 step s completed',
    '3/4 step s completed',
    '4/4 step l completed',
  ]);
});

it('counts what is left out as finished', async () => {
  const steps = [
    { id: 'broken', allowFailure: true, forEach: forEach(failingStep('s')) },
    { id: 'closed', condition, forEach: forEach(failingStep('t')) },
    { id: 'none', allowFailure: true, forEach: forEach(failingStep('u'), 'text') },
    { id: 'group', condition, parallel },
  ];
  expect(await reportsOf(steps, { list: [1, 2, 3] })).toEqual([
    '1/? step s failed',
    '4/? step broken failed',
    '5/? step closed skipped',
    '6/9 step none failed',
    '9/9 step group skipped',
  ]);
});

it('does not tell of handlers, nor of anything once the run is cancelled', async () => {
  const reports: ProgressReport[] = [];
  const caller = new AbortController();
  const stuck: Tool = () => {
    caller.abort();
    return new Promise(() => undefined);
  };
  const harness = harnessOf({ tools: { ...tools, x_stuck: stuck } });
  const steps = [echoing('a'), { id: 'b', tool: 'x_stuck' }];
  const workflow = workflowOf({ steps, onFailure: [echoing('c')] });
  const onProgress = (report: ProgressReport): unknown => reports.push(report);
  await harness.run(workflow, {}, { signal: caller.signal, onProgress });
  expect(harness.calls).toHaveLength(3);
  expect(reports).toEqual([{ progress: 1, total: 2, message: 'step a completed' }]);
});

it('lets others go first while tools answer at once', async () => {
  const pause = vi.fn(() => Promise.resolve());
  let now = 0;
  const engine = createWorkflowEngine({
    callTool: () => Promise.resolve({ ok: true, result: {} }),
    now: () => (now += 1),
    newId: () => 'run',
    warn: () => undefined,
    record: () => undefined,
    pause,
  });
  const workflow = workflowOf({ steps: [{ id: 'l', forEach: forEach(echoing('s')) }] });
  const { signal } = new AbortController();
  await engine.run(workflow, { list: Array(1000).fill(1) }, { signal });
  // The clock is looked at three times for each sub-step, and once more for each rest.
  expect(pause.mock.calls.length).toBeGreaterThan(100);
  expect(pause.mock.calls.length).toBeLessThan(200);
  pause.mockRejectedValue(new Error('no rest'));
  expect(await engine.run(workflow, { list: Array(50).fill(1) }, { signal })).not.toHaveProperty(
    'isError',
  );
});
