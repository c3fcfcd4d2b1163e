import { isJsonMap, type JsonMap } from '@gateway/go-template';
import { describe, expect, it } from 'vitest';
import { answering, echo, harnessOf, workflowOf } from '../run-harness.ts';

const pods = Array.from({ length: 30_000 }, (_unused, id) => ({ id, name: `pod-${String(id)}` }));
const tools = { x_echo: echo, x_pods: answering(() => pods), x_small: answering(() => [1, 2]) };
const isolating = () => harnessOf({ tools, isolates: true });

const listing = { id: 'pods', tool: 'x_pods' };
const large = '{{ range .results.pods }}{{ .id }},{{ end }}';
const small = '{{ range .results.few }}{{ . }},{{ end }}';

describe('a large rendering', () => {
  it('of arguments is isolated, with the data that its templates refer to', async () => {
    const harness = isolating();
    const few = { id: 'few', tool: 'x_small' };
    const sent = { id: 'a', tool: 'x_echo', args: { text: large, name: '{{ .input.name }}' } };
    const workflow = workflowOf({
      args: { name: { type: 'string' } },
      steps: [listing, few, sent],
    });
    const { isError } = await harness.run(workflow, { name: 'web', other: 'x' });
    expect(isError).toBe(false);
    const text = pods.map(({ id }) => `${String(id)},`).join('');
    expect(harness.calls.at(-1)?.arguments).toEqual({ text, name: 'web' });
    const [first] = harness.isolated;
    expect(harness.isolated).toHaveLength(1);
    const data = first?.work['data'];
    expect(isJsonMap(data) && data['input']).toEqual({ name: 'web', other: null });
    expect(isJsonMap(data) && data['results']).toEqual({ pods, few: null });
  });

  it('of a condition, of the items of a loop and of the output is isolated', async () => {
    const harness = isolating();
    const loop = {
      id: 'loop',
      forEach: {
        items: `{{ splitList "," (slice (print \`x\`) 0 1) }}`,
        steps: [{ id: 'b', tool: 'x_echo' }],
      },
    };
    const gated = {
      id: 'a',
      tool: 'x_echo',
      condition: {
        template: `{{ eq (len .results.pods) (len (fromJson (toJson .results.pods))) }}`,
      },
    };
    const big = {
      id: 'big',
      forEach: {
        items: '{{ slice (reverse (splitList "," (toJson .results.pods))) 0 2 }}',
        steps: [{ id: 'c', tool: 'x_echo' }],
      },
    };
    const workflow = workflowOf({ steps: [listing, gated, loop, big], output: { text: large } });
    const { document, isError } = await harness.run(workflow);
    expect(isError).toBe(false);
    expect(document.text).toHaveLength(pods.map(({ id }) => `${String(id)},`).join('').length);
    expect(harness.isolated).toHaveLength(3);
    expect(harness.calls.map(({ tool }) => tool)).toEqual([
      'x_pods',
      'x_echo',
      'x_echo',
      'x_echo',
      'x_echo',
    ]);
  });

  it('fails with the same text as a small one', async () => {
    const failing = '{{ range .results.pods }}{{ if gt .id 29000 }}{{ .nme }}{{ end }}{{ end }}';
    const workflow = workflowOf({
      steps: [listing, { id: 'a', tool: 'x_echo', args: { v: failing } }],
    });
    const harness = isolating();
    const { document } = await harness.run(workflow);
    const alone = await harnessOf({ tools }).run(workflow);
    expect(harness.isolated).toHaveLength(1);
    expect(document.error).toBe(alone.document.error);
    expect(document.error).toContain("argument 'v': line 1, column 50: path '.nme' not found");
  });

  it('is done in the same process without a place for isolated work', async () => {
    const harness = harnessOf({ tools });
    await harness.run(
      workflowOf({ steps: [listing, { id: 'a', tool: 'x_echo', args: { v: large } }] }),
    );
    expect(harness.calls).toHaveLength(2);
    expect(harness.isolated).toEqual([]);
  });
});

describe('a small rendering', () => {
  it('is done at once', async () => {
    const harness = isolating();
    const workflow = workflowOf({
      steps: [
        { id: 'few', tool: 'x_small' },
        { id: 'a', tool: 'x_echo', args: { v: small } },
      ],
    });
    await harness.run(workflow);
    expect(harness.calls.at(-1)?.arguments).toEqual({ v: '1,2,' });
    expect(harness.isolated).toEqual([]);
  });
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
  const spending = {
    id: 'spend',
    tool: 'x_echo',
    allowFailure: true,
    args: { v: '{{ range 19000 }}{{ end }}' },
  };
  const limits = { maxRunSteps: 60_000 };

  it.each([true, false])(
    'limits the steps of all its renderings together (isolated: %s)',
    async (isolates) => {
      const steps = [1, 2, 3, 4, 5].map((count) => ({ ...spending, id: `s${String(count)}` }));
      const harness = harnessOf({ tools, limits, isolates });
      const { document } = await harness.run(workflowOf({ steps }));
      expect(document.error).toBe(`step s4 failed: ${TOO_MANY}`);
      const three = await harnessOf({ tools, limits, isolates }).run(
        workflowOf({ steps: steps.slice(0, 3) }),
      );
      expect(three.isError).toBe(false);
    },
  );

  it('is shared by parallel renderings', async () => {
    const parallel = [1, 2, 3, 4].map((count) => ({
      ...spending,
      id: `p${String(count)}`,
      args: { v: '{{ range 30000 }}{{ end }}' },
    }));
    const harness = harnessOf({ tools, limits, isolates: true });
    const { document } = await harness.run(workflowOf({ steps: [{ id: 'group', parallel }] }));
    expect(document.error).toContain(TOO_MANY);
  });

  it('is shared by nested workflows, and their memory is released when they end', async () => {
    const inner = workflowOf({ steps: [spending] }, 'inner');
    const call = { id: 'call', tool: 'workflow_inner' };
    const loop = (count: number) =>
      workflowOf({
        steps: [{ id: 'loop', forEach: { items: `{{ until ${String(count)} }}`, steps: [call] } }],
      });
    const harness = harnessOf({ tools, limits, workflows: { inner } });
    expect((await harness.run(loop(2))).isError).toBe(false);
    expect((await harness.run(loop(4))).document.error).toContain(TOO_MANY);
    const holding = workflowOf(
      { steps: [{ id: 'pods', tool: 'x_pods' }], output: { ok: true } },
      'inner',
    );
    const bytes = { maxRunBytes: 4 * 1024 * 1024 };
    const held = harnessOf({ tools, limits: bytes, workflows: { inner: holding } });
    expect((await held.run(loop(20))).isError).toBe(false);
  });

  it('counts every call as 500 steps, so that nested workflows do not multiply calls', async () => {
    const inner = workflowOf(
      {
        steps: [
          {
            id: 'loop',
            forEach: { items: '{{ until 35 }}', steps: [{ id: 'a', tool: 'x_small' }] },
            allowFailure: true,
          },
        ],
      },
      'inner',
    );
    const outer = (count: number) =>
      workflowOf({
        steps: [
          {
            id: 'group',
            parallel: Array.from({ length: count }, (_unused, id) => ({
              id: `p${String(id)}`,
              tool: 'workflow_inner',
              allowFailure: true,
            })),
          },
        ],
      });
    const harness = harnessOf({ tools, limits, workflows: { inner } });
    expect((await harness.run(outer(3))).isError).toBe(false);
    const before = harness.calls.length;
    expect((await harness.run(outer(30))).document.error).toContain(TOO_MANY);
    expect(harness.calls.length - before).toBeLessThanOrEqual(120);
  });

  it('counts the work of functions', async () => {
    const v = '{{ repeat 2000000 "a" | upper | len }}';
    const harness = harnessOf({ tools, limits, isolates: true });
    const { document } = await harness.run(
      workflowOf({ steps: [{ id: 'a', tool: 'x_echo', args: { v } }] }),
    );
    expect(document.error).toContain(TOO_MANY);
  });

  it('leaves the handlers of all failed runs together one budget of their own', async () => {
    const handler = { id: 'clean', tool: 'x_echo', args: { v: '{{ range 19000 }}{{ end }}' } };
    const inner = workflowOf(
      { steps: [{ id: 'fail', tool: 'x_missing' }], onFailure: [handler] },
      'inner',
    );
    const call = { id: 'call', tool: 'workflow_inner', allowFailure: true };
    const items = '{{ until 10 }}';
    const harness = harnessOf({ tools, limits, workflows: { inner } });
    await harness.run(workflowOf({ steps: [{ id: 'loop', forEach: { items, steps: [call] } }] }));
    expect(harness.calls.filter(({ tool }) => tool === 'x_echo')).toHaveLength(3);
  });
});

describe('the memory of all runs', () => {
  it('ends the runs that hold more than their share, and no other', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const waiting = {
      x_wait: async () => released.then(() => ({ ok: true as const, result: {} })),
    };
    const limits = { maxMemoryBytes: 6_000_000 };
    const harness = harnessOf({ tools: { ...tools, ...waiting }, limits });
    const holds = [listing, { ...listing, id: 'again' }, { id: 'wait', tool: 'x_wait' }];
    const first = harness.run(workflowOf({ steps: holds }));
    const second = harness.run(workflowOf({ steps: holds }));
    const third = harness.run(
      workflowOf({
        steps: [
          { id: 'a', tool: 'x_small' },
          { id: 'wait', tool: 'x_wait' },
        ],
      }),
    );
    await Promise.race([first, second]);
    release();
    const errors = (await Promise.all([first, second])).map(({ document }) =>
      String(document.error ?? ''),
    );
    expect(
      errors.some((error) =>
        error.includes(
          'the runs of this process hold more than the 6000000 bytes of arguments and results allowed (maxMemoryBytes)',
        ),
      ),
    ).toBe(true);
    expect((await third).isError).toBe(false);
    expect((await harness.run(workflowOf({ steps: [listing] }))).isError).toBe(false);
  });
});
