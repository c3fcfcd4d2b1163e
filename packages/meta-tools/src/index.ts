export { createMetaTools, type MetaTools } from './create-meta-tools.ts';
export type { MetaToolAnswer, ToolsetRequest } from './contract/meta-tool.ts';
export { createNativeSurface } from './native/create-native-surface.ts';
export type {
  NativeCallMethod,
  NativePorts,
  NativeScope,
  NativeSurface,
} from './native/native-contract.ts';
export type { MetaToolPorts, SearchPort, ToolsetRefusalReason } from './contract/ports.ts';
export { callUnscopedTool } from './tools/call-unscoped-tool.ts';
export { EXPLAIN_KEY } from './scope/toolset-explanation.ts';
