export type {
  ConditionEntry,
  EngineLimits,
  EnginePorts,
  FinishedRun,
  RunEnd,
  RunOptions,
  RunProgress,
  StepEntry,
  ToolCall,
  ToolCallContext,
  ToolCallOutcome,
  ToolResult,
  WorkflowEngine,
} from './ports.ts';
export { workflowRefusalText, type WorkflowRefusal } from './workflow-refusal.ts';
