import { MAX_GLOB_LENGTH } from '@gateway/catalog';
import { formatToolset, quoteText } from '@gateway/toolset-grammar';
import { FIRST_GATEWAY_WITH_LABELS, type RuleKey } from './preset.ts';

/** The keys of a rule in the order in which messages list them. @spec §2.2 */
export const RULE_KEYS = [
  'tool',
  'pattern',
  'server',
  'workflow',
  'readOnly',
  'preset',
  'label',
] as const satisfies readonly RuleKey[];

/** The list of a preset that holds a rule. */
export type RuleList = 'include' | 'exclude';

/** Position of a rule; `index` counts from 0. @spec §7.3 */
export interface RulePosition {
  readonly preset: string;
  readonly list: RuleList;
  readonly index: number;
}

/** A problem of one rule. @spec §7.3 */
export type RuleProblem =
  | { readonly code: 'rule.not-one-key' }
  | { readonly code: 'rule.unknown-key'; readonly key: string }
  | { readonly code: 'rule.wrong-type'; readonly key: RuleKey }
  | { readonly code: 'rule.read-only-false' }
  | { readonly code: 'rule.bad-pattern'; readonly pattern: string }
  | { readonly code: 'rule.long-pattern' }
  | { readonly code: 'rule.composing-exclude' }
  | { readonly code: 'rule.bad-label'; readonly label: string }
  | { readonly code: 'rule.label-too-new'; readonly gatewayVersion: string }
  | {
      readonly code: 'rule.unknown-preset';
      readonly name: string;
      readonly known: readonly string[];
    }
  | { readonly code: 'rule.cycle'; readonly cycle: readonly string[] };

/** A problem of a whole preset. @spec §7.3 */
export type PresetProblem =
  | { readonly code: 'preset.built-in' }
  | { readonly code: 'preset.bad-name' }
  | { readonly code: 'preset.not-an-object' }
  | { readonly code: 'preset.unknown-field'; readonly field: string }
  | { readonly code: 'preset.bad-description' }
  | { readonly code: 'preset.bad-rules'; readonly list: RuleList };

/**
 * The reason why a preset configuration is refused. `path` leads from the value of `toolsetPresets` to the invalid value.
 *
 * @spec §7.3
 */
export type PresetError = { readonly path: readonly (string | number)[] } & (
  | { readonly code: 'presets.not-a-map' }
  | (PresetProblem & { readonly preset: string })
  | (RuleProblem & RulePosition)
);

/** A toolset names an unknown preset. `known` lists the known presets in the order of `filter_tools`. @spec §7.1 */
export interface UnknownPreset {
  readonly code: 'toolset.unknown-preset';
  readonly toolset: readonly string[];
  readonly preset: string;
  readonly known: readonly string[];
}

/** Formats a name in a list: unquoted, unless it has invisible characters. */
const formatListedName = (name: string): string => {
  const text = quoteText(name);
  return text === `"${name}"` ? name : text;
};

type RuleProblemByCode<Code extends RuleProblem['code']> = Extract<
  RuleProblem,
  { readonly code: Code }
>;

const RULE_REASONS: {
  readonly [Code in RuleProblem['code']]: (problem: RuleProblemByCode<Code>) => string;
} = {
  'rule.not-one-key': () => `must set exactly one of ${RULE_KEYS.join(', ')}`,
  'rule.unknown-key': ({ key }) =>
    `has the unknown key ${quoteText(key)}; a rule sets exactly one of ${RULE_KEYS.join(', ')}`,
  'rule.wrong-type': ({ key }) => `${key} must be ${key === 'readOnly' ? 'true' : 'a string'}`,
  'rule.read-only-false': () => 'readOnly: false selects nothing; omit the rule',
  'rule.bad-pattern': ({ pattern }) =>
    `pattern ${quoteText(pattern)} is invalid: syntax error in pattern`,
  'rule.long-pattern': () => `pattern is invalid: longer than ${MAX_GLOB_LENGTH} characters`,
  'rule.composing-exclude': () => 'cannot compose a preset in exclude; only include may',
  'rule.bad-label': ({ label }) =>
    `label ${quoteText(label)} is invalid; expected <key>=<value> or <key>`,
  'rule.label-too-new': ({ gatewayVersion }) =>
    `label requires gateway ${FIRST_GATEWAY_WITH_LABELS} or later; this is ${gatewayVersion}`,
  'rule.unknown-preset': ({ name, known }) =>
    `includes unknown preset ${quoteText(name)}; known presets: ${known.map(formatListedName).join(', ')}`,
  'rule.cycle': ({ cycle }) =>
    `preset composition cycles: ${cycle.map(formatListedName).join(' -> ')}`,
};

const formatRuleReason = <Code extends RuleProblem['code']>(
  problem: RuleProblemByCode<Code>,
): string => RULE_REASONS[problem.code](problem);

const formatPresetReason = (error: PresetProblem & { readonly preset: string }): string => {
  const subject = `preset ${quoteText(error.preset)}`;
  switch (error.code) {
    case 'preset.built-in':
      return `${subject} is built in and cannot be redefined`;
    case 'preset.bad-name':
      return `preset name ${quoteText(error.preset)} is invalid; use letters, digits, '.', '_' or '-'`;
    case 'preset.not-an-object':
      return `${subject} must be an object with description, include and exclude`;
    case 'preset.unknown-field':
      return `${subject} has the unknown field ${quoteText(error.field)}; a preset has description, include and exclude`;
    case 'preset.bad-description':
      return `${subject} description must be a string`;
    case 'preset.bad-rules':
      return `${subject} ${error.list} must be a list of rules`;
  }
};

const formatErrorReason = (error: PresetError): string => {
  if (error.code === 'presets.not-a-map') return 'must be a map from preset name to preset';
  if (!('list' in error && 'index' in error)) return formatPresetReason(error);
  return `preset ${quoteText(error.preset)} ${error.list}[${error.index}] ${formatRuleReason(error)}`;
};

/** Returns the refusal as one sentence, which names the preset and the position of the rule. @spec §7.1, §7.3 */
export const formatError = (error: PresetError | UnknownPreset): string =>
  error.code === 'toolset.unknown-preset'
    ? `toolset ${formatToolset(error.toolset)} names unknown preset ${quoteText(error.preset)}; known presets: ${error.known.join(', ')}`
    : `toolsetPresets: ${formatErrorReason(error)}`;
