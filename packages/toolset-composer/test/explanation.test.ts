import { describe, expect, it } from 'vitest';
import { readTools } from '../src/catalog-tool.ts';
import {
  compareToolsets,
  type ComparisonView,
  type Explanation,
  readExplanation,
  resolveToolReason,
  formatRule,
} from '../src/explanation.ts';

const KEY = 'gateway.internal/explain-toolset';
const NOTHING: Explanation = {
  selected: new Map(),
  leftOut: new Map(),
  idleRules: [],
  notes: [],
};

const rule = (preset: string, list: string, index: number, text: string): object => ({
  preset,
  list,
  index,
  rule: text,
});

const OPS = {
  total: 2,
  tools: [
    {
      name: 'x_files_read',
      selected_by: [
        {
          selector: 'preset:ops',
          rules: [
            rule('ops', 'include', 1, 'preset: files'),
            rule('files', 'include', 0, 'server: files'),
          ],
        },
        { selector: 'tool:x_files_read', rules: [] },
      ],
    },
    { name: '__proto__', selected_by: [{ selector: 'tool:__proto__', rules: [] }] },
  ],
  left_out_total: 2,
  left_out: [
    {
      name: 'x_files_delete',
      selector: 'preset:ops',
      by: rule('ops', 'exclude', 0, 'pattern: *_delete'),
    },
    { name: 'x_time_now', selector: 'server:time' },
  ],
  unmatched: [],
  idle_rules: [rule('ops', 'exclude', 1, 'tool: gone')],
  notes: ['server:eu names a member of the family sales'],
};

const explained = (value: unknown): Explanation => readExplanation({ [KEY]: value }) ?? NOTHING;

describe('an explanation', () => {
  it('names every selector that selects a tool, with its rules', () => {
    expect(resolveToolReason(explained(OPS), 'x_files_read')).toEqual({
      state: 'in',
      texts: [
        'preset:ops: "preset: files" (ops.include[1]), then "server: files" (files.include[0])',
        'tool:x_files_read',
      ],
    });
    expect(resolveToolReason(explained(OPS), '__proto__')).toEqual({
      state: 'in',
      texts: ['tool:__proto__'],
    });
  });

  it('names the rule that takes a tool out', () => {
    expect(resolveToolReason(explained(OPS), 'x_files_delete')).toEqual({
      state: 'left-out',
      texts: ['preset:ops excludes it: "pattern: *_delete" (ops.exclude[0])'],
    });
    expect(resolveToolReason(explained(OPS), 'x_time_now')).toEqual({
      state: 'left-out',
      texts: ['server:time includes it, but the toolset of the request does not.'],
    });
  });

  it('says that no selector names a tool', () => {
    for (const name of ['x_other', 'constructor'])
      expect(resolveToolReason(explained(OPS), name)).toEqual({
        state: 'not-named',
        texts: ['No selector names it.'],
      });
  });

  it('has the rules that find nothing, and notes', () => {
    expect(explained(OPS).idleRules.map(formatRule)).toEqual(['"tool: gone" (ops.exclude[1])']);
    expect(explained(OPS).notes).toEqual(['server:eu names a member of the family sales']);
  });

  it('is absent without the key of the gateway', () => {
    expect(readExplanation(undefined)).toBe(undefined);
    expect(readExplanation({ 'other/key': OPS })).toBe(undefined);
    expect(readExplanation({ [KEY]: true })).toBe(undefined);
  });

  it('leaves out what has another form', () => {
    const odd = {
      tools: [7, { selected_by: [] }, { name: 'a', selected_by: [{ selector: 1 }, null] }],
      left_out: [{ name: 'b' }, { name: 'c', selector: 's', by: { preset: 'p', list: 'other' } }],
      idle_rules: [{}, 'x'],
      notes: [1, 'n'],
    };
    expect(explained(odd)).toEqual({
      selected: new Map([['a', []]]),
      leftOut: new Map([['c', [{ selector: 's' }]]]),
      idleRules: [],
      notes: ['n'],
    });
  });
});

describe('a comparison of two toolsets', () => {
  const tools = readTools({
    tools: ['x_files_read', 'x_files_delete', 'x_time_now', 'x_mail_send'].map((name) => ({
      name,
      kind: 'tool',
    })),
  });
  const other = {
    tools: ['x_files_read', 'x_time_now'].map((name) => ({ name, selected_by: [] })),
    left_out: [],
  };
  const shown = (view: ComparisonView): readonly string[] =>
    compareToolsets(tools, [explained(OPS), explained(other)], view).map(({ tool }) => tool.name);

  it('shows what is selected, different, left out, or everything', () => {
    expect(shown('selected')).toEqual(['x_files_read', 'x_time_now']);
    expect(shown('different')).toEqual(['x_time_now']);
    expect(shown('left-out')).toEqual(['x_files_delete', 'x_time_now']);
    expect(shown('all')).toEqual(tools.map(({ name }) => name));
  });

  it('keeps the reasons in the order of the toolsets', () => {
    const [, time] = compareToolsets(tools, [explained(OPS), explained(other)], 'selected');
    expect(time?.reasons.map(({ state }) => state)).toEqual(['left-out', 'in']);
  });
});
