export { createCoreTools } from './create-core-tools.ts';
export type { CoreCallOutcome, CoreTools } from './create-core-tools.ts';
export { DEFAULT_EVENTS, EVENT_NOTIFICATION, MAX_EVENTS } from './events/event-limits.ts';
export type { EventsPort } from './events/events-port.ts';
export type {
  AcceptOutcome,
  ConfigurationOutcome,
  ConfigurationPort,
  CoreCallContext,
  CoreToolPorts,
  DetectOutcome,
  DetectQuestion,
  ExecutionsPort,
  RefusedServer,
  ServerHealth,
  ServerView,
  ServerWriteOutcome,
  ServerWriterPort,
  ServiceOutcome,
  ToolChange,
  WorkflowAvailability,
  WorkflowView,
  WorkflowWriterPort,
  WriteOutcome,
} from './ports.ts';
export type { ExecutionListPage, ExecutionListQuery } from '@gateway/workflow-engine';
