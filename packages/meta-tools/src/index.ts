export { createMetaTools, findCalledTool, type MetaTools } from './create-meta-tools.ts';
export type { ToolsetRequest } from './contract/meta-tool.ts';
export { formatRefusalText } from './contract/result.ts';
export { NativeSurface } from './native/native-surface.ts';
export type { NativePorts } from './native/native-contract.ts';
export {
  KEPT_RESULTS_URI,
  type KeptResultPart,
  type MetaToolPorts,
  type SearchPort,
  type ToolsetRefusalReason,
} from './contract/meta-tool.ts';
export { callUnscopedTool } from './tools/call-tool.ts';
export { EXPLAIN_KEY } from './scope/explanations.ts';
