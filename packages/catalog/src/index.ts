export type { ToolAnnotations } from './annotations.ts';
export type {
  CatalogTool,
  CoreToolEntry,
  ToolKind,
  ToolProvider,
  WorkflowToolEntry,
} from './catalog-tool.ts';
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
export type { ToolSelection } from './tool-selection.ts';
