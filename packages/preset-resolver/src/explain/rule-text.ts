import type { PresetRule } from '../preset.ts';

type RuleOf<Kind extends PresetRule['kind']> = Extract<PresetRule, { readonly kind: Kind }>;

const VALUES: {
  readonly [Kind in PresetRule['kind']]: (rule: RuleOf<Kind>) => string;
} = {
  tool: ({ name }) => name,
  pattern: ({ pattern }) => pattern,
  server: ({ name }) => name,
  workflow: ({ name }) => name,
  readOnly: () => 'true',
  preset: ({ name }) => name,
  label: ({ key, value }) => (value === undefined ? key : `${key}=${value}`),
};

/** A rule as the configuration writes it: `server: memory`. @spec §2.2 */
export const ruleText = <Kind extends PresetRule['kind']>(rule: RuleOf<Kind>): string =>
  `${rule.kind}: ${VALUES[rule.kind](rule)}`;
