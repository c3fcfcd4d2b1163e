export { createMetaTools, resultSchemas, type MetaTools } from './create-meta-tools.ts';
export type {
  MetaToolAnswer,
  MetaToolDefinition,
  MetaToolName,
  MetaToolRequest,
  MetaToolResult,
} from './contract/meta-tool.ts';
export { createNativeSurface } from './native/create-native-surface.ts';
export type {
  CompletionReference,
  FollowOutcome,
  NativeAnswer,
  NativeCall,
  NativeCallMethod,
  NativeListAnswer,
  NativeListMethod,
  NativePorts,
  NativeScope,
  NativeSubscription,
  NativeSurface,
} from './native/native-contract.ts';
export type { CallRefusal, MetaToolPorts, ToolsetRefusalReason } from './contract/ports.ts';
export { callUnscopedTool } from './tools/call-unscoped-tool.ts';
export { EXPLAIN_KEY } from './scope/toolset-explanation.ts';
