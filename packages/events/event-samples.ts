import type { EventFacts, EventReason, GatewayEvent } from './src/index.ts';
import { EVENT_REASONS } from './src/index.ts';

const NAMES = { MCPServer: 'github', Workflow: 'deploy', Configuration: 'config' } as const;

const tool = 'list_issues';
const step = 'build';
const execution = '7c9e';

/** One event of each reason, for the reference and for tests. `error` is whatever went wrong. */
export const eventSamples = ({ error }: { readonly error: string }): readonly GatewayEvent[] => {
  const facts: { readonly [R in EventReason]?: EventFacts[R] } = {
    MCPServerValidationFailed: { error },
    MCPServerFailed: { error },
    MCPServerToolsDiscovered: { tools: 12 },
    MCPServerToolsUnavailable: { error },
    MCPServerHealthCheckFailed: { error },
    MCPServerRecoveryFailed: { error },
    MCPServerBreakerOpened: { tool, failures: 3, seconds: 30 },
    MCPServerBreakerClosed: { tool },
    MCPServerSignInFailed: { error: 'denied' },
    MCPServerTokenRefreshRefused: { error: 'invalid_grant' },
    MCPServerProviderUnavailable: { during: 'refresh' },
    MCPServerTokenForwardingFailed: { error: 'the ID token has expired' },
    MCPServerTokenExchangeFailed: { error: 'the token endpoint cannot be reached' },
    MCPServerToolChanged: { tool, fields: ['description', 'inputSchema'] },
    MCPServerToolHintWidened: { tool, held: true },
    MCPServerToolsAccepted: { tools: [tool] },
    MCPServerToolsReadOnly: { tools: ['list_*', 'get_issue'] },
    MCPServerToolNameRefused: { tool, error: 'its name has 130 characters, more than 128' },
    MCPServerToolNameConflict: { tool, keptBy: 'server "gitlab"' },
    WorkflowCreated: { steps: 3 },
    WorkflowUpdated: { steps: 3 },
    WorkflowValidationFailed: { error },
    WorkflowExecutionStarted: { execution },
    WorkflowExecutionCompleted: { steps: 3, durationMs: 61_500 },
    WorkflowExecutionFailed: { step, error },
    WorkflowExecutionTracked: { execution },
    WorkflowStepStarted: { step, tool: 'x_ci_build' },
    WorkflowStepCompleted: { step },
    WorkflowStepFailed: { step, error },
    WorkflowStepSkipped: { step },
    WorkflowStepConditionEvaluated: { step, holds: true },
    WorkflowUnavailable: { missing: ['x_ci_build', 'x_ci_push'] },
    ConfigurationValidationFailed: { error },
  };
  const reasons = Object.keys(EVENT_REASONS) as readonly EventReason[];
  return reasons.map((reason) => {
    const name = NAMES[EVENT_REASONS[reason].kind];
    return { reason, name, ...facts[reason] } as GatewayEvent;
  });
};
