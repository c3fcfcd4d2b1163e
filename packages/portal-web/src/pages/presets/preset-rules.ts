import type { BuiltInPreset } from '@gateway/toolset-composer';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';

/** A rule of a preset in words, with the name that it is about. @spec §2.2 */
export interface PresetRule {
  readonly text: string;
  /** Absent for a rule without a name. */
  readonly subject?: string;
  /** The preset that the rule includes. */
  readonly preset?: string;
}

/** The rules of a preset: the union of what it includes, without what it excludes. @spec §2.2 */
export interface PresetRules {
  readonly include: readonly PresetRule[];
  readonly exclude: readonly PresetRule[];
}

const READ_ONLY: PresetRule = { text: 'every tool that declares itself read-only' };

/** The presets that every gateway has, in words. @spec §2.3 */
const BUILT_IN: Readonly<Record<BuiltInPreset, PresetRules>> = {
  'read-only': { include: [READ_ONLY], exclude: [] },
  none: { include: [], exclude: [] },
  full: { include: [{ text: 'every tool of the gateway' }], exclude: [] },
};

const isBuiltIn = (name: string): name is BuiltInPreset => Object.hasOwn(BUILT_IN, name);

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['tool', 'the tool'],
  ['pattern', 'every tool whose name matches'],
  ['server', 'every tool of the server'],
  ['workflow', 'the workflow'],
  ['label', 'every tool of servers with the label'],
  ['preset', 'everything of the preset'],
]);

/** A rule has one key. An unknown one is shown as it is written. */
const ruleOf = (rule: JsonObject): PresetRule => {
  const [[key, value] = ['', undefined]] = Object.entries(rule);
  if (key === 'readOnly') return READ_ONLY;
  const subject = typeof value === 'string' ? value : JSON.stringify(value);
  return { text: TEXTS.get(key) ?? key, subject, ...(key === 'preset' && { preset: subject }) };
};

const rulesOf = (value: unknown): readonly PresetRule[] =>
  (Array.isArray(value) ? value : []).filter(isJsonObject).map(ruleOf);

/**
 * Returns the rules of a preset from an answer of `core_config_get_aggregator`; those of a built-in preset from the specification.
 * `undefined` for a preset that the configuration does not have.
 */
export const presetRulesOf = (answer: JsonObject, name: string): PresetRules | undefined => {
  const { toolsetPresets } = answer;
  if (!isJsonObject(toolsetPresets) || !Object.hasOwn(toolsetPresets, name))
    return isBuiltIn(name) ? BUILT_IN[name] : undefined;
  const preset = toolsetPresets[name];
  if (!isJsonObject(preset)) return undefined;
  return { include: rulesOf(preset['include']), exclude: rulesOf(preset['exclude']) };
};
