import type { Composition } from './composition.ts';
import { parseRule } from './parse-rule.ts';
import { isPlainObject, ownValue, type PlainObject } from './plain-object.ts';
import type { PresetError, PresetProblem, RuleList, RuleProblem } from './preset-error.ts';
import type { ExcludeRule, Preset, PresetRule } from './preset.ts';

/** Options of the parser of a preset. */
export interface PresetReading {
  readonly gatewayVersion: string;
  readonly report: (error: PresetError) => void;
}

interface Source extends PresetReading {
  readonly name: string;
  readonly config: PlainObject;
}

const FIELDS = ['description', 'include', 'exclude'];
/** The name of a preset. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const reportPreset = (
  { name, report }: Source,
  problem: PresetProblem,
  ...path: readonly string[]
): void => report({ ...problem, preset: name, path: [name, ...path] });

/** The items of a list of rules. `exclude` may be absent. */
const rulesOf = (source: Source, list: RuleList): readonly unknown[] => {
  const rules = ownValue(source.config, list) ?? undefined;
  if (Array.isArray(rules)) return rules;
  if (rules === undefined && list === 'exclude') return [];
  const path = Object.hasOwn(source.config, list) ? [list] : [];
  reportPreset(source, { code: 'preset.bad-rules', list }, ...path);
  return [];
};

/** The rules of a list by position; `undefined` where a rule is refused. */
const readRules = <Rule extends PresetRule>(
  source: Source,
  list: RuleList,
  isAllowed: (rule: PresetRule) => rule is Rule,
): readonly (Rule | undefined)[] =>
  rulesOf(source, list).map((item, index) => {
    const position = { preset: source.name, list, index };
    const path = [source.name, list, index];
    const report = (problem: RuleProblem, key?: string): void =>
      source.report({ ...problem, ...position, path: key === undefined ? path : [...path, key] });
    const rule = parseRule(item, { gatewayVersion: source.gatewayVersion, report });
    if (rule === undefined || isAllowed(rule)) return rule;
    report({ code: 'rule.composing-exclude' }, 'preset');
    return undefined;
  });

const accepted = <Rule>(rules: readonly (Rule | undefined)[]): readonly Rule[] =>
  rules.filter((rule) => rule !== undefined);

const isRule = (_rule: PresetRule): _rule is PresetRule => true;
const isExcludeRule = (rule: PresetRule): rule is ExcludeRule => rule.kind !== 'preset';

const readDescription = (source: Source): string => {
  const description = ownValue(source.config, 'description') ?? '';
  if (typeof description === 'string') return description;
  reportPreset(source, { code: 'preset.bad-description' }, 'description');
  return '';
};

/** A preset and where it composes others. */
export interface ParsedPreset {
  readonly preset: Preset;
  readonly compositions: readonly Composition[];
}

/**
 * Parses one preset of the configuration and reports all of its problems. The existence of composed presets is not
 * checked here. The valid rules are returned, so that other presets are checked against them.
 *
 * @spec §2.2, §7.3
 */
export const parsePreset = (name: string, value: unknown, reading: PresetReading): ParsedPreset => {
  const readable = isPlainObject(value);
  const source: Source = { ...reading, name, config: readable ? value : { include: [] } };
  if (!NAME.test(name)) reportPreset(source, { code: 'preset.bad-name' });
  if (!readable) reportPreset(source, { code: 'preset.not-an-object' });
  for (const field of Object.keys(source.config).filter((key) => !FIELDS.includes(key)))
    reportPreset(source, { code: 'preset.unknown-field', field }, field);
  const description = readDescription(source);
  const include = readRules(source, 'include', isRule);
  const exclude = readRules(source, 'exclude', isExcludeRule);
  return {
    preset: {
      name,
      ...(description === '' ? {} : { description }),
      builtIn: false,
      include: accepted(include),
      exclude: accepted(exclude),
    },
    compositions: include.flatMap((rule, index) =>
      rule?.kind === 'preset' ? [{ name: rule.name, index }] : [],
    ),
  };
};
