import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';
import type { PresetError, RuleProblem } from '../src/index.ts';

it('exports exactly this', () =>
  expect(Object.keys(surface).sort()).toEqual([
    'TOOLSET_PRESETS_SCHEMA',
    'explainToolset',
    'findExcludeGaps',
    'formatError',
    'formatExcludeGap',
    'formatExplanationNote',
    'listExcludeGaps',
    'listPresets',
    'parsePresets',
    'resolveToolset',
  ]));

const rule = (problem: RuleProblem): PresetError => ({
  ...problem,
  preset: 'p',
  list: 'include',
  index: 2,
  path: [],
});

it('says exactly this', () => {
  const preset = { preset: 'p', path: [] };
  const errors: readonly PresetError[] = [
    { code: 'presets.not-a-map', path: [] },
    { code: 'preset.built-in', ...preset },
    { code: 'preset.bad-name', ...preset },
    { code: 'preset.not-an-object', ...preset },
    { code: 'preset.unknown-field', field: 'f', ...preset },
    { code: 'preset.bad-description', ...preset },
    { code: 'preset.bad-rules', list: 'exclude', ...preset },
    rule({ code: 'rule.not-one-key' }),
    rule({ code: 'rule.unknown-key', key: 'k' }),
    rule({ code: 'rule.wrong-type', key: 'tool' }),
    rule({ code: 'rule.wrong-type', key: 'readOnly' }),
    rule({ code: 'rule.read-only-false' }),
    rule({ code: 'rule.bad-pattern', pattern: '[' }),
    rule({ code: 'rule.long-pattern' }),
    rule({ code: 'rule.composing-exclude' }),
    rule({ code: 'rule.bad-label', label: '=' }),
    rule({ code: 'rule.label-too-new', gatewayVersion: '5.11.0' }),
    rule({ code: 'rule.unknown-preset', name: 'q\n', known: ['none', 'r\n'] }),
    rule({ code: 'rule.cycle', cycle: ['p', 'q', 'p'] }),
  ];
  expect(errors.map(surface.formatError)).toEqual([
    'toolsetPresets: must be a map from preset name to preset',
    'toolsetPresets: preset "p" is built in and cannot be redefined',
    "toolsetPresets: preset name \"p\" is invalid; use letters, digits, '.', '_' or '-'",
    'toolsetPresets: preset "p" must be an object with description, include and exclude',
    'toolsetPresets: preset "p" has the unknown field "f"; a preset has description, include and exclude',
    'toolsetPresets: preset "p" description must be a string',
    'toolsetPresets: preset "p" exclude must be a list of rules',
    'toolsetPresets: preset "p" include[2] must set exactly one of tool, pattern, server, workflow, readOnly, preset, label',
    'toolsetPresets: preset "p" include[2] has the unknown key "k"; a rule sets exactly one of tool, pattern, server, workflow, readOnly, preset, label',
    'toolsetPresets: preset "p" include[2] tool must be a string',
    'toolsetPresets: preset "p" include[2] readOnly must be true',
    'toolsetPresets: preset "p" include[2] readOnly: false selects nothing; omit the rule',
    'toolsetPresets: preset "p" include[2] pattern "[" is invalid: syntax error in pattern',
    'toolsetPresets: preset "p" include[2] pattern is invalid: longer than 256 characters',
    'toolsetPresets: preset "p" include[2] cannot compose a preset in exclude; only include may',
    'toolsetPresets: preset "p" include[2] label "=" is invalid; expected <key>=<value> or <key>',
    'toolsetPresets: preset "p" include[2] label requires gateway 5.12.0 or later; this is 5.11.0',
    'toolsetPresets: preset "p" include[2] includes unknown preset "q\\n"; known presets: none, "r\\n"',
    'toolsetPresets: preset "p" include[2] preset composition cycles: p -> q -> p',
  ]);
  expect(
    surface.formatError({
      code: 'toolset.unknown-preset',
      toolset: ['server:a', 'preset:foo'],
      preset: 'foo',
      known: ['read-only', 'none', 'full'],
    }),
  ).toBe(
    'toolset [server:a,preset:foo] names unknown preset "foo"; known presets: read-only, none, full',
  );
});
