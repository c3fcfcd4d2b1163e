export { createCoreTools } from './create-core-tools.ts';
export type { CoreCallOutcome, CoreTools } from './create-core-tools.ts';
export type {
  CoreCallOptions,
  CoreToolPorts,
  ExecutionsPort,
  ServerView,
  ServiceOutcome,
  WorkflowAvailability,
  WorkflowView,
  WorkflowWriterPort,
  WriteOutcome,
} from './ports.ts';
export type { ExecutionListPage, ExecutionListQuery } from '@gateway/workflow-engine';
