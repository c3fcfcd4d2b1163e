import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { echo, failing, workflowOf, harnessOf, type Tool } from '../run-harness.ts';

const loopOf = (steps: readonly object[], more: object = {}) => ({
  id: 'loop',
  forEach: { items: '{{ .input.list }}', steps, ...more },
});
const late: Tool = async () => {
  await new Promise((resolve) => setImmediate(resolve));
  return { ok: false, text: 'late' };
};
const tools: Record<string, Tool> = { x_echo: echo, x_fail: failing('bad'), x_late: late };
const echoing = (id: string, v: unknown) => ({ id, tool: 'x_echo', args: { v } });

/** The arguments of all calls. */
const madeBy = async (steps: readonly object[], input: unknown = {}) => {
  const harness = harnessOf({ tools });
  const { document } = await harness.run(workflowOf({ steps }), input);
  return { args: harness.calls.map(({ arguments: args }) => args), document };
};

requirement('2.7/for-each-runs', () => {
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
  const loop = (items: string) => loopOf([echoing('a', '{{ .vars.item }}')], { items });
  it.each([
    ['{{ .input.list }}', [1, 'two', { three: [3] }]],
    ['{{ .input.deep.er.list }}', [true, null]],
    ['{{ index .input.lists 1 }}', ['b']],
    ['{{ slice .input.list 1 2 }}', ['two']],
  ])('%s', async (items, expected) => {
    const list = [1, 'two', { three: [3] }];
    const input = { list, lists: [['a'], ['b']], deep: { er: { list: [true, null] } } };
    expect((await madeBy([loop(items)], input)).args).toEqual(expected.map((v) => ({ v })));
  });
  it.each([
    ['{{ .input.nothing }}', 'nil'],
    ['{{ .input.text }}', 'string, expected a list'],
    ['{{ .input.map }}', 'object, expected a list'],
    ['a text', 'string, expected a list'],
    ['[{{ .input.text }}]', 'string, expected a list'],
  ])('is refused when it is no list: %s', async (items, what) => {
    const { args, document } = await madeBy([loop(items)], { nothing: null, text: '[1]', map: {} });
    expect(args).toEqual([]);
    expect(document.error).toBe(
      `step loop failed: forEach step loop: items expression "${items}" resolved to ${what}`,
    );
  });
});

requirement('2.7/for-each-item', () => {
  it('has the name that as gives, and no other', async () => {
    const list = ['x', { name: 'y' }, [1], null];
    const pods = loopOf([echoing('a', '{{ .vars.pod }}')], { as: 'pod' });
    expect((await madeBy([pods], { list })).args).toEqual(list.map((v) => ({ v })));
    const items = loopOf([echoing('a', '{{ .vars.item }}')], { as: 'pod' });
    expect((await madeBy([items], { list: [1] })).args).toEqual([]);
  });
  it.each(['constructor', '__proto__', 'toString'])('may be called %s', async (as) => {
    const args = { v: `{{ .vars.${as} }}`, i: `{{ .vars.${as}_index }}` };
    const loop = loopOf([{ id: 'a', tool: 'x_echo', args }], { as });
    expect((await madeBy([loop], { list: ['x'] })).args).toEqual([{ v: 'x', i: 0 }]);
  });
});

requirement('2.7/for-each-index', () => {
  it('follows the name of the variable', async () => {
    const loop = loopOf([echoing('a', '{{ .vars.item_index }}')], { as: 'pod' });
    expect((await madeBy([loop], { list: ['x'] })).document.error).toContain('.vars.item_index');
  });
});

requirement('2.7/for-each-last-result', () => {
  const odd = {
    ...echoing('a', '{{ .vars.item }}'),
    condition: { template: '{{ ne .vars.item 2 }}' },
  };
  it.each([
    [[1, 3], '{{ .results.a.v }}', 3],
    [[1, 2], '{{ .results.a.v }}', 1],
    [[1, 3], '{{ .results.a_0.v }} {{ .results.a_1.v }}', '1 3'],
  ])('of %j is what %s gives: %j', async (list, v, expected) => {
    const { args } = await madeBy([loopOf([odd]), echoing('see', v)], { list });
    expect(args.at(-1)).toEqual({ v: expected });
  });
  it.each([
    [[], 'a'],
    [[2], 'a'],
    [[1, 3], 'a_2'],
  ])('of %j is not there: %s', async (list, name) => {
    const see = echoing('see', `{{ .results.${name} }}`);
    const { document } = await madeBy([loopOf([odd]), see], { list });
    expect(document.error).toContain(`.results.${name}`);
  });
});

const groupOf = (parallel: readonly object[]) => ({ id: 'group', parallel });

requirement('2.7/parallel-runs', () => {
  const subs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `s${index}`, tool: 'x_meet' }));
  it.each([
    ['at the same time', [groupOf(subs(3))], 3, {}],
    ['32 at once and no more', [groupOf(subs(40))], 32, {}],
    ['one after the other where the limit says so', [groupOf(subs(5))], 1, { maxParallel: 1 }],
    ['one after the other outside of a group', subs(3), 1, {}],
  ])('runs them %s', async (_title, steps, most, limits) => {
    const at = { now: 0, most: 0 };
    // Answers when as many calls as this wait at the same time.
    const meeting: Tool = async () => {
      at.now += 1;
      at.most = Math.max(at.most, at.now);
      await expect.poll(() => at.most).toBeGreaterThanOrEqual(most);
      at.now -= 1;
      return { ok: true, result: {} };
    };
    const harness = harnessOf({ tools: { x_meet: meeting }, limits });
    const { isError, document } = await harness.run(workflowOf({ steps }));
    expect({ isError, most: at.most }).toEqual({ isError: false, most });
    expect(harness.calls).toHaveLength(document.steps.length);
  });
});

requirement('2.7/parallel-frozen-state', () => {
  it('shows them the results from before the group, though others have ended', async () => {
    const group = groupOf([echoing('b', '{{ .results }}'), echoing('c', '{{ .context }}')]);
    const harness = harnessOf({ tools, limits: { maxParallel: 1 } });
    await harness.run(workflowOf({ steps: [echoing('a', 1), group] }));
    const v = { a: { v: 1 } };
    expect(harness.calls.slice(1).map(({ arguments: args }) => args)).toEqual([{ v }, { v }]);
  });
  it('shows all of their results afterwards, in the order of the document', async () => {
    const slow = { id: 'slow', tool: 'x_late', allowFailure: true };
    const group = groupOf([slow, { id: 'fast', tool: 'x_echo' }]);
    const { args, document } = await madeBy([group, echoing('see', '{{ .results }}')]);
    expect(Object.keys(args.at(-1)!['v'] as object)).toEqual(['slow', 'fast']);
    expect(document.steps.map(({ id }: { id: string }) => id)).toEqual(['slow', 'fast', 'see']);
  });
});

requirement('2.7/parallel-siblings', () => {
  it.each(['bc', 'cb'])('fails a sub-step that refers to another: %s', async ([first, second]) => {
    const referring = echoing(second!, `{{ .results.${first}.v }}`);
    const { document } = await madeBy([groupOf([echoing(first!, 1), referring])]);
    expect(document.error).toMatch(new RegExp(`^step ${second} failed: .*\\.results\\.${first}`));
  });
  it('fails a condition on another', async () => {
    const condition = { fromStep: 'b', expect: { success: true } };
    const group = groupOf([echoing('b', 1), { id: 'c', tool: 'x_echo', condition }]);
    expect((await madeBy([group])).document.error).toBe(
      'step c failed: step c condition references non-existent step result: b',
    );
  });
});

describe('a group with failures', () => {
  it('runs the others to their end, and fails with the first in the order of the document', async () => {
    const subs = ['x_late', 'x_fail', 'x_echo'].map((tool, at) => ({ id: `s${at}`, tool }));
    const { document } = await madeBy([groupOf(subs)]);
    expect(document.error).toBe('step s0 failed: late');
    const statuses = document.steps.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['failed', 'failed', 'completed']);
  });
});
