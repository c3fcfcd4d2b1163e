export { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
export { MAX_INLINE_SELECTORS, type BuiltInPreset } from '@gateway/toolset-grammar';
export { toolsOf, type CatalogTool, type ToolKind } from './answers/catalog-tool.ts';
export { effectsOf, type ToolEffects } from './answers/tool-hints.ts';
export { accessOfAgent, accessOfResource, type DeclaredAccess } from './card/declared-access.ts';
export {
  CARD_TEXTS,
  toolsetCard,
  type SelectorChip,
  type ToolsetCard,
} from './card/toolset-card.ts';
export type { CatalogRow } from './catalog/catalog-row.ts';
export {
  catalogSections,
  CORE_GROUP_LABEL,
  type CatalogFacts,
  type CatalogSection,
} from './catalog/catalog-sections.ts';
export {
  needsSignIn,
  serversOf,
  serversRequiringAuth,
  type CatalogServer,
} from './catalog/catalog-server.ts';
export {
  filterTools,
  hintOfTool,
  serversOfTools,
  TOOL_HINTS,
  TOOL_KINDS,
  type ToolFilter,
  type ToolHint,
} from './catalog/filter-tools.ts';
export { searchSections } from './catalog/search-sections.ts';
export { serversToSignIn } from './catalog/servers-to-sign-in.ts';
export { groupOfLabels, TOOL_GROUPS, type ToolGroup } from './catalog/tool-group.ts';
export {
  addText,
  choose,
  declaredToolset,
  EMPTY_COMPOSITION,
  FULL_ACCESS,
  isChosen,
  isEmpty,
  NO_TOOLS,
  remove,
  selectorProblems,
  sizeProblem,
  startFrom,
  toggle,
  type Added,
  type Composition,
} from './composition/composition.ts';
export { selectorOfPreset, selectorOfServer, selectorOfTool } from './composition/selector-of.ts';
export {
  problemText,
  selectorProblem,
  type SelectorProblem,
  type TooManySelectors,
} from './composition/selector-problem.ts';
export {
  presetCards,
  unknownPresets,
  type PresetCard,
  type PresetCards,
} from './presets/preset-cards.ts';
export {
  COMPARISON_VIEWS,
  compareToolsets,
  type ComparedTool,
  type ComparisonView,
} from './resolution/compare-toolsets.ts';
export {
  EXPLAIN_KEY,
  explanationOf,
  type ExplainedRule,
  type Explanation,
  type LeftOutBy,
  type SelectedBy,
} from './resolution/explanation.ts';
export { reasonOf, ruleText, type ToolReason } from './resolution/explanation-text.ts';
export {
  resolutionOf,
  type Resolution,
  type ResolutionCall,
  type ResolvedToolset,
} from './resolution/resolution.ts';
export { resolutionText, resolvesToText, UNMATCHED_TEXT } from './resolution/resolution-text.ts';
export { agentDraft, releaseFile, type AgentDetails } from './wizard/agent-draft.ts';
export { stepLabel, TOOLS_HEADING, wizardSteps, type WizardStep } from './wizard/wizard-steps.ts';
