export { createWorkflowEngine, DEFAULT_ENGINE_LIMITS } from './engine/create-workflow-engine.ts';
export type {
  EngineLimits,
  EnginePorts,
  RunOptions,
  ToolCall,
  ToolCallContext,
  WorkflowEngine,
} from './model/ports.ts';
export type { IsolatedResult, IsolatedWork } from './model/isolated-work.ts';
export { RunBudget, type BudgetLimits, type SharedMemory } from './model/run-budget.ts';
export { ISOLATION_LIMITS, type IsolationLimits } from './isolation/isolation-limits.ts';
export { doIsolatedWork } from './isolation/do-isolated-work.ts';
export { workflowRefusalText, type WorkflowRefusal } from './model/workflow-refusal.ts';
export {
  executionToolOf,
  workflowInputSchema,
  type ExecutionTool,
} from './arguments/execution-tool.ts';
export {
  createExecutionRecords,
  type ExecutionRecords,
} from './records/create-execution-records.ts';
export {
  isStartedBy,
  type ExecutionListPage,
  type ExecutionListQuery,
  type ExecutionSummary,
} from './records/execution-summary.ts';
export {
  executionList,
  executionNotFoundText,
  executionView,
  type ExecutionView,
} from './records/execution-view.ts';
export type {
  RecordBlobs,
  RecordText,
  SharedBlobs,
  SharedBlobsListener,
  StoredSummary,
} from './records/record-blobs.ts';
export type { RecordTimer } from './records/record-timer.ts';
export { RETENTION_LIMITS, type RetentionLimits } from './records/record-limits.ts';
export { stepCountsOf, type StepCounts } from './records/step-counts.ts';
