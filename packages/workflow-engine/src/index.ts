export { createWorkflowEngine, DEFAULT_ENGINE_LIMITS } from './engine/create-workflow-engine.ts';
export {
  type BudgetLimits,
  type EngineLimits,
  type EnginePorts,
  type IsolatedResult,
  type IsolatedWork,
  RunBudget,
  type RunOptions,
  type SharedMemory,
  type ToolCall,
  type ToolCallContext,
  type WorkflowEngine,
} from './model/ports.ts';
export {
  runIsolatedWork,
  ISOLATION_LIMITS,
  type IsolationLimits,
} from './isolation/isolated-work.ts';
export {
  type ExecutionTool,
  toExecutionTool,
  toWorkflowInputSchema,
} from './model/execution-tool.ts';
export { findInJsonText } from './expectations/json-path.ts';
export { type ExecutionError, formatError, type WorkflowRefusal } from './model/engine-error.ts';
export { ExecutionRecords } from './records/execution-records.ts';
export {
  toExecutionList,
  type ExecutionListPage,
  type ExecutionListQuery,
  type ExecutionSummary,
  toExecutionView,
  type ExecutionView,
  isStartedBy,
  type StepCounts,
  countSteps,
} from './records/execution-summary.ts';
export type { RecordTimer } from './records/record-blobs.ts';
export { RETENTION_LIMITS, type RetentionLimits } from './records/retained-record.ts';
