import { describe, expect, it } from 'vitest';
import { getEventListeners } from 'node:events';
import { createPlan } from '../../src/run/plan.ts';
import { answering, echo, failing, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const tools: Record<string, Tool> = { x_echo: echo, x_fail: failing('bad') };

const steps = [
  { id: 'a', tool: 'x_echo', args: { who: '{{ .input.who }}' } },
  { id: 'b', tool: 'x_echo', args: { who: '{{ .results.a.who }}' }, output: true },
];

describe('the records of a run', () => {
  it('are two: one at its start, one at its end, with the times that each step took', async () => {
    const harness = harnessOf({ tools });
    await harness.run(workflowOf({ steps }), { who: 'Ada' });
    const [started, ended] = harness.records;
    expect(harness.records).toHaveLength(2);
    expect(started).toEqual({
      execution_id: 'run-1',
      workflow_name: 'demo',
      status: 'inprogress',
      started_at: '1970-01-01T00:00:01.000Z',
      duration_ms: 0,
      input: { who: 'Ada' },
      steps: [],
    });
    // The world's clock moves on by a second with each look.
    const who = { who: 'Ada' };
    const echoed = {
      tool: 'x_echo',
      status: 'completed',
      duration_ms: 1000,
      input: who,
      result: who,
    };
    expect(ended!.steps).toEqual([
      {
        ...{ step_id: 'a', stored_as: 'a', ...echoed },
        started_at: '1970-01-01T00:00:03.000Z',
        completed_at: '1970-01-01T00:00:04.000Z',
      },
      {
        ...{ step_id: 'b', stored_as: 'b', ...echoed },
        started_at: '1970-01-01T00:00:05.000Z',
        completed_at: '1970-01-01T00:00:06.000Z',
      },
    ]);
    expect(ended).toMatchObject({ status: 'completed', duration_ms: 6000 });
  });

  it('are two when nothing ran, and say why', async () => {
    const harness = harnessOf({ tools });
    const args = { who: { type: 'string', required: true } };
    await harness.run(workflowOf({ args, steps }), { other: 1 });
    expect(harness.records.map(({ status, error }) => [status, error])).toEqual([
      ['inprogress', undefined],
      ['failed', "input validation failed: required field 'who' is missing"],
    ]);
  });

  it('say where the result of each item stands, and nothing of what was skipped', async () => {
    const harness = harnessOf({ tools });
    const sub = { id: 's', tool: 'x_echo', condition: { template: '{{ eq .vars.item "x" }}' } };
    const loop = { id: 'l', forEach: { items: '{{ .input.list }}', steps: [sub] } };
    await harness.run(workflowOf({ steps: [loop] }), { list: ['x', 'y'] });
    const { steps: ran } = harness.records[1]!;
    expect(ran.map(({ iteration, status, stored_as: at }) => [iteration, status, at])).toEqual([
      [0, 'completed', 's_0'],
      [1, 'skipped', undefined],
    ]);
  });
});

describe('runs at the same time', () => {
  it('see nothing of each other, though the workflow is compiled once', async () => {
    const slow: Tool = async (call, context) => {
      await new Promise((resolve) => setImmediate(resolve));
      return echo(call, context);
    };
    const harness = harnessOf({ tools: { x_echo: slow } });
    const workflow = workflowOf({ steps });
    const names = ['Ada', 'Ben', 'Cid'];
    const ran = await Promise.all(names.map((who) => harness.run(workflow, { who })));
    expect(ran.map(({ document }) => document.steps[1].result.who)).toEqual(names);
    expect(createPlan(workflow)).toBe(createPlan(workflow));
    expect(createPlan(workflow)).not.toBe(createPlan(workflowOf({ steps })));
  });
});

describe('a workflow inside workflows', () => {
  const callOf = (name: string) => ({ steps: [{ id: 'go', tool: `workflow_${name}` }] });
  const leaf = { steps: [{ id: 'go', tool: 'x_echo' }] };
  const nested = (depth: number) =>
    Object.fromEntries(
      Array.from({ length: depth }, (_, index) => {
        const name = `w${index + 1}`;
        return [name, workflowOf(index + 1 === depth ? leaf : callOf(`w${index + 2}`), name)];
      }),
    );

  it('runs eight deep, and no deeper', async () => {
    const run = async (depth: number) => {
      const harness = harnessOf({ tools, workflows: nested(depth - 1) });
      const { document } = await harness.run(workflowOf(callOf('w1')));
      return { error: document.error, called: harness.calls.at(-1)!.tool };
    };
    expect(await run(8)).toEqual({ error: undefined, called: 'x_echo' });
    const { error, called } = await run(9);
    expect(error).toContain(
      'workflows are nested more than 8 deep: demo -> w1 -> w2 -> w3 -> w4 -> w5 -> w6 -> w7 -> w8',
    );
    expect(called).toBe('workflow_w8');
  });

  it('keeps the reason short at every depth', async () => {
    const w7 = workflowOf({ steps: [{ id: 'go', tool: 'x_fail' }] }, 'w7');
    const harness = harnessOf({ tools, workflows: { ...nested(7), w7 } });
    const { document } = await harness.run(workflowOf(callOf('w1')));
    expect(document.error).toBe(`${'step go failed: '.repeat(8)}bad`);
  });

  it('may run twice, one after the other or at once', async () => {
    const harness = harnessOf({ tools, workflows: { inner: workflowOf(leaf, 'inner') } });
    const call = (id: string) => ({ id, tool: 'workflow_inner' });
    const steps = [call('a'), { id: 'g', parallel: [call('b'), call('c')] }];
    expect((await harness.run(workflowOf({ steps }))).isError).toBe(false);
    expect(harness.records.filter(({ status }) => status === 'completed')).toHaveLength(4);
  });

  it('is refused when it runs already, whatever is in between', async () => {
    const workflows = { demo: workflowOf(callOf('w1')), w1: workflowOf(callOf('demo'), 'w1') };
    const { document } = await harnessOf({ tools, workflows }).run(workflowOf(callOf('w1')));
    expect(document.error).toBe(
      'step go failed: step go failed: workflow calls itself: demo -> w1 -> demo',
    );
  });
});

it('takes only the document of a workflow for one: other tools are quoted whole', async () => {
  const text = '{"execution_id":"x","error":"inner"}';
  const harness = harnessOf({ tools: { x_fail: failing(text) } });
  const { document } = await harness.run(workflowOf({ steps: [{ id: 'a', tool: 'x_fail' }] }));
  expect(document.error).toBe(`step a failed: ${text}`);
});

it('stops listening however the run ends', async () => {
  const { signal } = new AbortController();
  const harness = harnessOf({ tools: { ...tools, x_ten: answering(() => 10) } });
  for (const spec of [
    { steps: [{ id: 'a', tool: 'x_fail' }], onFailure: [{ id: 'b', tool: 'x_fail' }] },
    { steps: [{ id: 'a', tool: 'x_ten' }], output: { v: '{{ .results.ghost }}' } },
    { args: { a: { type: 'string', required: true } }, steps: [{ id: 'a', tool: 'x_ten' }] },
  ]) {
    const { isError } = await harness.run(workflowOf(spec), {}, { signal });
    expect(isError).toBe(true);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  }
});
