import type { ProgressReport } from '@gateway/call-contract';
import { expect, it, vi } from 'vitest';
import { echo, failing, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const tools: Record<string, Tool> = { x_echo: echo, x_fail: failing('bad') };

const reportsOf = async (steps: readonly object[], input: unknown = {}) => {
  const reports: ProgressReport[] = [];
  const harness = harnessOf({ tools });
  const options = { onProgress: (report: ProgressReport) => reports.push(report) };
  await harness.run(workflowOf({ steps }), input, options);
  return reports;
};

it('tells of each step that is finished, and how many there are', async () => {
  const skip = { template: '{{ false }}' };
  expect(
    await reportsOf([
      { id: 'a', tool: 'x_echo' },
      { id: 'b', tool: 'x_echo', condition: skip },
      { id: 'c', tool: 'x_fail', allowFailure: true },
    ]),
  ).toEqual([
    { progress: 1, total: 3, message: 'step a completed' },
    { progress: 2, total: 3, message: 'step b skipped' },
    { progress: 3, total: 3, message: 'step c failed' },
  ]);
});

it('tells of the sub-steps of a group, and of the group', async () => {
  const parallel = [
    { id: 'p', tool: 'x_echo' },
    { id: 'q', tool: 'x_echo' },
  ];
  expect(await reportsOf([{ id: 'g', parallel }])).toEqual([
    { progress: 1, total: 3, message: 'step p completed' },
    { progress: 2, total: 3, message: 'step q completed' },
    { progress: 3, total: 3, message: 'step g completed' },
  ]);
});

it('tells no total before the length of every loop is known', async () => {
  const loop = {
    id: 'l',
    forEach: { items: '{{ .input.list }}', steps: [{ id: 's', tool: 'x_echo' }] },
  };
  expect(await reportsOf([{ id: 'a', tool: 'x_echo' }, loop], { list: [1, 2] })).toEqual([
    { progress: 1, message: 'step a completed' },
    { progress: 2, total: 4, message: 'step s completed' },
    { progress: 3, total: 4, message: 'step s completed' },
    { progress: 4, total: 4, message: 'step l completed' },
  ]);
});

it('counts what is left out as finished', async () => {
  const skip = { template: '{{ false }}' };
  const forEach = (id: string, items = '{{ .input.list }}') => ({
    items,
    steps: [{ id, tool: 'x_fail' }],
  });
  const parallel = [
    { id: 'p', tool: 'x_echo' },
    { id: 'q', tool: 'x_echo' },
  ];
  expect(
    await reportsOf(
      [
        { id: 'broken', allowFailure: true, forEach: forEach('s') },
        { id: 'closed', condition: skip, forEach: forEach('t') },
        { id: 'none', allowFailure: true, forEach: forEach('u', 'text') },
        { id: 'group', condition: skip, parallel },
      ],
      { list: [1, 2, 3] },
    ),
  ).toEqual([
    { progress: 1, message: 'step s failed' },
    { progress: 4, message: 'step broken failed' },
    { progress: 5, message: 'step closed skipped' },
    { progress: 6, total: 9, message: 'step none failed' },
    { progress: 9, total: 9, message: 'step group skipped' },
  ]);
});

it('does not tell of handlers, nor of anything once the run is cancelled', async () => {
  const reports: ProgressReport[] = [];
  const caller = new AbortController();
  const harness = harnessOf({
    tools: {
      ...tools,
      x_stuck: () => {
        caller.abort();
        return new Promise(() => undefined);
      },
    },
  });
  const workflow = workflowOf({
    steps: [
      { id: 'a', tool: 'x_echo' },
      { id: 'b', tool: 'x_stuck' },
    ],
    onFailure: [{ id: 'c', tool: 'x_echo' }],
  });
  const onProgress = (report: ProgressReport): unknown => reports.push(report);
  await harness.run(workflow, {}, { signal: caller.signal, onProgress });
  expect(harness.calls).toHaveLength(3);
  expect(reports).toEqual([{ progress: 1, total: 2, message: 'step a completed' }]);
});

it('lets others go first while tools answer at once', async () => {
  const pause = vi.fn(() => Promise.resolve());
  const { createWorkflowEngine } = await import('../../src/index.ts');
  let now = 0;
  const engine = createWorkflowEngine({
    callTool: () => Promise.resolve({ ok: true, result: {} }),
    now: () => (now += 1),
    newId: () => 'run',
    warn: () => undefined,
    record: () => undefined,
    pause,
  });
  const forEach = { items: '{{ .input.list }}', steps: [{ id: 's', tool: 'x' }] };
  const workflow = workflowOf({ steps: [{ id: 'l', forEach }] });
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
