import type { EventFacts, EventKind, EventReason, EventType } from './gateway-event.ts';
import { goDurationText } from './go-duration.ts';

/** The facts of a message: the resource and the facts of the reason. */
export type MessageFacts<R extends EventReason> = EventFacts[R] & {
  readonly name: string;
  readonly namespace: string;
};

/** The description of a reason. */
export interface ReasonDescription<R extends EventReason> {
  /** Kind of the resource. */
  readonly kind: EventKind;
  readonly type: EventType;
  /** The condition of the event, as a sentence. */
  readonly when: string;
  /** The message. */
  readonly message: (facts: MessageFacts<R>) => string;
}

/** The descriptions of the reasons whose names have this prefix. */
export type ReasonsOf<Prefix extends EventKind> = {
  readonly [R in Extract<EventReason, `${Prefix}${string}`>]: ReasonDescription<R>;
};

/** `: <error>`, or nothing when there is none. */
const because = (error: string): string => (error === '' ? '' : `: ${error}`);

/** `a, b` */
const listed = (names: readonly string[]): string => names.join(', ');

/** The reasons of events about sign-ins of persons to servers. */
type SignInReason =
  | 'MCPServerPersonSignedIn'
  | 'MCPServerPersonSignedOut'
  | 'MCPServerSignInFailed'
  | 'MCPServerTokenRefreshRefused'
  | 'MCPServerScopesRequired'
  | 'MCPServerProviderUnavailable'
  | 'MCPServerTokenForwardingFailed'
  | 'MCPServerTokenExchangeFailed';

/**
 * The descriptions of these reasons. The messages name no person, so that those of many persons are aggregated, and readers of events learn
 * nothing about other persons. @spec §6
 */
const SIGN_IN_REASONS: Pick<ReasonsOf<'MCPServer'>, SignInReason> = {
  MCPServerPersonSignedIn: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A person signed in to a server.',
    message: ({ name }) => `MCPServer ${name} a person signed in`,
  },
  MCPServerPersonSignedOut: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A person signed out of a server.',
    message: ({ name }) => `MCPServer ${name} a person signed out`,
  },
  MCPServerSignInFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A sign-in of a person to a server failed.',
    message: ({ name, error }) => `MCPServer ${name} sign-in of a person failed${because(error)}`,
  },
  MCPServerTokenRefreshRefused: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The authorization server of a server does not renew the token of a person, who must sign in again.',
    message: ({ name, error }) => `MCPServer ${name} token refresh refused${because(error)}`,
  },
  MCPServerScopesRequired: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server requires scopes that the token of a person does not have. The person signs in again to grant them.',
    message: ({ name }) => `MCPServer ${name} requires further scopes of a person`,
  },
  MCPServerProviderUnavailable: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The authorization server of a server cannot be reached, or its answer cannot be used.',
    message: ({ name, during }) =>
      `MCPServer ${name} authorization server is not available for a ${during}`,
  },
  MCPServerTokenForwardingFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The ID token of a person cannot be forwarded to a server, or the server refuses it.',
    message: ({ name, error }) => `MCPServer ${name}: ID token forwarding failed${because(error)}`,
  },
  MCPServerTokenExchangeFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The ID token of a person cannot be exchanged for a token for a server.',
    message: ({ name, error }) =>
      `MCPServer ${name}: RFC 8693 token exchange failed${because(error)}`,
  },
};

/** Reasons of events about servers. @spec §6 */
const SERVER_REASONS: ReasonsOf<'MCPServer'> = {
  MCPServerCreated: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition was added.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully created in namespace ${namespace}`,
  },
  MCPServerUpdated: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition changed.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully updated in namespace ${namespace}`,
  },
  MCPServerDeleted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition was deleted.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully deleted from namespace ${namespace}`,
  },
  MCPServerValidationFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A definition is invalid, or invalid for another reason.',
    message: ({ name, error }) => `MCPServer ${name} validation failed${because(error)}`,
  },
  MCPServerValidationSucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'An invalid definition became valid.',
    message: ({ name }) => `MCPServer ${name} validation completed successfully`,
  },
  MCPServerStarting: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The gateway starts a server or connects to it.',
    message: ({ name }) => `MCPServer ${name} service is starting up`,
  },
  MCPServerStarted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server completed the handshake.',
    message: ({ name }) => `MCPServer ${name} service started successfully`,
  },
  MCPServerStopped: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server was stopped on request, or because its definition was deleted.',
    message: ({ name }) => `MCPServer ${name} service stopped successfully`,
  },
  MCPServerRestarting: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server restarts on request, or because its definition changed.',
    message: ({ name }) => `MCPServer ${name} service is restarting`,
  },
  MCPServerFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The start of a server failed, or the connection was lost.',
    message: ({ name, error }) => `MCPServer ${name} operation failed${because(error)}`,
  },
  MCPServerToolsDiscovered: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The tools of a server were listed and are in the catalog.',
    message: ({ name, omitted }) =>
      `MCPServer ${name} tools discovered and registered successfully${omitted === undefined ? '' : `; ${omitted}`}`,
  },
  MCPServerToolsUnavailable: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The tools of a server were removed from the catalog, or cannot be listed.',
    message: ({ name, error }) => `MCPServer ${name} tools became unavailable${because(error)}`,
  },
  MCPServerHealthCheckFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A healthy server became unhealthy: consecutive health checks failed or were too slow.',
    message: ({ name, error }) => `MCPServer ${name} health check failed${because(error)}`,
  },
  MCPServerHealthCheckSucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'An unhealthy server became healthy.',
    message: ({ name }) => `MCPServer ${name} health check succeeded`,
  },
  MCPServerRecoveryStarted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The gateway reconnects to a lost server automatically.',
    message: ({ name }) => `MCPServer ${name} automatic recovery process started`,
  },
  MCPServerRecoverySucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A lost server is connected again.',
    message: ({ name }) => `MCPServer ${name} automatic recovery completed successfully`,
  },
  MCPServerRecoveryFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'An attempt to reconnect to a lost server failed.',
    message: ({ name, error }) => `MCPServer ${name} automatic recovery failed${because(error)}`,
  },
  MCPServerAuthRequired: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server requires authentication.',
    message: ({ name }) => `MCPServer ${name} requires OAuth authentication to connect`,
  },
  ...SIGN_IN_REASONS,
  MCPServerToolChanged: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The declaration of a tool changed.',
    message: ({ name, tool, fields }) =>
      `MCPServer ${name} tool ${tool} changed${fields.length === 0 ? '' : ` (${listed(fields)})`}`,
  },
  MCPServerToolHintWidened: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A tool newly declares that it is read-only.',
    message: ({ name, tool, held }) =>
      `MCPServer ${name} tool ${tool} now declares itself read-only` +
      (held ? ', which does not count until it is accepted' : ''),
  },
  MCPServerToolsAccepted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The declared tools of a server were accepted.',
    message: ({ name, tools }) =>
      `MCPServer ${name} declared tools accepted${because(listed(tools))}`,
  },
  MCPServerToolNameRefused: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A tool is omitted from the catalog because of its name.',
    message: ({ name, tool, error }) =>
      `MCPServer ${name} tool name ${tool} was refused${because(error)}`,
  },
  MCPServerToolNameConflict: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'Two tools have one exposed name: one of them is omitted from the catalog.',
    message: ({ name, tool, keptBy }) =>
      `MCPServer ${name} tool ${tool} is left out: ${keptBy} has a tool of this name`,
  },
};

/** Reasons of events about workflows and their runs. @spec §6 */
const WORKFLOW_REASONS: ReasonsOf<'Workflow'> = {
  WorkflowCreated: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition was added.',
    message: ({ name, steps }) =>
      `Workflow ${name} successfully created with ${String(steps)} steps`,
  },
  WorkflowUpdated: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition changed.',
    message: ({ name, steps }) =>
      `Workflow ${name} successfully updated with ${String(steps)} steps`,
  },
  WorkflowDeleted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A definition was deleted.',
    message: ({ name, namespace }) =>
      `Workflow ${name} successfully deleted from namespace ${namespace}`,
  },
  WorkflowValidationFailed: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'A definition is invalid, or invalid for another reason.',
    message: ({ name, error }) => `Workflow ${name} validation failed${because(error)}`,
  },
  WorkflowValidationSucceeded: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'An invalid definition became valid.',
    message: ({ name }) => `Workflow ${name} validation completed successfully`,
  },
  WorkflowExecutionStarted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A run started.',
    message: ({ name, execution }) =>
      `Workflow ${name} execution started (execution: ${execution})`,
  },
  WorkflowExecutionCompleted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A run ended without a failure.',
    message: ({ name, steps, durationMs }) =>
      `Workflow ${name} execution completed successfully (${String(steps)} steps) in ${goDurationText(durationMs)}`,
  },
  WorkflowExecutionFailed: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'A run failed, at a step or before the first step.',
    message: ({ name, step, error }) =>
      `Workflow ${name} execution failed${step === undefined ? '' : ` at step ${step}`}${because(error)}`,
  },
  WorkflowExecutionTracked: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'The record of a run that ended was written to `workflows.executionsDirectory`.',
    message: ({ name, execution }) =>
      `Workflow ${name} execution state persisted (execution: ${execution})`,
  },
  WorkflowStepStarted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A step of a run started.',
    message: ({ name, step, tool }) =>
      `Workflow ${name} step ${step} started${tool === undefined ? '' : ` (tool: ${tool})`}`,
  },
  WorkflowStepCompleted: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A step of a run ended without a failure.',
    message: ({ name, step }) => `Workflow ${name} step ${step} completed successfully`,
  },
  WorkflowStepFailed: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'A step with `allowFailure` failed, and the run continues.',
    message: ({ name, step, error }) =>
      `Workflow ${name} step ${step} failed (allow_failure=true, continuing)${because(error)}`,
  },
  WorkflowStepSkipped: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'A step was skipped because its condition is not satisfied.',
    message: ({ name, step }) =>
      `Workflow ${name} step ${step} skipped: condition evaluation returned false`,
  },
  WorkflowStepConditionEvaluated: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'The condition of a step was evaluated.',
    message: ({ name, step, holds }) =>
      `Workflow ${name} step ${step} condition evaluated to ${String(holds)}`,
  },
  WorkflowUnavailable: {
    kind: 'Workflow',
    type: 'Warning',
    when: 'Required tools of a workflow are not in the catalog, or other tools are missing than before.',
    message: ({ name, missing }) =>
      `Workflow ${name} is unavailable${missing.length === 0 ? '' : ` (missing tools: ${listed(missing)})`}`,
  },
  WorkflowToolRegistered: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'The tool of a workflow was added to the catalog.',
    message: ({ name }) => `Workflow ${name} registered as tool 'workflow_${name}' in aggregator`,
  },
  WorkflowCapabilitiesRefreshed: {
    kind: 'Workflow',
    type: 'Normal',
    when: 'All required tools of an unavailable workflow are in the catalog again.',
    message: ({ name }) => `Workflow ${name} capabilities refreshed`,
  },
};

const CONFIGURATION_REASONS: ReasonsOf<'Configuration'> = {
  ConfigurationUpdated: {
    kind: 'Configuration',
    type: 'Normal',
    when: 'A change of the configuration took effect.',
    message: ({ name }) => `Configuration ${name} successfully updated`,
  },
  ConfigurationValidationFailed: {
    kind: 'Configuration',
    type: 'Warning',
    when: 'A change of the configuration was refused. The previous configuration stays in force.',
    message: ({ name, error }) => `Configuration ${name} validation failed${because(error)}`,
  },
  ConfigurationProviderUnavailable: {
    kind: 'Configuration',
    type: 'Warning',
    when: 'The OpenID provider of mode broker does not answer. Reported once until it answers again.',
    message: ({ name }) =>
      `Configuration ${name}: the OpenID provider of auth.broker.upstream is not available`,
  },
};

/** All reasons of events: kind of resource, type, condition and message. @spec §6 */
export const EVENT_REASONS: { readonly [R in EventReason]: ReasonDescription<R> } = {
  ...SERVER_REASONS,
  ...WORKFLOW_REASONS,
  ...CONFIGURATION_REASONS,
};

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
