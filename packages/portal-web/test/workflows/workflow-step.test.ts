import { describe, expect, it } from 'vitest';
import {
  formatCondition,
  formatStep,
  parseSteps,
} from '../../src/pages/workflows/workflow-facts.ts';

const PLAIN = { description: '', allowsFailure: false, isShown: false };

describe('the steps of a definition', () => {
  it('are calls, loops and groups', () => {
    const list = { id: 'list', tool: 'x_notes_list', args: { limit: 1 } };
    const steps = parseSteps([
      list,
      { id: 'each', forEach: { items: '{{ .input.all }}', as: 'one', steps: [list] } },
      { id: 'both', parallel: [list, { id: 'other', tool: 'x_b' }] },
    ]);
    const tool = (id: string, name: string, args = {}) => ({
      ...{ ...PLAIN, id, kind: 'tool', tool: name, args },
    });
    const call = tool('list', 'x_notes_list', { limit: 1 });
    const loop = { items: '{{ .input.all }}', as: 'one', steps: [call] };
    expect(steps).toEqual([
      call,
      { ...PLAIN, id: 'each', kind: 'forEach', ...loop },
      { ...PLAIN, id: 'both', kind: 'parallel', steps: [call, tool('other', 'x_b')] },
    ]);
    expect(steps.map(formatStep)).toEqual([
      'x_notes_list',
      'for each one of {{ .input.all }}',
      'all at once',
    ]);
  });

  it('name the item of a loop `item` unless the definition names it', () => {
    const [step] = parseSteps([{ id: 'each', forEach: { items: '{{ .x }}', steps: [] } }]);
    expect(step).toMatchObject({ as: 'item' });
  });

  it('say what is special about a step', () => {
    const [shown, stored, failing] = parseSteps([
      { id: 'a', tool: 'x_a', output: true },
      { id: 'b', tool: 'x_b', store: true },
      { id: 'c', tool: 'x_c', allowFailure: true },
    ]);
    expect([shown?.isShown, stored?.isShown, failing?.isShown]).toEqual([true, true, false]);
    expect([shown?.allowsFailure, failing?.allowsFailure]).toEqual([false, true]);
  });

  it('leave out what is no step, and read names of inherited properties as names', () => {
    const text: unknown = JSON.parse(
      '[null, "x", {"id": "__proto__", "tool": "constructor", "args": {"__proto__": 1}}]',
    );
    const [step, ...others] = parseSteps(text);
    expect(others).toEqual([]);
    expect(step).toMatchObject({ id: '__proto__', tool: 'constructor' });
    expect(step?.kind === 'tool' && Object.keys(step.args)).toEqual(['__proto__']);
    expect(parseSteps({ length: 3 })).toEqual([]);
  });
});

describe('a condition', () => {
  it.each([
    [{ template: '{{ .input.a }}' }, 'if {{ .input.a }}'],
    [{ tool: 'x_check', expect: { success: true } }, 'if the answer of x_check is as expected'],
    [{ fromStep: 'a', expectNot: {} }, 'if the result of a is as expected'],
  ])('%o is %s', (condition, text) => {
    const [step] = parseSteps([{ id: 'a', tool: 'x_a', condition }]);
    expect(step?.condition && formatCondition(step.condition)).toBe(text);
    expect(step?.condition?.written).toEqual(condition);
  });

  it('without a source is none', () => {
    expect(parseSteps([{ id: 'a', tool: 'x_a', condition: {} }])[0]?.condition).toBe(undefined);
  });
});
