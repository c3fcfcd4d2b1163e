import { formatError, parsePresets, TOOLSET_PRESETS_SCHEMA } from '@gateway/preset-resolver';
import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import {
  expectTexts,
  mapTable,
  rowsOf,
  templateTexts,
  type TextTable,
} from '../harness/template-texts.ts';

const GLOBS = JSON.parse(
  readFileSync(new URL('../../../catalog/vectors/globs.json', import.meta.url), 'utf8'),
) as { readonly compiles: readonly string[]; readonly refused: readonly string[] };

const RULES = 'tool, pattern, server, workflow, readOnly, preset, label';

const including = (...include: readonly unknown[]) => ({ p: { include } });

/** Presets, and the common text of gateway and chart after `toolsetPresets: `. */
const REFUSED: TextTable = {
  'must be a map from preset name to preset': [[], 'a'],
  [`preset name "a b" is invalid; use letters, digits, '.', '_' or '-'`]: {
    'a b': { include: [] },
  },
  [`preset name "" is invalid; use letters, digits, '.', '_' or '-'`]: { '': { include: [] } },
  'preset "p" must be an object with description, include and exclude': { p: 'x' },
  'preset "p" has the unknown field "tools"; a preset has description, include and exclude': {
    p: { include: [], tools: [] },
  },
  'preset "p" description must be a string': { p: { include: [], description: 1 } },
  'preset "p" include must be a list of rules': [{ p: {} }, { p: { include: { tool: 'x' } } }],
  'preset "p" exclude must be a list of rules': { p: { include: [], exclude: 'x' } },
  [`preset "p" include[0] must set exactly one of ${RULES}`]: [
    including({}),
    including('x'),
    including({ tool: '' }),
  ],
  [`preset "p" include[1] must set exactly one of ${RULES}`]: including(
    { tool: 'a' },
    { tool: 'a', server: 'b' },
  ),
  [`preset "p" include[0] has the unknown key "tools"; a rule sets exactly one of ${RULES}`]:
    including({ tools: 'a' }),
  'preset "p" include[0] tool must be a string': [
    including({ tool: 1 }),
    including({ tool: ['a'] }),
  ],
  'preset "p" include[0] readOnly: false selects nothing; omit the rule': including({
    readOnly: false,
  }),
  'preset "p" include[0] pattern "[" is invalid: syntax error in pattern': including({
    pattern: '[',
  }),
  'preset "p" exclude[1] pattern "a\\\\" is invalid: syntax error in pattern': {
    p: { include: [], exclude: [{ tool: 'a' }, { pattern: 'a\\' }] },
  },
  'preset "p" include[0] readOnly must be true': including({ readOnly: 'true' }),
  'preset "p" exclude[1] cannot compose a preset in exclude; only include may': {
    p: { include: [{ preset: 'full' }], exclude: [{ tool: 'a' }, { preset: 'none' }] },
  },
  'preset "p" include[1] label "team==a" is invalid; expected <key>=<value> or <key>': including(
    { label: 'team=' },
    { label: 'team==a' },
  ),
  'preset "p" include[0] includes unknown preset "q\\n"; known presets: read-only, none, full, p, r':
    { p: { include: [{ preset: 'q\n' }] }, r: { include: [] } },
  'preset "p" include[0] preset composition cycles: p -> p': including({ preset: 'p' }),
  'preset "b" include[2] preset composition cycles: b -> c -> b': {
    a: { include: [{ tool: 'x' }, { preset: 'b' }] },
    b: { include: [{ preset: 'full' }, { preset: 'd' }, { preset: 'c' }] },
    c: { include: [{ server: 's' }, { preset: 'b' }] },
    d: { include: [] },
  },
};

/** Presets that both accept. */
const TAKEN: readonly unknown[] = [
  null,
  {},
  { p: { include: [] } },
  {
    base: { description: '', include: [{ tool: 'x' }], exclude: null },
    'A.b_c-1': { include: [{ preset: 'base' }, { preset: 'full' }, { readOnly: true }] },
    top: { include: [{ preset: 'A.b_c-1' }, { preset: 'base' }], exclude: [{ label: 'a.b/c' }] },
    odd: { include: [{ tool: '{{ x }}' }, { server: '1e3' }, { pattern: 'x_*' }] },
  },
];

const gatewayProblemText = (presets: unknown): string => {
  const parsed = parsePresets(presets, { gatewayVersion: '5.13.0' });
  const [error] = parsed.ok ? [] : parsed.error;
  return error === undefined ? '' : formatError(error);
};

const PROBLEM =
  '{{ include "library.presets.problem" (dict "path" "toolsetPresets" "presets" .Values.presets) }}';
const rows = rowsOf(REFUSED);

describe('presets that are refused at render', () => {
  it('equals the refusal of the gateway', async () => {
    const presetsOf = (presets: object) => ({ presets });
    await expectTexts('gateway', PROBLEM, mapTable(REFUSED, 'toolsetPresets: ', presetsOf));
    expect(rows.map(({ values }) => gatewayProblemText(values))).toEqual(
      rows.map(({ text }) => `toolsetPresets: ${text}`),
    );
  });

  it('accepts every preset that the gateway accepts', async () => {
    await expectTexts('gateway', PROBLEM, { '': TAKEN.map((presets) => ({ presets })) });
    expect(TAKEN.map(gatewayProblemText)).toEqual(TAKEN.map(() => ''));
  });

  it('names all built-in presets that are redefined, in alphabetical order', async () => {
    const toolsetPresets = {
      'read-only': { include: [] },
      none: { include: [] },
      notes: { include: [] },
      full: { include: [] },
    };
    expect(await render('gateway', { muster: { toolsetPresets } })).toEqual({
      ok: false,
      error: expect.stringContaining(
        'muster.toolsetPresets redefines full, none, read-only, which is built into the gateway and cannot be redefined by configuration (the gateway pod would refuse to start, naming it); rename the preset\n',
      ) as string,
    });
  });

  it('judges globs as the gateway does', async () => {
    const globs = [...GLOBS.refused, ...GLOBS.compiles.filter((glob) => glob !== '')];
    const chart = await templateTexts(
      'gateway',
      PROBLEM,
      globs.map((pattern) => ({ presets: including({ pattern }) })),
    );
    const gateway = globs.map((pattern) => gatewayProblemText(including({ pattern })));
    expect(chart).toEqual(gateway);
    expect(gateway.map((text) => text !== '')).toEqual(
      globs.map((glob) => GLOBS.refused.includes(glob)),
    );
  });

  it.each([
    ['gateway', 'muster.toolsetPresets', (muster: object) => ({ muster })],
    ['standalone', 'muster.muster.toolsetPresets', (muster: object) => ({ muster: { muster } })],
    [
      'agent-platform',
      'muster.muster.toolsetPresets',
      (muster: object) => ({ muster: { muster } }),
    ],
  ] as const)('are refused by the templates of %s', async (chart, path, valuesOf) => {
    const presets = (rules: readonly object[]) =>
      valuesOf({ toolsetPresets: { p: { include: rules } } });
    const args = ['--skip-schema-validation'];
    expect(await render(chart, presets([{ pattern: '[' }]), { args })).toEqual({
      ok: false,
      error: expect.stringContaining(`${path}: preset "p" include[0] pattern "[" is`) as string,
    });
    const rules = [{ pattern: '[a-z]*' }, { readOnly: true }, { preset: 'full' }];
    expect(await render(chart, presets(rules))).toMatchObject({ ok: true });
  });
});

describe('the schema of presets', () => {
  const validate = new Ajv({ strict: false }).compile(TOOLSET_PRESETS_SCHEMA);

  it('accepts what the gateway accepts, and refuses everything except compositions', () => {
    const seen = rows.filter(({ text }) => !/pattern|unknown preset|cycles/u.test(text));
    expect(seen.filter(({ values }) => validate(values))).toEqual([]);
    // Only the gateway treats a null list as absent.
    const [, ...taken] = JSON.parse(
      JSON.stringify(TAKEN).replaceAll(',"exclude":null', ''),
    ) as unknown[];
    expect(taken.filter((presets) => !validate(presets))).toEqual([]);
  });
});
