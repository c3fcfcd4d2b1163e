import type { CallOutcome } from '@gateway/call-contract';
import type { JsonMap } from '@gateway/go-template';
import { describe, expect, it } from 'vitest';
import { answering, echo, harnessOf, workflowOf } from '../run-harness.ts';

const pods = Array.from({ length: 30_000 }, (_unused, id) => ({ id, name: `pod-${String(id)}` }));
const tools = { x_echo: echo, x_pods: answering(() => pods), x_small: answering(() => [1, 2]) };
const isolating = () => harnessOf({ tools, isolates: true });

const listing = { id: 'pods', tool: 'x_pods' };
const echoing = (id: string, v: unknown) => ({ id, tool: 'x_echo', args: { v } });
const loopOf = (items: string, step: object) => ({ id: 'loop', forEach: { items, steps: [step] } });
const large = '{{ range .results.pods }}{{ .id }},{{ end }}';
const rendered = pods.map(({ id }) => `${String(id)},`).join('');

describe('a large rendering', () => {
  it('of arguments is isolated, with the data that its templates refer to', async () => {
    const harness = isolating();
    const few = { id: 'few', tool: 'x_small' };
    const sent = { id: 'a', tool: 'x_echo', args: { text: large, name: '{{ .input.name }}' } };
    const args = { name: { type: 'string' } };
    const workflow = workflowOf({ args, steps: [listing, few, sent] });
    const { isError } = await harness.run(workflow, { name: 'web', other: 'x' });
    expect(isError).toBe(false);
    expect(harness.calls.at(-1)?.arguments).toEqual({ text: rendered, name: 'web' });
    expect(harness.isolated.map(({ work }) => work['data'])).toEqual([
      expect.objectContaining({
        input: { name: 'web', other: null },
        results: { pods, few: null },
      }),
    ]);
  });

  it('of a condition, of the items of a loop and of the output is isolated', async () => {
    const harness = isolating();
    const template = '{{ eq (len .results.pods) (len (fromJson (toJson .results.pods))) }}';
    const sub = { id: 's', tool: 'x_echo' };
    const small = loopOf('{{ splitList "," (slice (print `x`) 0 1) }}', sub);
    const big = loopOf('{{ slice (reverse (splitList "," (toJson .results.pods))) 0 2 }}', {
      ...sub,
      id: 't',
    });
    const gated = { id: 'a', tool: 'x_echo', condition: { template } };
    const steps = [listing, gated, small, { ...big, id: 'big' }];
    const { document, isError } = await harness.run(workflowOf({ steps, output: { text: large } }));
    expect(isError).toBe(false);
    expect(document.text).toBe(rendered);
    expect(harness.isolated).toHaveLength(3);
    expect(harness.calls.map(({ tool }) => tool).join(' ')).toBe(
      'x_pods x_echo x_echo x_echo x_echo',
    );
  });

  it('fails with the same text as a small one', async () => {
    const failing = '{{ range .results.pods }}{{ if gt .id 29000 }}{{ .nme }}{{ end }}{{ end }}';
    const workflow = workflowOf({ steps: [listing, echoing('a', failing)] });
    const harness = isolating();
    const { document } = await harness.run(workflow);
    const alone = await harnessOf({ tools }).run(workflow);
    expect(harness.isolated).toHaveLength(1);
    expect(document.error).toBe(alone.document.error);
    expect(document.error).toContain("argument 'v': line 1, column 50: path '.nme' not found");
  });

  it('is done in the same process without a place for isolated work', async () => {
    const harness = harnessOf({ tools });
    await harness.run(workflowOf({ steps: [listing, echoing('a', large)] }));
    expect(harness.calls).toHaveLength(2);
    expect(harness.isolated).toEqual([]);
  });
});

it('does a small rendering at once', async () => {
  const harness = isolating();
  const v = '{{ range .results.few }}{{ . }},{{ end }}';
  await harness.run(workflowOf({ steps: [{ id: 'few', tool: 'x_small' }, echoing('a', v)] }));
  expect(harness.calls.at(-1)?.arguments).toEqual({ v: '1,2,' });
  expect(harness.isolated).toEqual([]);
});

describe('a check', () => {
  const checking = (jsonPath: JsonMap) =>
    workflowOf({
      steps: [
        listing,
        { id: 'a', tool: 'x_echo', condition: { fromStep: 'pods', expect: { jsonPath } } },
      ],
    });

  it.each<[JsonMap, boolean]>([
    [{ '$[*].id': pods.map(({ id }) => id) }, true],
    [{ '$[*].id': [1] }, false],
    [{ '{{ len (toJson .result) }}': JSON.stringify(pods).length }, true],
    [{ '[2].name': 'pod-2', '$[*].name': pods.map(({ name }) => name) }, true],
  ])(
    'that visits many places is isolated and has the same result: %#',
    async (jsonPath, passed) => {
      const harness = isolating();
      const { document } = await harness.run(checking(jsonPath));
      const alone = await harnessOf({ tools }).run(checking(jsonPath));
      expect(harness.isolated.map(({ work }) => work['kind'])).toEqual(['check']);
      expect(document.steps[1].condition_evaluation).toBe(passed);
      expect(alone.document.steps[1].condition_evaluation).toBe(passed);
    },
  );

  it.each<[JsonMap, boolean]>([
    [{ '[2].name': 'pod-2' }, true],
    [{ '$[2].id': 3 }, false],
  ])('of a single place is done at once: %j', async (jsonPath, passed) => {
    const harness = isolating();
    const { document } = await harness.run(checking(jsonPath));
    expect(harness.isolated).toEqual([]);
    expect(document.steps[1].condition_evaluation).toBe(passed);
  });
});

describe('the budget of a run', () => {
  const TOO_MANY =
    'the templates and calls of the run take more than the 60000 steps allowed (maxRunSteps)';
  const spending = (id: string, steps = 19_000) => ({
    ...echoing(id, `{{ range ${String(steps)} }}{{ end }}`),
    allowFailure: true,
  });
  const limits = { maxRunSteps: 60_000 };

  it.each([true, false])(
    'limits the steps of all its renderings together (isolated: %s)',
    async (isolates) => {
      const steps = ['s1', 's2', 's3', 's4', 's5'].map((id) => spending(id));
      const run = async (count: number) =>
        harnessOf({ tools, limits, isolates }).run(workflowOf({ steps: steps.slice(0, count) }));
      expect((await run(5)).document.error).toBe(`step s4 failed: ${TOO_MANY}`);
      expect((await run(3)).isError).toBe(false);
    },
  );

  it('is shared by parallel renderings', async () => {
    const parallel = ['p1', 'p2', 'p3', 'p4'].map((id) => spending(id, 30_000));
    const harness = harnessOf({ tools, limits, isolates: true });
    const { document } = await harness.run(workflowOf({ steps: [{ id: 'group', parallel }] }));
    expect(document.error).toContain(TOO_MANY);
  });

  it('is shared by nested workflows, and their memory is released when they end', async () => {
    const inner = workflowOf({ steps: [spending('spend')] }, 'inner');
    const call = { id: 'call', tool: 'workflow_inner' };
    const loop = (count: number) =>
      workflowOf({ steps: [loopOf(`{{ until ${String(count)} }}`, call)] });
    const harness = harnessOf({ tools, limits, workflows: { inner } });
    expect((await harness.run(loop(2))).isError).toBe(false);
    expect((await harness.run(loop(4))).document.error).toContain(TOO_MANY);
    const holding = workflowOf({ steps: [listing], output: { ok: true } }, 'inner');
    const bytes = { maxRunBytes: 4 * 1024 * 1024 };
    const held = harnessOf({ tools, limits: bytes, workflows: { inner: holding } });
    expect((await held.run(loop(20))).isError).toBe(false);
  });

  it('counts every call as 500 steps, so that nested workflows do not multiply calls', async () => {
    const loop = loopOf('{{ until 35 }}', { id: 'a', tool: 'x_small' });
    const inner = workflowOf({ steps: [{ ...loop, allowFailure: true }] }, 'inner');
    const sub = { tool: 'workflow_inner', allowFailure: true };
    const outer = (count: number) => {
      const parallel = Array.from({ length: count }, (_, id) => ({ ...sub, id: `p${String(id)}` }));
      return workflowOf({ steps: [{ id: 'group', parallel }] });
    };
    const harness = harnessOf({ tools, limits, workflows: { inner } });
    expect((await harness.run(outer(3))).isError).toBe(false);
    const before = harness.calls.length;
    expect((await harness.run(outer(30))).document.error).toContain(TOO_MANY);
    expect(harness.calls.length - before).toBeLessThanOrEqual(120);
  });

  it('counts the work of functions', async () => {
    const steps = [echoing('a', '{{ repeat 2000000 "a" | upper | len }}')];
    const harness = harnessOf({ tools, limits, isolates: true });
    expect((await harness.run(workflowOf({ steps }))).document.error).toContain(TOO_MANY);
  });

  it('leaves the handlers of all failed runs together one budget of their own', async () => {
    const { allowFailure: _, ...handler } = spending('clean');
    const failing = { steps: [{ id: 'fail', tool: 'x_missing' }], onFailure: [handler] };
    const inner = workflowOf(failing, 'inner');
    const call = { id: 'call', tool: 'workflow_inner', allowFailure: true };
    const harness = harnessOf({ tools, limits, workflows: { inner } });
    await harness.run(workflowOf({ steps: [loopOf('{{ until 10 }}', call)] }));
    expect(harness.calls.filter(({ tool }) => tool === 'x_echo')).toHaveLength(3);
  });
});

describe('the memory of all runs', () => {
  it('ends the runs that hold more than their share, and no other', async () => {
    let release = (_outcome: CallOutcome): void => undefined;
    const released = new Promise<CallOutcome>((resolve) => (release = resolve));
    const limits = { maxMemoryBytes: 6_000_000 };
    const harness = harnessOf({ tools: { ...tools, x_wait: () => released }, limits });
    const wait = { id: 'wait', tool: 'x_wait' };
    const run = async (...steps: object[]) => harness.run(workflowOf({ steps: [...steps, wait] }));
    const large = [1, 2].map(async () => run(listing, { ...listing, id: 'again' }));
    const small = run({ id: 'a', tool: 'x_small' });
    await Promise.race(large);
    release({ ok: true, result: {} });
    const errors = (await Promise.all(large)).map(({ document }) => String(document.error ?? ''));
    expect(errors.join()).toContain(
      'the runs of this process hold more than the 6000000 bytes of arguments and results allowed (maxMemoryBytes)',
    );
    expect((await small).isError).toBe(false);
    expect((await harness.run(workflowOf({ steps: [listing] }))).isError).toBe(false);
  });
});
