export { createMetaTools, resultSchemas, type MetaTools } from './create-meta-tools.ts';
export type {
  MetaToolAnswer,
  MetaToolDefinition,
  MetaToolName,
  MetaToolRequest,
  MetaToolResult,
} from './meta-tool.ts';
export type {
  Caller,
  CallOptions,
  CallOutcome,
  CallRefusal,
  MetaToolPorts,
  ProgressReport,
  ProtocolError,
  ToolsetRefusalReason,
} from './ports.ts';
