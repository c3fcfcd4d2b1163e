export { excludeGaps, excludeGapText, gapsAmong } from './exclude-gaps.ts';
export type { ExcludeGap } from './exclude-gaps.ts';
export type { RuleReference } from './explain/explain-preset.ts';
export { explainToolset } from './explain/explain-toolset.ts';
export type {
  ExplainedTool,
  ExplainedToolset,
  LeftOutTool,
  SelectedBy,
  ToolsetExplanation,
} from './explain/explain-toolset.ts';
export { explanationNoteText } from './explain/explanation-note.ts';
export type { ExplanationNote } from './explain/explanation-note.ts';
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
export { TOOLSET_PRESETS_SCHEMA } from './presets-schema.ts';
export { resolveToolset } from './resolve-toolset.ts';
export type { ResolvedToolset } from './resolve-toolset.ts';
export type { ServerLabels } from './rule-tools.ts';
export type { ToolsetQuestion } from './toolset-question.ts';
export { unknownPresetText } from './unknown-preset.ts';
export type { UnknownPreset } from './unknown-preset.ts';
