import { expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { answering, echo, failing, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const tools: Record<string, Tool> = {
  x_echo: echo,
  x_fail: failing('disk full'),
  x_list: answering(() => ({ items: [{ id: 'a' }, { id: 'b' }], count: 2 })),
};

/** Runs steps and gives the document and what was called. */
const ran = async (spec: object, input: unknown = {}) => {
  const harness = harnessOf({ tools });
  const { document, isError } = await harness.run(workflowOf(spec), input);
  const made = harness.calls.map(({ tool, arguments: args }) => [tool, args]);
  return { document, isError, made, harness };
};

/** What a step gets to see as its argument `v`, or why the run failed. */
const sees = async (before: readonly object[], v: unknown, input: unknown = {}) => {
  const spec = { steps: [...before, { id: 'see', tool: 'x_echo', args: { v } }] };
  const { harness, document, isError } = await ran(spec, input);
  return isError ? (document.error as string) : harness.calls.at(-1)!.arguments['v'];
};

requirement('2.7/step-args-templates', () => {
  it('renders texts wherever they stand, and leaves keys and other types as they are', async () => {
    const v = [
      'n is {{ .input.n }}',
      [['{{ .input.map.a }}']],
      { '{{ .input.n }}': '{{ .input.map }}' },
    ];
    const map = { a: 'x' };
    expect(await sees([], v, { n: 7, map })).toEqual([
      'n is 7',
      [['x']],
      { '{{ .input.n }}': map },
    ]);
  });
  it('names the argument that cannot be rendered', async () => {
    const args = { fine: 1, broken: ['{{ .input.ghost }}'] };
    const { document } = await ran({ steps: [{ id: 'a', tool: 'x_echo', args }] });
    expect(document.error).toContain(
      "step a failed: failed to resolve arguments for step a: failed to render arguments for argument 'broken': [0]",
    );
  });
  it('gives all results as they were when the call was made', async () => {
    const { made } = await ran({
      steps: [
        { id: 'a', tool: 'x_echo', args: { v: 1 } },
        { id: 'b', tool: 'x_echo', args: { all: '{{ .results }}', again: '{{ $ }}' } },
        { id: 'c', tool: 'x_echo', args: { v: 3 } },
      ],
    });
    const results = { a: { v: 1 } };
    const again = { input: {}, results, vars: {}, context: results };
    expect(made[1]).toEqual(['x_echo', { all: results, again }]);
  });
});

const list = { id: 'my-list', tool: 'x_list' };
requirement('2.7/results-referenceable', () => {
  it.each([
    ['{{ .results.my-list.items[1].id }}', 'b'],
    ['{{ .results.my-list }}', { items: [{ id: 'a' }, { id: 'b' }], count: 2 }],
    ['{{ (index .results "my-list").count }}', 2],
  ])('%s is %j', async (v, expected) => {
    expect(await sees([list], v)).toEqual(expected);
  });
  it.each([
    ['{{ .results.my-list.ghost }}', "path '.results.my-list.ghost' not found"],
    ['{{ .results.see.v }}', 'no entry for key "see"; nearest key: "my-list"'],
    ['{{ .context.caller }}', 'no entry for key "caller"; nearest key: "my-list"'],
    ['{{ .input.ids }}', 'no entry for key "ids"; nearest key: "id"'],
    ['{{ .vars.item }}', 'no entry for key "item"; it has no keys'],
  ])('%s is not there', async (v, text) => {
    expect(await sees([list], v, { id: 1 })).toContain(text);
  });
});

requirement('9.3/results-referenceable', () => {
  it.each([
    {},
    { output: false },
    { output: true },
    { store: false },
    { store: true },
    { output: false, store: true },
  ])('whatever the flags are: %j', async (flags) => {
    expect(await sees([{ ...list, ...flags }], '{{ .results.my-list.count }}')).toBe(2);
  });
  it('inside groups and loops, too', async () => {
    const sub = { ...list, output: false };
    expect(await sees([{ id: 'g', parallel: [sub] }], '{{ .results.my-list.count }}')).toBe(2);
    const loop = { id: 'l', forEach: { items: '{{ list 1 }}', steps: [sub] } };
    expect(await sees([loop], '{{ .results.my-list_0.count }}')).toBe(2);
  });
});

requirement('2.7/allow-failure', () => {
  const subs = [{ id: 's', tool: 'x_fail' }];
  const failures: readonly (readonly [string, object])[] = [
    ['a failed result', { tool: 'x_fail' }],
    ['a tool that is not there', { tool: 'x_ghost' }],
    ['a missing key', { tool: 'x_echo', args: { v: '{{ .input.ghost }}' } }],
    ['a condition that fails', { tool: 'x_echo', condition: { template: '{{ .input.ghost }}' } }],
    ['items that are no list', { forEach: { items: '5', steps: [{ id: 's', tool: 'x_echo' }] } }],
    ['a group that fails', { parallel: subs }],
    ['a loop that fails', { forEach: { items: '{{ .input.list }}', steps: subs } }],
  ];
  it.each(failures)('goes on after %s, which later steps can see', async (_title, step) => {
    const failed = { id: 'failed', allowFailure: true, ...step };
    const v = '{{ .results.failed.isError }}/{{ .results.failed.success }}';
    expect(await sees([failed], v, { list: [1] })).toBe('true/false');
  });
  it.each(failures)('stops without it after %s', async (_title, step) => {
    const steps = [
      { id: 'failed', ...step },
      { id: 'never', tool: 'x_echo' },
    ];
    const { document, isError } = await ran({ steps }, { list: [1] });
    expect({ isError, status: document.status }).toEqual({ isError: true, status: 'failed' });
    expect(document.error).toMatch(/^step (?:failed|s) failed: /u);
    expect(document.steps.map(({ id }: { id: string }) => id)).not.toContain('never');
  });
});

requirement('2.7/template-missing-key', () => {
  it('takes a key whose value is null for a key', async () => {
    expect(await sees([], '{{ .input.ghost }}', { ghost: null })).toBe(null);
  });
});

requirement('7.6/workflow-missing-key', () => {
  const missing = '{{ .results.ghost }}';
  const check = { tool: 'x_list', args: { v: missing }, expect: { success: true } };
  it.each([
    { tool: 'x_echo', args: { v: missing } },
    { tool: 'x_echo', condition: { template: missing } },
    { tool: 'x_echo', condition: check },
    { forEach: { items: missing, steps: [{ id: 's', tool: 'x_echo' }] } },
  ])('fails the step %j', async (step) => {
    const { made, document } = await ran({ steps: [{ id: 'a', ...step }] });
    expect(made).toEqual([]);
    expect(document.error).toMatch(/^step a failed: .*ghost/u);
  });
  it('does not mind a missing key in a step that is skipped', async () => {
    const condition = { template: '{{ false }}' };
    const step = { id: 'a', tool: 'x_echo', args: { v: missing }, condition };
    expect((await ran({ steps: [step] })).isError).toBe(false);
  });
});

requirement('2.7/on-failure-runs', () => {
  it('does not run handlers for a failed output template', async () => {
    const onFailure = [{ id: 'one', tool: 'x_echo' }];
    const output = { v: '{{ .results.ghost }}' };
    const { made, isError } = await ran({
      steps: [{ id: 'a', tool: 'x_echo' }],
      onFailure,
      output,
    });
    expect({ calls: made.length, isError }).toEqual({ calls: 1, isError: true });
  });
  it('runs no handler before the one in front of it is done', async () => {
    let running = 0;
    const slow: Tool = async () => {
      running += 1;
      await expect.poll(() => running).toBe(1);
      running -= 1;
      return { ok: false, text: 'still failed' };
    };
    const harness = harnessOf({ tools: { x_slow: slow } });
    const handlers = ['a', 'b', 'c'].map((id) => ({ id, tool: 'x_slow' }));
    await harness.run(workflowOf({ steps: [{ id: 's', tool: 'x_none' }], onFailure: handlers }));
    expect(harness.calls).toHaveLength(4);
  });
});

it('has the same template functions in arguments, items, conditions and the output', async () => {
  const v = '{{ .input.names | join "-" | upper }}';
  const condition = { template: '{{ eq (.input.names | join "-" | upper) "A-B" }}' };
  const inner = { id: 'inner', tool: 'x_echo', args: { v: '{{ .vars.item }}' } };
  const items = '{{ .input.names | join "-" | upper | splitList "-" }}';
  const steps = [
    { id: 'args', tool: 'x_echo', args: { v } },
    { id: 'gate', tool: 'x_echo', condition },
    { id: 'loop', forEach: { items, steps: [inner] } },
  ];
  const { document, harness } = await ran({ steps, output: { v } }, { names: ['a', 'b'] });
  expect(document.v).toBe('A-B');
  expect(harness.calls.map((call) => call.arguments['v'])).toEqual(['A-B', undefined, 'A', 'B']);
});
