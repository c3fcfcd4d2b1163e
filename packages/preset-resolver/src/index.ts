export { listExcludeGaps, formatExcludeGap, findExcludeGaps } from './explain-toolset.ts';
export type { ExcludeGap } from './explain-toolset.ts';
export {
  type RuleReference,
  explainToolset,
  type ExplainedTool,
  type ExplainedToolset,
  type OmittedTool,
  type SelectedBy,
  type ToolsetExplanation,
  formatExplanationNote,
  type ExplanationNote,
} from './explain-toolset.ts';
export {
  listPresets,
  type ExcludeRule,
  type KnownPreset,
  type Labels,
  type Preset,
  type PresetRule,
  type PresetSet,
  type RuleKey,
} from './preset.ts';
export {
  resolveToolset,
  type Resolution,
  type ResolvedToolset,
  type ToolsetQuestion,
} from './resolve-toolset.ts';
export { parsePresets, type ParsedPresets, type PresetOptions } from './parse-presets.ts';
export { formatError } from './preset-error.ts';
export type {
  PresetError,
  PresetProblem,
  RuleList,
  RulePosition,
  RuleProblem,
  UnknownPreset,
} from './preset-error.ts';
export { TOOLSET_PRESETS_SCHEMA } from './parse-presets.ts';
