import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { echo, failing, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const loopOf = (steps: readonly object[], more: object = {}) => ({
  id: 'loop',
  forEach: { items: '{{ .input.list }}', steps, ...more },
});

const tools: Record<string, Tool> = { x_echo: echo, x_fail: failing('bad') };

/** The arguments of all calls. */
const madeBy = async (steps: readonly object[], input: unknown) => {
  const harness = harnessOf({ tools });
  const { document } = await harness.run(workflowOf({ steps }), input);
  return { args: harness.calls.map(({ arguments: args }) => args), document };
};

requirement('2.7/for-each-runs', () => {
  it('runs all sub-steps for an item before the next', async () => {
    const steps = [
      { id: 'a', tool: 'x_echo', args: { a: '{{ .vars.item }}' } },
      { id: 'b', tool: 'x_echo', args: { b: '{{ .results.a.a }}' } },
    ];
    const { args, document } = await madeBy([loopOf(steps)], { list: ['x', 'y'] });
    expect(args).toEqual([{ a: 'x' }, { b: 'x' }, { a: 'y' }, { b: 'y' }]);
    expect(
      document.steps.map(({ id, iteration }: Record<string, unknown>) => [id, iteration]),
    ).toEqual([
      ['a', 0],
      ['b', 0],
      ['a', 1],
      ['b', 1],
    ]);
  });
  it('runs none for an empty list', async () => {
    const { args, document } = await madeBy([loopOf([{ id: 'a', tool: 'x_echo' }])], { list: [] });
    expect({ args, status: document.status }).toEqual({ args: [], status: 'completed' });
  });
  it('runs up to a thousand items, and refuses one more', async () => {
    const loop = loopOf([{ id: 'a', tool: 'x_echo' }]);
    expect((await madeBy([loop], { list: Array(1000).fill(1) })).args).toHaveLength(1000);
    const { args, document } = await madeBy([loop], { list: Array(1001).fill(1) });
    expect(args).toEqual([]);
    expect(document.error).toBe(
      'step loop failed: forEach step loop: items expression "{{ .input.list }}" resolved to 1001 items, more than the 1000 allowed',
    );
  });
});

requirement('2.7/for-each-items', () => {
  const loop = (items: string) => ({
    id: 'loop',
    forEach: { items, steps: [{ id: 'a', tool: 'x_echo', args: { v: '{{ .vars.item }}' } }] },
  });
  it.each([
    ['{{ .input.list }}', [1, 'two', { three: [3] }]],
    ['{{ .input.deep.er.list }}', [true, null]],
    ['{{ index .input.lists 1 }}', ['b']],
    ['{{ slice .input.list 1 2 }}', ['two']],
  ])('%s', async (items, expected) => {
    const input = {
      list: [1, 'two', { three: [3] }],
      lists: [['a'], ['b']],
      deep: { er: { list: [true, null] } },
    };
    expect((await madeBy([loop(items)], input)).args).toEqual(expected.map((v) => ({ v })));
  });
  it.each([
    ['{{ .input.nothing }}', 'items expression "{{ .input.nothing }}" resolved to nil'],
    [
      '{{ .input.text }}',
      'items expression "{{ .input.text }}" resolved to string, expected a list',
    ],
    ['{{ .input.map }}', 'items expression "{{ .input.map }}" resolved to object, expected a list'],
    ['a text', 'items expression "a text" resolved to string, expected a list'],
    [
      '[{{ .input.text }}]',
      'items expression "[{{ .input.text }}]" resolved to string, expected a list',
    ],
  ])('is refused when it is no list: %s', async (items, text) => {
    const { args, document } = await madeBy([loop(items)], { nothing: null, text: '[1]', map: {} });
    expect(args).toEqual([]);
    expect(document.error).toBe(`step loop failed: forEach step loop: ${text}`);
  });
});

requirement('2.7/for-each-item', () => {
  const steps = [{ id: 'a', tool: 'x_echo', args: { v: '{{ .vars.pod }}' } }];
  it('has the name that as gives', async () => {
    const list = ['x', { name: 'y' }, [1], null];
    const { args } = await madeBy([loopOf(steps, { as: 'pod' })], { list });
    expect(args).toEqual(list.map((v) => ({ v })));
  });
  it('is called item where as is not there, and by no other name', async () => {
    const named = [{ id: 'a', tool: 'x_echo', args: { v: '{{ .vars.item }}' } }];
    expect((await madeBy([loopOf(named)], { list: [1] })).args).toEqual([{ v: 1 }]);
    expect((await madeBy([loopOf(named, { as: 'pod' })], { list: [1] })).args).toEqual([]);
  });
  it('ends with the loop', async () => {
    const after = { id: 'after', tool: 'x_echo', args: { v: '{{ .vars.pod }}' } };
    const { document } = await madeBy([loopOf(steps, { as: 'pod' }), after], { list: [1] });
    expect(document.error).toMatch(/^step after failed: .*\.vars\.pod/u);
  });
  it('may have a name that every object has', async () => {
    for (const as of ['constructor', '__proto__', 'toString']) {
      const args = { v: `{{ .vars.${as} }}`, i: `{{ .vars.${as}_index }}` };
      const loop = loopOf([{ id: 'a', tool: 'x_echo', args }], { as });
      expect((await madeBy([loop], { list: ['x'] })).args).toEqual([{ v: 'x', i: 0 }]);
    }
  });
});

requirement('2.7/for-each-index', () => {
  it('counts from zero', async () => {
    const steps = [{ id: 'a', tool: 'x_echo', args: { i: '{{ .vars.pod_index }}' } }];
    const { args } = await madeBy([loopOf(steps, { as: 'pod' })], { list: ['x', 'y', 'z'] });
    expect(args).toEqual([{ i: 0 }, { i: 1 }, { i: 2 }]);
  });
  it('follows the name of the variable', async () => {
    const steps = [{ id: 'a', tool: 'x_echo', args: { i: '{{ .vars.item_index }}' } }];
    const { document } = await madeBy([loopOf(steps, { as: 'pod' })], { list: ['x'] });
    expect(document.error).toContain('.vars.item_index');
  });
});

const odd = {
  id: 'a',
  tool: 'x_echo',
  args: { v: '{{ .vars.item }}' },
  condition: { template: '{{ ne .vars.item 2 }}' },
};
const seen = async (list: readonly unknown[], v: string, sub: object = odd) => {
  const see = { id: 'see', tool: 'x_echo', args: { v } };
  const { args, document } = await madeBy([loopOf([sub]), see], { list });
  return document.status === 'completed' ? args.at(-1)!['v'] : (document.error as string);
};

requirement('2.7/for-each-iteration-result', () => {
  it('has one for each item', async () => {
    expect(await seen([1, 3], '{{ .results.a_0.v }} {{ .results.a_1.v }}')).toBe('1 3');
  });
  it('has none for an item whose sub-step was skipped, nor past the end', async () => {
    expect(await seen([1, 2, 3], '{{ .results.a_1.v }}')).toContain('.results.a_1');
    expect(await seen([1, 3], '{{ .results.a_2.v }}')).toContain('.results.a_2');
  });
  it('has one for a tolerated failure', async () => {
    const sub = { id: 'a', tool: 'x_fail', allowFailure: true };
    expect(await seen([1], '{{ .results.a_0.error }}', sub)).toBe('bad');
  });
});

requirement('2.7/for-each-last-result', () => {
  it('is the last one that there is', async () => {
    expect(await seen([1, 3], '{{ .results.a.v }}')).toBe(3);
    expect(await seen([1, 2], '{{ .results.a.v }}')).toBe(1);
  });
  it('is not there when no iteration ran', async () => {
    expect(await seen([], '{{ .results.a }}')).toContain('.results.a');
    expect(await seen([2], '{{ .results.a }}')).toContain('.results.a');
  });
});

const groupOf = (parallel: readonly object[]) => ({ id: 'group', parallel });

requirement('2.7/parallel-runs', () => {
  /** Answers when as many calls as this wait at the same time. */
  const meeting = (size: number) => {
    const at = { now: 0, most: 0 };
    const tool: Tool = async () => {
      at.now += 1;
      at.most = Math.max(at.most, at.now);
      await expect.poll(() => at.most).toBeGreaterThanOrEqual(size);
      at.now -= 1;
      return { ok: true, result: {} };
    };
    return { at, tool };
  };
  const subs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `s${index}`, tool: 'x_meet' }));
  it('runs them at the same time', async () => {
    const { tool } = meeting(3);
    const harness = harnessOf({ tools: { x_meet: tool } });
    const { isError } = await harness.run(workflowOf({ steps: [groupOf(subs(3))] }));
    expect(isError).toBe(false);
  });
  it('runs 32 at once and no more', async () => {
    const { at, tool } = meeting(32);
    const harness = harnessOf({ tools: { x_meet: tool } });
    await harness.run(workflowOf({ steps: [groupOf(subs(40))] }));
    expect({ most: at.most, calls: harness.calls.length }).toEqual({ most: 32, calls: 40 });
  });
  it('runs one after the other where the limit says so', async () => {
    const { at, tool } = meeting(1);
    const harness = harnessOf({ tools: { x_meet: tool }, limits: { maxParallel: 1 } });
    await harness.run(workflowOf({ steps: [groupOf(subs(5))] }));
    expect({ most: at.most, calls: harness.calls.length }).toEqual({ most: 1, calls: 5 });
  });
  it('does not run steps at the same time that stand one after the other', async () => {
    const { at, tool } = meeting(1);
    const harness = harnessOf({ tools: { x_meet: tool } });
    await harness.run(workflowOf({ steps: subs(3) }));
    expect(at.most).toBe(1);
  });
});

requirement('2.7/parallel-frozen-state', () => {
  it('shows them the results from before the group, though others have ended', async () => {
    const steps = [
      { id: 'a', tool: 'x_echo', args: { v: 1 } },
      groupOf([
        { id: 'b', tool: 'x_echo', args: { all: '{{ .results }}' } },
        { id: 'c', tool: 'x_echo', args: { all: '{{ .context }}' } },
      ]),
    ];
    const harness = harnessOf({ tools, limits: { maxParallel: 1 } });
    await harness.run(workflowOf({ steps }));
    const all = { a: { v: 1 } };
    expect(harness.calls.slice(1).map(({ arguments: args }) => args)).toEqual([{ all }, { all }]);
  });
  it('shows all of their results afterwards, in the order of the document', async () => {
    const late: Tool = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { ok: true, result: {} };
    };
    const harness = harnessOf({ tools: { ...tools, x_late: late } });
    const steps = [
      groupOf([
        { id: 'slow', tool: 'x_late' },
        { id: 'fast', tool: 'x_echo' },
      ]),
      { id: 'see', tool: 'x_echo', args: { all: '{{ .results }}' } },
    ];
    const { document } = await harness.run(workflowOf({ steps }));
    expect(Object.keys(harness.calls.at(-1)!.arguments['all'] as object)).toEqual(['slow', 'fast']);
    expect(document.steps.map(({ id }: { id: string }) => id)).toEqual(['slow', 'fast', 'see']);
  });
});

requirement('2.7/parallel-siblings', () => {
  it('fails a sub-step that refers to another', async () => {
    for (const [first, second] of [
      ['b', 'c'],
      ['c', 'b'],
    ] as const) {
      const group = groupOf([
        { id: first, tool: 'x_echo', args: { v: 1 } },
        { id: second, tool: 'x_echo', args: { v: `{{ .results.${first}.v }}` } },
      ]);
      const { document } = await madeBy([group], {});
      expect(document.error).toMatch(new RegExp(`^step ${second} failed: .*\\.results\\.${first}`));
    }
  });
  it('fails a condition on another', async () => {
    const group = groupOf([
      { id: 'b', tool: 'x_echo' },
      { id: 'c', tool: 'x_echo', condition: { fromStep: 'b', expect: { success: true } } },
    ]);
    expect((await madeBy([group], {})).document.error).toBe(
      'step c failed: step c condition references non-existent step result: b',
    );
  });
  it('lets a later step refer to both', async () => {
    const group = groupOf([
      { id: 'b', tool: 'x_echo', args: { v: 1 } },
      { id: 'c', tool: 'x_echo', args: { v: 2 } },
    ]);
    const after = { id: 'd', tool: 'x_echo', args: { v: '{{ .results.b.v }}{{ .results.c.v }}' } };
    expect((await madeBy([group, after], {})).args.at(-1)).toEqual({ v: '12' });
  });
});

describe('a group with failures', () => {
  it('runs the others to their end, and fails with the first in the order of the document', async () => {
    const later: Tool = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { ok: false, text: 'late' };
    };
    const harness = harnessOf({ tools: { ...tools, x_later: later } });
    const group = groupOf([
      { id: 'first', tool: 'x_later' },
      { id: 'second', tool: 'x_fail' },
      { id: 'third', tool: 'x_echo' },
    ]);
    const { document } = await harness.run(workflowOf({ steps: [group] }));
    expect(document.error).toBe('step first failed: late');
    expect(document.steps.map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'failed',
      'completed',
    ]);
  });
});
