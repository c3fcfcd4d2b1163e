export {
  toToolInfo,
  formatExposedName,
  hasHiddenCharacters,
  MAX_EXPOSED_NAME_CHARS,
  removeHiddenCharacters,
  formatWorkflowToolName,
  type CatalogTool,
  type CoreToolEntry,
  type ToolAnnotations,
  type ToolInfo,
  type ToolInfoOptions,
  type ToolKind,
  type ToolProvider,
  type WorkflowToolEntry,
} from './catalog-tool.ts';
export {
  assignNames,
  type ContestedNames,
  type NameAssignment,
  type NameSources,
  type ServerNaming,
} from './assign-names.ts';
export { buildCatalog, type CatalogInput } from './build-catalog.ts';
export { formatWarning, type CatalogWarning, type NameOwner } from './catalog-warning.ts';
export {
  toPage,
  type Page,
  type PageRequest,
  type ToolFilters,
  type FilterError,
} from './filter-tools.ts';
export { compileGlob, MAX_GLOB_LENGTH, type CompiledGlob, type GlobOptions } from './glob.ts';
export {
  rankTools,
  searchTools,
  type FoundPage,
  type FoundTool,
  type RankedTool,
  type RankOptions,
  type SearchOutcome,
  type ToolSearch,
} from './search.ts';
export { createThesaurus, type Thesaurus } from './thesaurus.ts';
export { explainMatches, type MatchExplanation, type WordMatch } from './search.ts';
export type { MatchKind } from './query-reading.ts';
export { createUriIndex } from './uri-template.ts';
export { routeToolCall, formatError, type ToolRoute, type RouteError } from './route-tool-call.ts';
export { followReference } from './family-surface.ts';
export { prepareSearch } from './search-index.ts';
export { checkArguments, formatSignature } from './tool-arguments.ts';
export type {
  CatalogPrompt,
  CatalogResource,
  CatalogResourceTemplate,
  CatalogSnapshot,
  ServerInventory,
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
  ServerTool,
} from './snapshot.ts';
export {
  subtractSelection,
  createEmptySelection,
  intersectSelections,
  selectLists,
  uniteSelections,
  type ToolSelection,
} from './tool-selection.ts';
export { listWarningEvents, createWarningFilter } from './catalog-warning.ts';
export {
  findWorkflowAvailability,
  listWorkflowEvents,
  type WorkflowAvailability,
} from './own-tools.ts';
