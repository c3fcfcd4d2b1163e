import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
import { goDurationText } from './go-duration.ts';

/** The kinds of resources that events are about. */
export const EVENT_KINDS = ['MCPServer', 'Workflow', 'Configuration'] as const;

/** The kind of the resource that an event is about. */
export type EventKind = (typeof EVENT_KINDS)[number];

/** The type of an event; a `Warning` requires attention. */
export type EventType = 'Normal' | 'Warning';

/** Identity of the object that an event is about. */
interface EventResource {
  readonly name: string;
  readonly namespace: string;
}

/** The description of a reason, and the facts of its events in addition to the resource. */
export interface ReasonDescription<Facts extends object> {
  /** Kind of the resource. */
  readonly kind: EventKind;
  readonly type: EventType;
  /** The condition of the event, as a sentence. */
  readonly when: string;
  readonly message: (facts: EventResource & Facts) => string;
}

interface Failure {
  readonly error: string;
}

const describeReason =
  (kind: EventKind, type: EventType) =>
  <Facts extends object = object>(
    when: string,
    message: ReasonDescription<Facts>['message'],
  ): ReasonDescription<Facts> => ({ kind, type, when, message });

const server = describeReason('MCPServer', 'Normal');
const serverWarning = describeReason('MCPServer', 'Warning');
const workflow = describeReason('Workflow', 'Normal');
const workflowWarning = describeReason('Workflow', 'Warning');
const configuration = describeReason('Configuration', 'Normal');
const configurationWarning = describeReason('Configuration', 'Warning');

/** `: <error>`, or nothing when there is none. */
const formatCause = (error: string): string => (error === '' ? '' : `: ${error}`);

/** ` tool x`, or nothing for a whole server. */
const formatTool = (tool: string | undefined): string =>
  tool === undefined ? '' : ` tool ${tool}`;

/** `a, b` */
const formatNames = (names: readonly string[]): string => names.join(', ');

/** All reasons of events with their facts, which are one line without secrets, and their messages. @spec §6 */
export const EVENT_REASONS = {
  MCPServerCreated: server(
    'A definition was added.',
    ({ name, namespace }) => `MCPServer ${name} successfully created in namespace ${namespace}`,
  ),
  MCPServerUpdated: server(
    'A definition changed.',
    ({ name, namespace }) => `MCPServer ${name} successfully updated in namespace ${namespace}`,
  ),
  MCPServerDeleted: server(
    'A definition was deleted.',
    ({ name, namespace }) => `MCPServer ${name} successfully deleted from namespace ${namespace}`,
  ),
  MCPServerValidationFailed: serverWarning<Failure>(
    'A definition is invalid, or invalid for another reason.',
    ({ name, error }) => `MCPServer ${name} validation failed${formatCause(error)}`,
  ),
  MCPServerValidationSucceeded: server(
    'An invalid definition became valid.',
    ({ name }) => `MCPServer ${name} validation completed successfully`,
  ),
  MCPServerStarting: server(
    'The gateway starts a server or connects to it.',
    ({ name }) => `MCPServer ${name} service is starting up`,
  ),
  MCPServerStarted: server(
    'A server completed the handshake.',
    ({ name }) => `MCPServer ${name} service started successfully`,
  ),
  MCPServerStopped: server(
    'A server was stopped on request, or because its definition was deleted.',
    ({ name }) => `MCPServer ${name} service stopped successfully`,
  ),
  MCPServerRestarting: server(
    'A server restarts on request, or because its definition changed.',
    ({ name }) => `MCPServer ${name} service is restarting`,
  ),
  MCPServerFailed: serverWarning<Failure>(
    'The start of a server failed, or the connection was lost.',
    ({ name, error }) => `MCPServer ${name} operation failed${formatCause(error)}`,
  ),
  /** `omitted`: what the list lacks, as one phrase; absent when it is complete. */
  MCPServerToolsDiscovered: server<{ readonly tools: number; readonly omitted?: string }>(
    'The tools of a server were listed and are in the catalog.',
    ({ name, omitted }) =>
      `MCPServer ${name} tools discovered and registered successfully${omitted === undefined ? '' : `; ${omitted}`}`,
  ),
  MCPServerToolsUnavailable: serverWarning<Failure>(
    'The tools of a server were removed from the catalog, or cannot be listed.',
    ({ name, error }) => `MCPServer ${name} tools became unavailable${formatCause(error)}`,
  ),
  MCPServerHealthCheckFailed: serverWarning<Failure>(
    'A healthy server became unhealthy: consecutive health checks failed or were too slow.',
    ({ name, error }) => `MCPServer ${name} health check failed${formatCause(error)}`,
  ),
  MCPServerHealthCheckSucceeded: server(
    'An unhealthy server became healthy.',
    ({ name }) => `MCPServer ${name} health check succeeded`,
  ),
  MCPServerRecoveryStarted: server(
    'The gateway reconnects to a lost server automatically.',
    ({ name }) => `MCPServer ${name} automatic recovery process started`,
  ),
  MCPServerRecoverySucceeded: server(
    'A lost server is connected again.',
    ({ name }) => `MCPServer ${name} automatic recovery completed successfully`,
  ),
  MCPServerRecoveryFailed: serverWarning<Failure>(
    'An attempt to reconnect to a lost server failed.',
    ({ name, error }) => `MCPServer ${name} automatic recovery failed${formatCause(error)}`,
  ),
  /** `tool`: the breaker is that of this tool. */
  MCPServerBreakerOpened: serverWarning<{
    readonly tool?: string;
    readonly failures: number;
    readonly seconds: number;
  }>(
    'Requests to a server, or calls of one of its tools, failed in a row, and further ones are refused for some time (`limits.breaker`).',
    ({ name, tool, failures, seconds }) =>
      `MCPServer ${name}${formatTool(tool)} breaker opened for ${String(seconds)} s after ${String(failures)} failures in a row`,
  ),
  MCPServerBreakerClosed: server<{ readonly tool?: string }>(
    'The first request after that time was answered.',
    ({ name, tool }) => `MCPServer ${name}${formatTool(tool)} breaker closed`,
  ),
  MCPServerAuthRequired: server(
    'A server requires authentication.',
    ({ name }) => `MCPServer ${name} requires OAuth authentication to connect`,
  ),
  // The messages name no user, so that events of many users are aggregated, and readers learn nothing about others.
  MCPServerUserSignedIn: server(
    'A user signed in to a server.',
    ({ name }) => `MCPServer ${name} a user signed in`,
  ),
  MCPServerUserSignedOut: server(
    'A user signed out of a server.',
    ({ name }) => `MCPServer ${name} a user signed out`,
  ),
  MCPServerSignInFailed: serverWarning<Failure>(
    'A sign-in of a user to a server failed.',
    ({ name, error }) => `MCPServer ${name} sign-in of a user failed${formatCause(error)}`,
  ),
  /** `error`: a code of a standard. */
  MCPServerTokenRefreshRefused: serverWarning<Failure>(
    'The authorization server of a server does not renew the token of a user, who must sign in again.',
    ({ name, error }) => `MCPServer ${name} token refresh refused${formatCause(error)}`,
  ),
  MCPServerScopesRequired: server(
    'A server requires scopes that the token of a user does not have. The user signs in again to grant them.',
    ({ name }) => `MCPServer ${name} requires further scopes of a user`,
  ),
  MCPServerProviderUnavailable: serverWarning<{ readonly during: 'sign-in' | 'refresh' }>(
    'The authorization server of a server cannot be reached, or its answer cannot be used.',
    ({ name, during }) => `MCPServer ${name} authorization server is not available for a ${during}`,
  ),
  MCPServerTokenForwardingFailed: serverWarning<Failure>(
    'The ID token of a user cannot be forwarded to a server, or the server refuses it.',
    ({ name, error }) => `MCPServer ${name}: ID token forwarding failed${formatCause(error)}`,
  ),
  MCPServerTokenExchangeFailed: serverWarning<Failure>(
    'The ID token of a user cannot be exchanged for a token for a server.',
    ({ name, error }) => `MCPServer ${name}: RFC 8693 token exchange failed${formatCause(error)}`,
  ),
  /** The declaration of a tool changed. `fields`: of `description`, `inputSchema`, `outputSchema`, `annotations`, `title`. */
  MCPServerToolChanged: serverWarning<{
    readonly tool: string;
    readonly fields: readonly string[];
  }>(
    'The declaration of a tool changed.',
    ({ name, tool, fields }) =>
      `MCPServer ${name} tool ${tool} changed${fields.length === 0 ? '' : ` (${formatNames(fields)})`}`,
  ),
  /** `readOnlyHint` changed from false or unset to true. `held`: it has no effect before it is accepted. */
  MCPServerToolHintWidened: serverWarning<{ readonly tool: string; readonly held: boolean }>(
    'A tool newly declares that it is read-only.',
    ({ name, tool, held }) =>
      `MCPServer ${name} tool ${tool} now declares itself read-only` +
      (held ? ', which does not count until it is accepted' : ''),
  ),
  MCPServerToolsAccepted: server<{ readonly tools: readonly string[] }>(
    'The declared tools of a server were accepted.',
    ({ name, tools }) =>
      `MCPServer ${name} declared tools accepted${formatCause(formatNames(tools))}`,
  ),
  /** `tools`: the names and patterns of the entries of `spec.tools`. */
  MCPServerToolsReadOnly: serverWarning<{ readonly tools: readonly string[] }>(
    'A definition newly declares tools read-only in `spec.tools`, which admits them to `preset:read-only`.',
    ({ name, tools }) =>
      `MCPServer ${name} definition declares tools read-only${formatCause(formatNames(tools))}`,
  ),
  /** A tool is not listed, or listed with a warning, because of its name. */
  MCPServerToolNameRefused: serverWarning<{ readonly tool: string; readonly error: string }>(
    'A tool is omitted from the catalog because of its name.',
    ({ name, tool, error }) =>
      `MCPServer ${name} tool name ${tool} was refused${formatCause(error)}`,
  ),
  /** Two tools have one exposed name; the one of this server is dropped. */
  MCPServerToolNameConflict: serverWarning<{ readonly tool: string; readonly keptBy: string }>(
    'Two tools have one exposed name: one of them is omitted from the catalog.',
    ({ name, tool, keptBy }) =>
      `MCPServer ${name} tool ${tool} is left out: ${keptBy} has a tool of this name`,
  ),
  WorkflowCreated: workflow<{ readonly steps: number }>(
    'A definition was added.',
    ({ name, steps }) => `Workflow ${name} successfully created with ${String(steps)} steps`,
  ),
  WorkflowUpdated: workflow<{ readonly steps: number }>(
    'A definition changed.',
    ({ name, steps }) => `Workflow ${name} successfully updated with ${String(steps)} steps`,
  ),
  WorkflowDeleted: workflow(
    'A definition was deleted.',
    ({ name, namespace }) => `Workflow ${name} successfully deleted from namespace ${namespace}`,
  ),
  WorkflowValidationFailed: workflowWarning<Failure>(
    'A definition is invalid, or invalid for another reason.',
    ({ name, error }) => `Workflow ${name} validation failed${formatCause(error)}`,
  ),
  WorkflowValidationSucceeded: workflow(
    'An invalid definition became valid.',
    ({ name }) => `Workflow ${name} validation completed successfully`,
  ),
  WorkflowExecutionStarted: workflow<{ readonly execution: string }>(
    'A run started.',
    ({ name, execution }) => `Workflow ${name} execution started (execution: ${execution})`,
  ),
  WorkflowExecutionCompleted: workflow<{ readonly steps: number; readonly durationMs: number }>(
    'A run ended without a failure.',
    ({ name, steps, durationMs }) =>
      `Workflow ${name} execution completed successfully (${String(steps)} steps) in ${goDurationText(durationMs)}`,
  ),
  WorkflowExecutionFailed: workflowWarning<{ readonly step?: string; readonly error: string }>(
    'A run failed, at a step or before the first step.',
    ({ name, step, error }) =>
      `Workflow ${name} execution failed${step === undefined ? '' : ` at step ${step}`}${formatCause(error)}`,
  ),
  WorkflowExecutionTracked: workflow<{ readonly execution: string }>(
    'The record of a run that ended was written to `workflows.executionsDirectory`.',
    ({ name, execution }) => `Workflow ${name} execution state persisted (execution: ${execution})`,
  ),
  WorkflowStepStarted: workflow<{ readonly step: string; readonly tool?: string }>(
    'A step of a run started.',
    ({ name, step, tool }) =>
      `Workflow ${name} step ${step} started${tool === undefined ? '' : ` (tool: ${tool})`}`,
  ),
  WorkflowStepCompleted: workflow<{ readonly step: string }>(
    'A step of a run ended without a failure.',
    ({ name, step }) => `Workflow ${name} step ${step} completed successfully`,
  ),
  WorkflowStepFailed: workflowWarning<{ readonly step: string; readonly error: string }>(
    'A step with `allowFailure` failed, and the run continues.',
    ({ name, step, error }) =>
      `Workflow ${name} step ${step} failed (allow_failure=true, continuing)${formatCause(error)}`,
  ),
  WorkflowStepSkipped: workflow<{ readonly step: string }>(
    'A step was skipped because its condition is not satisfied.',
    ({ name, step }) =>
      `Workflow ${name} step ${step} skipped: condition evaluation returned false`,
  ),
  WorkflowStepConditionEvaluated: workflow<{ readonly step: string; readonly holds: boolean }>(
    'The condition of a step was evaluated.',
    ({ name, step, holds }) =>
      `Workflow ${name} step ${step} condition evaluated to ${String(holds)}`,
  ),
  WorkflowUnavailable: workflowWarning<{ readonly missing: readonly string[] }>(
    'Required tools of a workflow are not in the catalog, or other tools are missing than before.',
    ({ name, missing }) =>
      `Workflow ${name} is unavailable${missing.length === 0 ? '' : ` (missing tools: ${formatNames(missing)})`}`,
  ),
  WorkflowToolRegistered: workflow(
    'The tool of a workflow was added to the catalog.',
    ({ name }) =>
      `Workflow ${name} registered as tool '${WORKFLOW_TOOL_PREFIX}${name}' in aggregator`,
  ),
  WorkflowCapabilitiesRefreshed: workflow(
    'All required tools of an unavailable workflow are in the catalog again.',
    ({ name }) => `Workflow ${name} capabilities refreshed`,
  ),
  /** `config.yaml`, or the presets in it, took effect. */
  ConfigurationUpdated: configuration(
    'A change of the configuration took effect.',
    ({ name }) => `Configuration ${name} successfully updated`,
  ),
  /** An edit of `config.yaml` was refused; the previous configuration stays in force. */
  ConfigurationValidationFailed: configurationWarning<Failure>(
    'A change of the configuration was refused. The previous configuration stays in force.',
    ({ name, error }) => `Configuration ${name} validation failed${formatCause(error)}`,
  ),
  /** The OpenID provider that the configuration names does not answer. */
  ConfigurationProviderUnavailable: configurationWarning(
    'The OpenID provider of mode broker does not answer. Reported once until it answers again.',
    ({ name }) =>
      `Configuration ${name}: the OpenID provider of auth.broker.upstream is not available`,
  ),
} as const;

/** The reason of an event: one word for the kind of fact. */
export type EventReason = keyof typeof EVENT_REASONS;

/** The facts of each reason in addition to the resource. */
export type EventFacts = {
  readonly [R in EventReason]: (typeof EVENT_REASONS)[R] extends ReasonDescription<infer Facts>
    ? Facts
    : never;
};

/** Reasons whose events a request to one process causes. Each occurrence is one of its own. */
const OF_ONE_PROCESS: ReadonlySet<string> = new Set<EventReason>([
  'MCPServerUserSignedIn',
  'MCPServerUserSignedOut',
  'MCPServerSignInFailed',
  'MCPServerTokenRefreshRefused',
  'MCPServerScopesRequired',
  'MCPServerProviderUnavailable',
  'MCPServerTokenForwardingFailed',
  'MCPServerTokenExchangeFailed',
  'MCPServerToolsAccepted',
  'MCPServerBreakerOpened',
  'MCPServerBreakerClosed',
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

/** A state change of a resource. The reason determines the kind of the resource. @spec §6 */
export type GatewayEvent = {
  readonly [R in EventReason]: {
    readonly reason: R;
    /** Of the resource. */
    readonly name: string;
    /** `default` when absent. */
    readonly namespace?: string;
  } & EventFacts[R];
}[EventReason];

/** Takes events; must not throw. */
export type EventSink = (event: GatewayEvent) => void;

/** A recorded event with the count of its occurrences. Times are milliseconds since the epoch. */
export interface StoredEvent {
  /** Increases with every occurrence, also across restarts. An aggregated event has the number of its latest occurrence. */
  readonly id: number;
  readonly kind: EventKind;
  readonly name: string;
  readonly namespace: string;
  readonly reason: string;
  readonly message: string;
  readonly type: EventType;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}

/** Maximum length of a message in UTF-16 units; a longer one ends in `…`. */
export const MAX_MESSAGE_CHARS = 1_024;

/** Namespace of a resource without a namespace. */
export const DEFAULT_NAMESPACE = 'default';

/** Characters that break a line or change the displayed order. */
// Listed explicitly, because Unicode classes are much slower, and every event passes here.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** Returns a text as one line of at most `max` characters. */
export const toSingleLine = (text: string, max: number): string => {
  // Cuts before the replacement, because a text can have megabytes.
  const line = text.slice(0, max + 1).replace(UNPRINTABLE, ' ');
  if (text.length <= max) return line;
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
};

/** Returns the message of an event: one line of at most 1,024 characters. @spec §6 */
export const formatEventMessage = (event: GatewayEvent): string => {
  const facts = event.namespace === undefined ? { ...event, namespace: DEFAULT_NAMESPACE } : event;
  // Each entry of the table belongs to one member of the union, which the compiler cannot infer.
  const message = EVENT_REASONS[event.reason].message(facts as never);
  return toSingleLine(message, MAX_MESSAGE_CHARS);
};
