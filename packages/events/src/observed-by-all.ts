import type { EventReason } from './event-facts.ts';

/** Reasons whose events a request to one process causes. Each occurrence is one of its own. */
const OF_ONE_PROCESS: ReadonlySet<string> = new Set<EventReason>([
  'MCPServerPersonSignedIn',
  'MCPServerPersonSignedOut',
  'MCPServerSignInFailed',
  'MCPServerTokenRefreshRefused',
  'MCPServerScopesRequired',
  'MCPServerProviderUnavailable',
  'MCPServerTokenForwardingFailed',
  'MCPServerTokenExchangeFailed',
  'MCPServerToolsAccepted',
  'WorkflowExecutionStarted',
  'WorkflowExecutionCompleted',
  'WorkflowExecutionFailed',
  'WorkflowExecutionTracked',
  'WorkflowStepStarted',
  'WorkflowStepCompleted',
  'WorkflowStepFailed',
  'WorkflowStepSkipped',
  'WorkflowStepConditionEvaluated',
]);

/** Returns whether all processes with the same definitions record an event of this reason for one fact: the state of a definition or of a server. */
export const isObservedByAll = (reason: string): boolean => !OF_ONE_PROCESS.has(reason);
