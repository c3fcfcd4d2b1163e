import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalog } from '@gateway/catalog';
import { parseToolset } from '@gateway/toolset-grammar';
import {
  listExcludeGaps,
  formatExcludeGap,
  explainToolset,
  formatExplanationNote,
  formatError,
  type SelectedBy,
  type ToolsetExplanation,
  type ToolsetQuestion,
} from '../src/index.ts';
import { exampleCatalog, namesOf, presetsOf, resolve, server } from './example-catalog.ts';

const config = {
  docs: { include: [{ label: 'team=docs' }], exclude: [{ tool: 'x_files_write_file' }] },
  reading: { include: [{ readOnly: true }, { server: 'gone' }], exclude: [{ pattern: 'core_*' }] },
  mixed: { include: [{ preset: 'docs' }, { preset: 'reading' }, { workflow: 'deploy' }] },
  europe: { include: [{ label: 'zone=eu' }] },
};
const presets = presetsOf(config);

const explain = (
  items: readonly string[],
  more: Partial<ToolsetQuestion> = {},
): ToolsetExplanation => {
  const parsed = parseToolset(items);
  if (!parsed.ok) throw new Error(parsed.error.code);
  const explained = explainToolset({
    toolset: parsed.value,
    presets,
    catalog: exampleCatalog,
    ...more,
  });
  if (!explained.ok) throw new Error(formatError(explained.error));
  return explained.value;
};

const written = ({ selector, rules }: SelectedBy): string =>
  [
    selector,
    ...rules.map(({ preset, list, index, rule }) => `${preset} ${list}[${String(index)}] ${rule}`),
  ].join(' > ');

/** Each tool with the ways that lead to it. */
const ways = (explanation: ToolsetExplanation) =>
  Object.fromEntries(
    explanation.tools.map(({ tool, selectedBy }) => [tool.name, selectedBy.map(written)]),
  );

describe('the explanation of a toolset', () => {
  it('names every selector that selects a tool', () =>
    expect(ways(explain(['server:git', 'tool:x_git_push', 'preset:none']))).toEqual({
      x_git_get_log: ['server:git'],
      x_git_push: ['server:git', 'tool:x_git_push'],
    }));

  it('follows a preset down to the rule that names the tool', () =>
    expect(ways(explain(['preset:mixed']))).toEqual({
      x_files_get_file: [
        'preset:mixed > mixed include[0] preset: docs > docs include[0] label: team=docs',
      ],
      x_git_get_log: [
        'preset:mixed > mixed include[1] preset: reading > reading include[0] readOnly: true',
      ],
      x_k8s_get_pods: [
        'preset:mixed > mixed include[1] preset: reading > reading include[0] readOnly: true',
      ],
      workflow_deploy: ['preset:mixed > mixed include[2] workflow: deploy'],
      workflow_report: [
        'preset:mixed > mixed include[1] preset: reading > reading include[0] readOnly: true',
      ],
    }));

  it('says what takes a tool out again, and says it not of one that another selector keeps', () => {
    const leftOut = (items: readonly string[]) =>
      explain(items).leftOut.map(({ tool, selector, by }) => [tool.name, selector, by?.rule]);
    expect(leftOut(['preset:docs'])).toEqual([
      ['x_files_write_file', 'preset:docs', 'tool: x_files_write_file'],
    ]);
    expect(leftOut(['preset:docs', 'server:files'])).toEqual([]);
  });

  it('says what is outside the toolset that it may only narrow', () => {
    const header = resolve(['tool:x_git_push']);
    if (!header.ok) throw new Error('the header resolves');
    const explanation = explain(['server:git', 'server:files'], { within: header.value.selection });
    expect(ways(explanation)).toEqual({ x_git_push: ['server:git'] });
    expect(explanation.unmatched).toEqual(['server:files']);
    expect(explanation.leftOut.map(({ tool, by }) => [tool.name, by])).toEqual([
      ['x_files_get_file', undefined],
      ['x_files_write_file', undefined],
      ['x_git_get_log', undefined],
    ]);
  });

  it('names the selectors and the rules that find nothing', () => {
    const explanation = explain(['preset:reading', 'server:gone', 'preset:none']);
    expect(explanation.unmatched).toEqual(['server:gone']);
    expect(explanation.idleRules).toEqual([
      { preset: 'reading', list: 'include', index: 1, rule: 'server: gone' },
    ]);
  });

  it('notes that neither a member nor its label is a fence', () => {
    const notes = (items: readonly string[]) => explain(items).notes.map(formatExplanationNote);
    expect(notes(['server:k8s-eu', 'preset:europe'])).toEqual([
      'server:k8s-eu names a member of the family k8s: its tools reach every member of the family, so that the name is no fence',
      'label: zone=eu is carried by some members of the family k8s only: its tools reach every member of the family, so that the label is no fence',
    ]);
    expect(notes(['server:k8s', 'server:git', 'preset:docs'])).toEqual([]);
  });

  it('tells an unknown preset apart', () => {
    const parsed = parseToolset(['preset:gone']);
    if (!parsed.ok) throw new Error('it parses');
    const question = { toolset: parsed.value, presets, catalog: exampleCatalog };
    expect(explainToolset(question)).toMatchObject({
      ok: false,
      error: { code: 'toolset.unknown-preset', preset: 'gone' },
    });
  });

  it('shows of a long chain of presets its beginning and the rule that names the tool', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `p${String(index)}`,
        { include: [index === 1_999 ? { server: 'git' } : { preset: `p${String(index + 1)}` }] },
      ]),
    );
    const { tools } = explain(['preset:p0'], { presets: presetsOf(chain) });
    const rules = tools[0]?.selectedBy[0]?.rules.map(({ rule }) => rule) ?? [];
    expect(rules).toHaveLength(8);
    expect([rules[0], rules[6], rules[7]]).toEqual(['preset: p1', 'preset: p7', 'server: git']);
  });
});

describe('for every toolset', () => {
  const selector = fc.constantFrom(
    ...['preset:docs', 'preset:reading', 'preset:mixed', 'preset:full', 'preset:none'],
    ...['server:git', 'server:k8s-eu', 'server:gone', 'workflow:deploy', 'tool:core_config_get'],
  );
  const toolset = fc.array(selector, { minLength: 1, maxLength: 6 });

  it('explains exactly what is selected, and each tool by every selector that selects it alone', () =>
    fc.assert(
      fc.property(toolset, toolset, (header, items) => {
        const outer = resolve(header, { presets });
        if (!outer.ok) throw new Error('the header resolves');
        const within = outer.value.selection;
        const resolved = resolve(items, { presets, within });
        if (!resolved.ok) throw new Error('the toolset resolves');
        const explanation = explain(items, { within });
        expect(explanation.tools.map(({ tool }) => tool.name)).toEqual(
          namesOf(resolved.value.selection),
        );
        expect(explanation.unmatched).toEqual(resolved.value.unmatched);
        for (const { tool, selectedBy } of explanation.tools)
          expect(selectedBy.map(({ selector: text }) => text)).toEqual(
            items.filter((item) => {
              const alone = resolve([item], { presets });
              return alone.ok && alone.value.selection.has(tool);
            }),
          );
        for (const { tool } of explanation.leftOut)
          expect(resolved.value.selection.has(tool)).toBe(false);
      }),
      { numRuns: 50 },
    ));
});

describe('a pattern in exclude whose star stops at a slash', () => {
  const tools = ['admin/delete', 'admin/list', 'delete_all', 'a/b/delete', 'write/delete_x'];
  const many = Array.from({ length: 12 }, (_, at) => `n/delete${at.toString().padStart(2, '0')}`);
  const catalog = buildCatalog({
    ...{ workflows: [], coreTools: [] },
    servers: [server('s', tools), server('t', ['delete/x']), server('u', many)],
  });
  const ofS = [{ server: 's' }];
  const gaps = (config: object): readonly string[] =>
    listExcludeGaps(presetsOf(config), catalog).map(formatExcludeGap);
  const TEXT =
    'because * stops at /; write the / in the pattern, or exclude tools by a rule "tool"';

  it('excludes no name behind the slash, and is named with the names', () => {
    const careful = {
      include: ofS,
      exclude: [{ tool: 'x_s_admin/list' }, { pattern: '*delete*' }],
    };
    const text = `preset "careful" exclude[1] pattern "*delete*" does not exclude "x_s_admin/delete", "x_s_a/b/delete", "x_s_write/delete_x", ${TEXT}`;
    expect(gaps({ careful })).toEqual([text]);
    const { tools, notes } = explain(['preset:careful'], {
      presets: presetsOf({ careful }),
      catalog,
    });
    expect(tools.map(({ tool }) => tool.name)).toContain('x_s_admin/delete');
    expect(notes.map(formatExplanationNote)).toEqual([text]);
  });

  it.each([
    ['x_?_*delete', '"x_s_admin/delete", "x_s_a/b/delete"'],
    ['x_[a-z]_*/delete', '"x_s_a/b/delete"'],
    ['*/delete', '"x_s_a/b/delete"'],
  ])('%j misses %s', (pattern, names) =>
    expect(gaps({ p: { include: ofS, exclude: [{ pattern }] } })).toEqual([
      `preset "p" exclude[0] pattern ${JSON.stringify(pattern)} does not exclude ${names}, ${TEXT}`,
    ]),
  );

  it.each([
    ['a pattern with the slashes', { include: ofS, exclude: [{ pattern: '*_delete_*' }] }],
    ['a lone star, which is the whole catalog', { include: ofS, exclude: [{ pattern: '*' }] }],
    [
      'a question mark and a class, which cross no slash',
      {
        include: ofS,
        exclude: [{ pattern: 'x_s_admin?delete' }, { pattern: 'x_s_admin[^a]delete' }],
      },
    ],
    [
      'a tool that is not included',
      { include: [{ server: 't' }], exclude: [{ pattern: '*admin*' }] },
    ],
    [
      'a tool that another rule excludes',
      {
        include: [{ tool: 'x_s_admin/delete' }],
        exclude: [{ pattern: '*delete' }, { pattern: '*/*' }],
      },
    ],
    ['a pattern in include', { include: [{ pattern: '*delete*' }] }],
  ])('says nothing about %s', (_about, p) => expect(gaps({ p })).toEqual([]));

  it('names ten names and counts the others', () => {
    const [text = ''] = gaps({
      p: { include: [{ server: 'u' }], exclude: [{ pattern: '*delete*' }] },
    });
    expect(text).toContain('"x_u_n/delete09" and 2 more, because');
    expect(text).not.toContain('delete10');
  });
});
