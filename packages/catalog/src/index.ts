export {
  type CatalogTool,
  type CoreToolEntry,
  type ToolAnnotations,
  toToolInfo,
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
  formatExposedName,
  hasHiddenCharacters,
  MAX_EXPOSED_NAME_CHARS,
  removeHiddenCharacters,
  formatWorkflowToolName,
} from './exposed-name.ts';
export { type Page, toPage, type PageRequest, type ToolFilters } from './filter-tools.ts';
export { type CompiledGlob, compileGlob, type GlobOptions, MAX_GLOB_LENGTH } from './glob.ts';
export {
  type FoundTool,
  type RankedTool,
  type RankOptions,
  rankTools,
  type SearchOutcome,
  searchTools,
  type ToolSearch,
} from './search.ts';
export { createThesaurus, type Thesaurus } from './thesaurus.ts';
export { explainMatches, type MatchExplanation, type WordMatch } from './search.ts';
export type { MatchKind } from './query-reading.ts';
export { createUriIndex } from './uri-template.ts';
export { type FilterError, formatError, type RouteError } from './catalog-error.ts';
export { routeToolCall, type ToolRoute } from './route-tool-call.ts';
export { prepareSearch } from './search-index.ts';
export type {
  ServerInventory,
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
  ServerTool,
} from './server-inventory.ts';
export type {
  CatalogPrompt,
  CatalogResource,
  CatalogResourceTemplate,
  CatalogSnapshot,
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
  type WorkflowAvailability,
  listWorkflowEvents,
} from './workflow-availability.ts';
