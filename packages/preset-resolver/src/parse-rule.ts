import { compileGlob, MAX_GLOB_LENGTH } from '@gateway/catalog';
import { knowsLabelRule, readLabelQuery } from './label-rule.ts';
import { isPlainObject, ownValue, type PlainObject } from './plain-object.ts';
import { RULE_KEYS, type RuleProblem } from './preset-error.ts';
import type { PresetRule, RuleKey } from './preset.ts';

/** Options of the parser of a rule. */
export interface RuleReading {
  readonly gatewayVersion: string;
  /** Takes what is wrong, and the rule's key that it is about. */
  readonly report: (problem: RuleProblem, key?: string) => void;
}

type Reader = (text: string, reading: RuleReading) => PresetRule | undefined;

const readPattern: Reader = (pattern, { report }) => {
  const glob = compileGlob(pattern);
  if (glob.ok) return { kind: 'pattern', pattern, matches: glob.matches };
  const long = pattern.length > MAX_GLOB_LENGTH;
  report(long ? { code: 'rule.long-pattern' } : { code: 'rule.bad-pattern', pattern }, 'pattern');
  return undefined;
};

const readLabel: Reader = (label, { gatewayVersion, report }) => {
  const query = readLabelQuery(label);
  if (query === undefined) report({ code: 'rule.bad-label', label }, 'label');
  const known = knowsLabelRule(gatewayVersion);
  if (!known) report({ code: 'rule.label-too-new', gatewayVersion }, 'label');
  return query === undefined || !known ? undefined : { kind: 'label', ...query };
};

const READERS: { readonly [Key in Exclude<RuleKey, 'readOnly'>]: Reader } = {
  tool: (name) => ({ kind: 'tool', name }),
  pattern: readPattern,
  server: (name) => ({ kind: 'server', name }),
  workflow: (name) => ({ kind: 'workflow', name }),
  preset: (name) => ({ kind: 'preset', name }),
  label: readLabel,
};

const readReadOnly = (value: unknown, { report }: RuleReading): PresetRule | undefined => {
  if (value === true) return { kind: 'readOnly' };
  if (value === false) report({ code: 'rule.read-only-false' }, 'readOnly');
  else report({ code: 'rule.wrong-type', key: 'readOnly' }, 'readOnly');
  return undefined;
};

const readKey = (key: RuleKey, value: unknown, reading: RuleReading): PresetRule | undefined => {
  if (key === 'readOnly') return readReadOnly(value, reading);
  if (typeof value === 'string') return READERS[key](value, reading);
  reading.report({ code: 'rule.wrong-type', key }, key);
  return undefined;
};

const isRuleKey = (key: string): key is RuleKey => RULE_KEYS.some((known) => known === key);

/** A key without a value, or with an empty text, is not set. */
const isSet = (rule: PlainObject, key: RuleKey): boolean => {
  const value = ownValue(rule, key);
  return value !== undefined && value !== null && value !== '';
};

/**
 * Parses one rule of a preset: an object that sets exactly one of the rule keys. Everything that is wrong is reported.
 *
 * @returns nothing when the rule is refused
 * @spec §2.2, §7.3
 */
export const parseRule = (value: unknown, reading: RuleReading): PresetRule | undefined => {
  const rule = isPlainObject(value) ? value : {};
  const unknown = Object.keys(rule).filter((key) => !isRuleKey(key));
  for (const key of unknown) reading.report({ code: 'rule.unknown-key', key }, key);
  const [key, another] = RULE_KEYS.filter((known) => isSet(rule, known));
  if (key !== undefined && another === undefined) return readKey(key, ownValue(rule, key), reading);
  if (key !== undefined || unknown.length === 0) reading.report({ code: 'rule.not-one-key' });
  return undefined;
};
