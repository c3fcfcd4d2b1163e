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
const NONE = new Map<string, never>();
const NOTHING: Explanation = { selected: NONE, leftOut: NONE, idleRules: [], notes: [] };

const rule = (preset: string, list: string, index: number, text: string): object => ({
  ...{ preset, list, index, rule: text },
});
const RULES = [
  rule('ops', 'include', 1, 'preset: files'),
  rule('files', 'include', 0, 'server: files'),
];

const OPS = {
  total: 2,
  tools: [
    {
      name: 'x_files_read',
      selected_by: [
        { selector: 'preset:ops', rules: RULES },
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
  it.each([
    [
      'every selector that selects a tool, with its rules',
      'x_files_read',
      'in',
      [
        'preset:ops: "preset: files" (ops.include[1]), then "server: files" (files.include[0])',
        'tool:x_files_read',
      ],
    ],
    ['the tool itself', '__proto__', 'in', ['tool:__proto__']],
    [
      'the rule that takes a tool out',
      'x_files_delete',
      'left-out',
      ['preset:ops excludes it: "pattern: *_delete" (ops.exclude[0])'],
    ],
    [
      'the toolset of the request that takes a tool out',
      'x_time_now',
      'left-out',
      ['server:time includes it, but the toolset of the request does not.'],
    ],
    ['no selector', 'x_other', 'not-named', ['No selector names it.']],
    ['no selector', 'constructor', 'not-named', ['No selector names it.']],
  ])('names %s: %s', (_what, tool, state, texts) => {
    expect(resolveToolReason(explained(OPS), tool)).toEqual({ state, texts });
  });

  it('has the rules that find nothing, and notes', () => {
    expect(explained(OPS).idleRules.map(formatRule)).toEqual(['"tool: gone" (ops.exclude[1])']);
    expect(explained(OPS).notes).toEqual(['server:eu names a member of the family sales']);
  });

  it('is absent without the key of the gateway', () => {
    for (const meta of [undefined, { 'other/key': OPS }, { [KEY]: true }])
      expect(readExplanation(meta)).toBe(undefined);
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
  const names = ['x_files_read', 'x_files_delete', 'x_time_now', 'x_mail_send'];
  const tools = readTools({ tools: names.map((name) => ({ name, kind: 'tool' })) });
  const other = {
    tools: ['x_files_read', 'x_time_now'].map((name) => ({ name, selected_by: [] })),
    left_out: [],
  };
  const shown = (view: ComparisonView): readonly string[] =>
    compareToolsets(tools, [explained(OPS), explained(other)], view).map(({ tool }) => tool.name);

  it.each<[ComparisonView, readonly string[]]>([
    ['selected', ['x_files_read', 'x_time_now']],
    ['different', ['x_time_now']],
    ['left-out', ['x_files_delete', 'x_time_now']],
    ['all', names],
  ])('shows what is %s', (view, expected) => {
    expect(shown(view)).toEqual(expected);
  });

  it('keeps the reasons in the order of the toolsets', () => {
    const [, time] = compareToolsets(tools, [explained(OPS), explained(other)], 'selected');
    expect(time?.reasons.map(({ state }) => state)).toEqual(['left-out', 'in']);
  });
});
