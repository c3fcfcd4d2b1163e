import {
  EVENT_REASONS,
  formatEventMessage,
  type EventReason,
  type GatewayEvent,
} from '@gateway/events';
import { describe, expect, it } from 'vitest';
import { eventSamples } from '../event-samples.ts';

const error = 'spawn ENOENT';

const texts: { readonly [R in EventReason]: string } = {
  MCPServerCreated: 'MCPServer github successfully created in namespace default',
  MCPServerUpdated: 'MCPServer github successfully updated in namespace default',
  MCPServerDeleted: 'MCPServer github successfully deleted from namespace default',
  MCPServerValidationFailed: 'MCPServer github validation failed: spawn ENOENT',
  MCPServerValidationSucceeded: 'MCPServer github validation completed successfully',
  MCPServerStarting: 'MCPServer github service is starting up',
  MCPServerStarted: 'MCPServer github service started successfully',
  MCPServerStopped: 'MCPServer github service stopped successfully',
  MCPServerRestarting: 'MCPServer github service is restarting',
  MCPServerFailed: 'MCPServer github operation failed: spawn ENOENT',
  MCPServerToolsDiscovered: 'MCPServer github tools discovered and registered successfully',
  MCPServerToolsUnavailable: 'MCPServer github tools became unavailable: spawn ENOENT',
  MCPServerHealthCheckFailed: 'MCPServer github health check failed: spawn ENOENT',
  MCPServerHealthCheckSucceeded: 'MCPServer github health check succeeded',
  MCPServerRecoveryStarted: 'MCPServer github automatic recovery process started',
  MCPServerRecoverySucceeded: 'MCPServer github automatic recovery completed successfully',
  MCPServerRecoveryFailed: 'MCPServer github automatic recovery failed: spawn ENOENT',
  MCPServerBreakerOpened:
    'MCPServer github tool list_issues breaker opened for 30 s after 3 failures in a row',
  MCPServerBreakerClosed: 'MCPServer github tool list_issues breaker closed',
  MCPServerAuthRequired: 'MCPServer github requires OAuth authentication to connect',
  MCPServerUserSignedIn: 'MCPServer github a user signed in',
  MCPServerUserSignedOut: 'MCPServer github a user signed out',
  MCPServerSignInFailed: 'MCPServer github sign-in of a user failed: denied',
  MCPServerTokenRefreshRefused: 'MCPServer github token refresh refused: invalid_grant',
  MCPServerScopesRequired: 'MCPServer github requires further scopes of a user',
  MCPServerProviderUnavailable:
    'MCPServer github authorization server is not available for a refresh',
  MCPServerTokenForwardingFailed:
    'MCPServer github: ID token forwarding failed: the ID token has expired',
  MCPServerTokenExchangeFailed:
    'MCPServer github: RFC 8693 token exchange failed: the token endpoint cannot be reached',
  MCPServerToolChanged: 'MCPServer github tool list_issues changed (description, inputSchema)',
  MCPServerToolHintWidened:
    'MCPServer github tool list_issues now declares itself read-only, which does not count until it is accepted',
  MCPServerToolsAccepted: 'MCPServer github declared tools accepted: list_issues',
  MCPServerToolsReadOnly: 'MCPServer github definition declares tools read-only: list_*, get_issue',
  MCPServerToolNameRefused:
    'MCPServer github tool name list_issues was refused: its name has 130 characters, more than 128',
  MCPServerToolNameConflict:
    'MCPServer github tool list_issues is left out: server "gitlab" has a tool of this name',
  WorkflowCreated: 'Workflow deploy successfully created with 3 steps',
  WorkflowUpdated: 'Workflow deploy successfully updated with 3 steps',
  WorkflowDeleted: 'Workflow deploy successfully deleted from namespace default',
  WorkflowValidationFailed: 'Workflow deploy validation failed: spawn ENOENT',
  WorkflowValidationSucceeded: 'Workflow deploy validation completed successfully',
  WorkflowExecutionStarted: 'Workflow deploy execution started (execution: 7c9e)',
  WorkflowExecutionCompleted:
    'Workflow deploy execution completed successfully (3 steps) in 1m1.5s',
  WorkflowExecutionFailed: 'Workflow deploy execution failed at step build: spawn ENOENT',
  WorkflowExecutionTracked: 'Workflow deploy execution state persisted (execution: 7c9e)',
  WorkflowStepStarted: 'Workflow deploy step build started (tool: x_ci_build)',
  WorkflowStepCompleted: 'Workflow deploy step build completed successfully',
  WorkflowStepFailed:
    'Workflow deploy step build failed (allow_failure=true, continuing): spawn ENOENT',
  WorkflowStepSkipped: 'Workflow deploy step build skipped: condition evaluation returned false',
  WorkflowStepConditionEvaluated: 'Workflow deploy step build condition evaluated to true',
  WorkflowUnavailable: 'Workflow deploy is unavailable (missing tools: x_ci_build, x_ci_push)',
  WorkflowToolRegistered: "Workflow deploy registered as tool 'workflow_deploy' in aggregator",
  WorkflowCapabilitiesRefreshed: 'Workflow deploy capabilities refreshed',
  ConfigurationUpdated: 'Configuration config successfully updated',
  ConfigurationValidationFailed: 'Configuration config validation failed: spawn ENOENT',
  ConfigurationProviderUnavailable:
    'Configuration config: the OpenID provider of auth.broker.upstream is not available',
};

const shown = (event: GatewayEvent): string => {
  const { kind, type } = EVENT_REASONS[event.reason];
  return `${kind} ${type}: ${formatEventMessage(event)}`;
};

describe('eventText', () => {
  it.each(eventSamples({ error }))('$reason', (event) =>
    expect(formatEventMessage(event)).toBe(texts[event.reason]),
  );

  it('has a text for every reason', () => {
    const reasons = eventSamples({ error }).map(({ reason }) => reason);
    expect(reasons).toEqual(Object.keys(EVENT_REASONS));
  });

  it('leaves out what is not known', () => {
    expect(
      [
        { reason: 'MCPServerFailed', name: 'a', error: '' } as const,
        { reason: 'MCPServerBreakerClosed', name: 'a' } as const,
        { reason: 'MCPServerToolHintWidened', name: 'a', tool: 't', held: false } as const,
        { reason: 'MCPServerToolChanged', name: 'a', tool: 't', fields: [] } as const,
        { reason: 'WorkflowExecutionFailed', name: 'w', error: 'no room' } as const,
        { reason: 'WorkflowStepStarted', name: 'w', step: 's' } as const,
        { reason: 'WorkflowUnavailable', name: 'w', missing: [] } as const,
        { reason: 'MCPServerDeleted', name: 'a', namespace: 'team' } as const,
      ].map(shown),
    ).toEqual([
      'MCPServer Warning: MCPServer a operation failed',
      'MCPServer Normal: MCPServer a breaker closed',
      'MCPServer Warning: MCPServer a tool t now declares itself read-only',
      'MCPServer Warning: MCPServer a tool t changed',
      'Workflow Warning: Workflow w execution failed: no room',
      'Workflow Normal: Workflow w step s started',
      'Workflow Warning: Workflow w is unavailable',
      'MCPServer Normal: MCPServer a successfully deleted from namespace team',
    ]);
  });

  it('is one line of at most 1,024 characters, whatever a server says', () => {
    const said = 'no\nroom\u0007 \u202eleft\u2028';
    expect(formatEventMessage({ reason: 'MCPServerFailed', name: 'a', error: said })).toBe(
      'MCPServer a operation failed: no room   left ',
    );
    const long = formatEventMessage({
      reason: 'MCPServerFailed',
      name: 'a',
      error: '😀'.repeat(1_000_000),
    });
    expect(long).toHaveLength(1_023);
    expect(long.endsWith('😀…')).toBe(true);
  });
});

it('the types of reasons are warnings where somebody should look', () =>
  expect(
    Object.entries(EVENT_REASONS).flatMap(([reason, { type }]) =>
      type === 'Warning' ? [reason] : [],
    ),
  ).toEqual([
    ...['MCPServerValidationFailed', 'MCPServerFailed', 'MCPServerToolsUnavailable'],
    ...['MCPServerHealthCheckFailed', 'MCPServerRecoveryFailed', 'MCPServerBreakerOpened'],
    'MCPServerSignInFailed',
    ...['MCPServerTokenRefreshRefused', 'MCPServerProviderUnavailable'],
    ...['MCPServerTokenForwardingFailed', 'MCPServerTokenExchangeFailed', 'MCPServerToolChanged'],
    ...['MCPServerToolHintWidened', 'MCPServerToolsReadOnly', 'MCPServerToolNameRefused'],
    'MCPServerToolNameConflict',
    ...['WorkflowValidationFailed', 'WorkflowExecutionFailed', 'WorkflowStepFailed'],
    ...['WorkflowUnavailable', 'ConfigurationValidationFailed'],
    'ConfigurationProviderUnavailable',
  ]));
