export { knownPresets } from './known-presets.ts';
export { labelsUnavailableText } from './labels-unavailable.ts';
export type { LabelsUnavailable } from './labels-unavailable.ts';
export { parsePresets } from './parse-presets.ts';
export type { ParsedPresets, PresetOptions } from './parse-presets.ts';
export { presetErrorText } from './preset-error.ts';
export type {
  PresetError,
  PresetProblem,
  RuleList,
  RulePosition,
  RuleProblem,
} from './preset-error.ts';
export type {
  ExcludeRule,
  KnownPreset,
  Labels,
  Preset,
  PresetRule,
  PresetSet,
  RuleKey,
} from './preset.ts';
export { resolveToolset } from './resolve-toolset.ts';
export type { ResolvedToolset, ToolsetQuestion } from './resolve-toolset.ts';
export type { ServerLabels } from './rule-tools.ts';
export { unknownPresetText } from './unknown-preset.ts';
export type { UnknownPreset } from './unknown-preset.ts';
