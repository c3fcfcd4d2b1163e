export type { ToolAnnotations } from './annotations.ts';
export { buildCatalog, type CatalogInput } from './build-catalog.ts';
export type {
  CatalogTool,
  CoreToolEntry,
  ToolKind,
  ToolProvider,
  WorkflowToolEntry,
} from './catalog-tool.ts';
export {
  catalogWarningText,
  newWarnings,
  type CatalogWarning,
  type NameOwner,
} from './catalog-warning.ts';
export { exposedName, workflowToolName } from './exposed-name.ts';
export type { JsonObject } from './json.ts';
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
  differenceOf,
  emptySelection,
  fullSelection,
  intersectionOf,
  selectTools,
  unionOf,
  type ToolSelection,
} from './tool-selection.ts';
