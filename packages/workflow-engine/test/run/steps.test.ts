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

/** What a step gets to see as its argument `v`. */
const sees = async (before: readonly object[], v: unknown, input: unknown = {}) => {
  const spec = { steps: [...before, { id: 'see', tool: 'x_echo', args: { v } }] };
  const { made, document } = await ran(spec, input);
  const [tool, args] = made.at(-1) ?? [];
  const last = document.steps.at(-1);
  return last.id === 'see' && last.status === 'completed' && tool === 'x_echo'
    ? (args as Record<string, unknown>)['v']
    : (document.error as string);
};

requirement('2.7/step-args-templates', () => {
  it('renders texts wherever they stand, and leaves every other JSON type as it is', async () => {
    const args = {
      text: 'n is {{ .input.n }}',
      number: 5,
      flag: false,
      nothing: null,
      list: [1, '{{ .input.n }}', ['{{ .input.map.a }}']],
      map: { '{{ .input.n }}': '{{ .input.map }}' },
    };
    const spec = { steps: [{ id: 'a', tool: 'x_echo', args }] };
    const { made } = await ran(spec, { n: 7, map: { a: 'x' } });
    expect(made).toEqual([
      [
        'x_echo',
        {
          text: 'n is 7',
          number: 5,
          flag: false,
          nothing: null,
          list: [1, 7, ['x']],
          map: { '{{ .input.n }}': { a: 'x' } },
        },
      ],
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
    expect(made[1]).toEqual([
      'x_echo',
      { all: results, again: { input: {}, results, vars: {}, context: results } },
    ]);
  });
});

requirement('2.7/results-referenceable', () => {
  const list = { id: 'list', tool: 'x_list' };
  it('finds fields of a result, as deep as they are', async () => {
    expect(await sees([list], '{{ .results.list.count }}')).toBe(2);
    expect(await sees([list], '{{ .results.list.items[1].id }}')).toBe('b');
    expect(await sees([list], '{{ .results.list }}')).toEqual({
      items: [{ id: 'a' }, { id: 'b' }],
      count: 2,
    });
  });
  it('does not find a field that is not there, nor a step that comes later', async () => {
    expect(await sees([list], '{{ .results.list.ghost }}')).toContain('.results.list.ghost');
    expect(await sees([list], '{{ .results.see.v }}')).toContain('.results.see');
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
    const list = { id: 'list', tool: 'x_list', ...flags };
    expect(await sees([list], '{{ .results.list.count }}')).toBe(2);
  });
  it('inside groups and loops, too', async () => {
    const sub = { id: 'list', tool: 'x_list', output: false };
    expect(await sees([{ id: 'g', parallel: [sub] }], '{{ .results.list.count }}')).toBe(2);
    const loop = { id: 'l', forEach: { items: '{{ .input.list }}', steps: [sub] } };
    expect(await sees([loop], '{{ .results.list_0.count }}', { list: [1] })).toBe(2);
  });
});

const shownWith = async (flags: object): Promise<boolean> => {
  const spec = {
    steps: [
      { id: 'a', tool: 'x_list', ...flags },
      { id: 'b', tool: 'x_echo', output: false },
    ],
  };
  return 'result' in (await ran(spec)).document.steps[0];
};

requirement('2.7/store-visibility', () => {
  it('shows the result, and changes nothing else', async () => {
    expect(await shownWith({ store: true })).toBe(true);
    expect(await shownWith({ store: false })).toBe(false);
    expect(await shownWith({})).toBe(false);
    for (const store of [true, false]) {
      expect(await sees([{ id: 'a', tool: 'x_list', store }], '{{ .results.a.count }}')).toBe(2);
    }
  });
});

requirement('9.3/store-deprecated', () => {
  it('lets output decide where both are there', async () => {
    expect(await shownWith({ store: true, output: false })).toBe(false);
    expect(await shownWith({ store: false, output: true })).toBe(true);
  });
});

requirement('2.7/allow-failure', () => {
  const failures: readonly (readonly [string, object])[] = [
    ['a failed result', { tool: 'x_fail' }],
    ['a tool that is not there', { tool: 'x_ghost' }],
    ['a missing key', { tool: 'x_echo', args: { v: '{{ .input.ghost }}' } }],
    ['a condition that fails', { tool: 'x_echo', condition: { template: '{{ .input.ghost }}' } }],
    ['items that are no list', { forEach: { items: '5', steps: [{ id: 's', tool: 'x_echo' }] } }],
    ['a group that fails', { parallel: [{ id: 's', tool: 'x_fail' }] }],
    [
      'a loop that fails',
      { forEach: { items: '{{ .input.list }}', steps: [{ id: 's', tool: 'x_fail' }] } },
    ],
  ];
  it.each(failures)('goes on after %s, which later steps can see', async (_title, step) => {
    const failed = { id: 'failed', allowFailure: true, ...step };
    const v = '{{ .results.failed.isError }}/{{ .results.failed.success }}';
    expect(await sees([failed], v, { list: [1] })).toBe('true/false');
  });
  it.each(failures)('stops without it after %s', async (_title, step) => {
    const { document, isError } = await ran(
      {
        steps: [
          { id: 'failed', ...step },
          { id: 'never', tool: 'x_echo' },
        ],
      },
      { list: [1] },
    );
    expect(isError).toBe(true);
    expect(document.status).toBe('failed');
    expect(document.error).toMatch(/^step (?:failed|s) failed: /u);
    expect(document.steps.map(({ id }: { id: string }) => id)).not.toContain('never');
  });
});

requirement('2.7/template-missing-key', () => {
  it('does not call the tool', async () => {
    const args = { text: 'Hello {{ .input.ghost }}' };
    const { made, document } = await ran({ steps: [{ id: 'a', tool: 'x_echo', args }] });
    expect(made).toEqual([]);
    expect(document.steps[0].status).toBe('failed');
    expect(document.error).toContain('no entry for key "ghost"');
  });
  it('takes a key whose value is null for a key', async () => {
    expect(await sees([], '{{ .input.ghost }}', { ghost: null })).toBe(null);
  });
});

requirement('7.6/workflow-missing-key', () => {
  it('fails the step, in arguments, conditions and items', async () => {
    const missing = '{{ .results.ghost }}';
    for (const step of [
      { tool: 'x_echo', args: { v: missing } },
      { tool: 'x_echo', condition: { template: missing } },
      {
        tool: 'x_echo',
        condition: { tool: 'x_list', args: { v: missing }, expect: { success: true } },
      },
      { forEach: { items: missing, steps: [{ id: 's', tool: 'x_echo' }] } },
    ]) {
      const { made, document } = await ran({ steps: [{ id: 'a', ...step }] });
      expect(made).toEqual([]);
      expect(document.error).toMatch(/^step a failed: .*ghost/u);
    }
  });
  it('does not mind a missing key in a step that is skipped', async () => {
    const step = {
      id: 'a',
      tool: 'x_echo',
      args: { v: '{{ .results.ghost }}' },
      condition: { template: '{{ false }}' },
    };
    expect((await ran({ steps: [step] })).isError).toBe(false);
  });
});

requirement('2.7/on-failure-runs', () => {
  const onFailure = [
    { id: 'one', tool: 'x_echo', args: { why: '{{ .results.a.error }}' } },
    { id: 'two', tool: 'x_echo', args: { after: '{{ .results.one.why }}' } },
  ];
  it('runs the handlers in order after a failure, which they can see', async () => {
    const { made, document } = await ran({ steps: [{ id: 'a', tool: 'x_fail' }], onFailure });
    expect(made.slice(1)).toEqual([
      ['x_echo', { why: 'disk full' }],
      ['x_echo', { after: 'disk full' }],
    ]);
    expect(document.steps.map(({ id }: { id: string }) => id)).toEqual(['a', 'one', 'two']);
    expect(document.error).toBe('step a failed: disk full');
  });
  it('does not run them when all goes well, or the failure is tolerated', async () => {
    for (const step of [{ tool: 'x_echo' }, { tool: 'x_fail', allowFailure: true }]) {
      const { made } = await ran({ steps: [{ id: 'a', ...step }], onFailure });
      expect(made).toHaveLength(1);
    }
  });
  it('does not run them for refused arguments or a failed output template', async () => {
    const args = { n: { type: 'integer', required: true } };
    const steps = [{ id: 'a', tool: 'x_echo' }];
    expect((await ran({ args, steps, onFailure })).made).toEqual([]);
    const output = { v: '{{ .results.ghost }}' };
    const { made, isError } = await ran({ steps, onFailure, output });
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

requirement('2.7/on-failure-tolerates', () => {
  it('runs the next handler after one that fails, and keeps the reason of the run', async () => {
    const { document, harness } = await ran({
      steps: [{ id: 'a', tool: 'x_ghost' }],
      onFailure: [
        { id: 'one', tool: 'x_fail', allowFailure: false },
        { id: 'two', tool: 'x_echo', args: { v: '{{ .input.ghost }}' } },
        { id: 'three', tool: 'x_echo', condition: { template: '{{ .input.ghost }}' } },
        { id: 'four', tool: 'x_echo' },
      ],
    });
    expect(document.error).toBe('step a failed: Tool not found: x_ghost');
    const statuses = document.steps.map(({ id, status }: Record<string, string>) => [id, status]);
    expect(statuses).toEqual([
      ['a', 'failed'],
      ['one', 'failed'],
      ['two', 'failed'],
      ['three', 'failed'],
      ['four', 'completed'],
    ]);
    expect(harness.warnings).toEqual([
      'Workflow "demo": onFailure step one failed',
      'Workflow "demo": onFailure step two failed',
      'Workflow "demo": onFailure step three failed',
    ]);
  });
});
