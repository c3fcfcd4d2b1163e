export type { ToolAnnotations } from './annotations.ts';
export { assignNames, type NameSources } from './assign-names.ts';
export { buildCatalog, type CatalogInput } from './build-catalog.ts';
export type {
  CatalogTool,
  CoreToolEntry,
  ToolKind,
  ToolProvider,
  WorkflowToolEntry,
} from './catalog-tool.ts';
export { catalogWarningText, type CatalogWarning, type NameOwner } from './catalog-warning.ts';
export { exposedName, MAX_EXPOSED_NAME_CHARS, workflowToolName } from './exposed-name.ts';
export { filterErrorText, type FilterError, type ToolFilters } from './filter-tools.ts';
export { compileGlob, type CompiledGlob, type GlobOptions, MAX_GLOB_LENGTH } from './glob.ts';
export { hidesCharacters, withoutHiddenCharacters } from './hidden-characters.ts';
export type {
  ContestedNames,
  NameAssignment,
  NameConflict,
  NameConflicts,
} from './name-assignment.ts';
export { pageOf, type Page, type PageRequest } from './page.ts';
export { rankTools, type RankOptions } from './rank-tools.ts';
export type { RankedTool } from './ranked-tool.ts';
export { createThesaurus } from './default-thesaurus.ts';
export { explainMatches, type MatchExplanation, type WordMatch } from './explain-matches.ts';
export type { MatchKind } from './query-variants.ts';
export type { Thesaurus } from './thesaurus.ts';
export { indexByUri } from './normalize-uri.ts';
export {
  routeErrorText,
  routeToolCall,
  type RouteError,
  type ToolRoute,
} from './route-tool-call.ts';
export { prepareSearch } from './search-index.ts';
export { searchTools, type FoundTool, type SearchOutcome, type ToolSearch } from './search.ts';
export type { ServerNaming } from './server-names.ts';
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
export { toolInfo, type ToolInfo, type ToolInfoOptions } from './tool-info.ts';
export {
  differenceOf,
  emptySelection,
  fullSelection,
  intersectionOf,
  selectLists,
  selectTools,
  unionOf,
  type ToolSelection,
} from './tool-selection.ts';
export { warningEvents } from './warning-events.ts';
export { warningsOnce } from './warnings-once.ts';
export { workflowEvents } from './workflow-events.ts';
export { workflowAvailability, type WorkflowAvailability } from './workflow-availability.ts';
