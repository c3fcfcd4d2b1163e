export { createMetaTools, resultSchemas, type MetaTools } from './create-meta-tools.ts';
export type {
  MetaToolDefinition,
  MetaToolName,
  MetaToolRequest,
  MetaToolResult,
} from './meta-tool.ts';
export type {
  CallOptions,
  CallOutcome,
  CallRefusal,
  MetaToolPorts,
  ProgressReport,
  ToolsetRefusalReason,
} from './ports.ts';
