export { createCoreTools } from './create-core-tools.ts';
export type { CoreCallOutcome, CoreTools } from './create-core-tools.ts';
export type {
  CoreCallOptions,
  CoreToolPorts,
  ExecutionListPage,
  ExecutionListQuery,
  ExecutionsPort,
  ExecutionSummary,
  ServerView,
  ServiceOutcome,
  WorkflowView,
  WorkflowWriterPort,
  WriteOutcome,
} from './ports.ts';
