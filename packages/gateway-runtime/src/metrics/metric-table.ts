import type { Registry } from 'prom-client';

/** Returns the settings of a metric of the table for the metrics library. */
export function toMetricConfig<Label extends string>(
  registry: Registry,
  { name, help, labels }: Omit<GatewayMetric, 'labels'> & { readonly labels: readonly Label[] },
) {
  return { name, help, labelNames: [...labels], registers: [registry] };
}

/** Description of a metric, for its registration and for the reference page. */
export interface GatewayMetric {
  readonly name: `gateway_${string}`;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** A sentence, served with the metric. */
  readonly help: string;
}

/** All metrics of the gateway, in the order of the reference page. */
export const METRICS = {
  metaToolCalls: {
    name: 'gateway_meta_tool_calls_total',
    type: 'counter',
    labels: ['tool', 'outcome'],
    help: 'Meta-tool calls by outcome: ok, error_result, failed.',
  },
  metaToolDuration: {
    name: 'gateway_meta_tool_duration_seconds',
    type: 'histogram',
    labels: ['tool'],
    help: 'Duration of meta-tool calls.',
  },
  nativeCalls: {
    name: 'gateway_native_calls_total',
    type: 'counter',
    labels: ['method', 'outcome'],
    help: 'Calls of the native surface by outcome: ok, error_result, failed.',
  },
  nativeDuration: {
    name: 'gateway_native_call_duration_seconds',
    type: 'histogram',
    labels: ['method'],
    help: 'Duration of calls of the native surface.',
  },
  signIns: {
    name: 'gateway_server_sign_ins_total',
    type: 'counter',
    labels: ['result'],
    help: 'Requests of users to sign in to a downstream server, by result; completed: the browser has completed one.',
  },
  callerSignIns: {
    name: 'gateway_caller_sign_ins_total',
    type: 'counter',
    labels: ['result'],
    help: 'Sign-ins at the gateway in mode broker, by result: signed-in, signed-out, consent-given, consent-refused, client-registered, or the failure of the provider: denied, ended, invalid, unavailable.',
  },
  tokenVerificationDuration: {
    name: 'gateway_token_verification_duration_seconds',
    type: 'histogram',
    labels: ['outcome'],
    help: 'Duration of the verification of access tokens that were not in memory, by outcome: ok, refused, unavailable.',
  },
  serverInstances: {
    name: 'gateway_server_instances',
    type: 'gauge',
    labels: ['server'],
    help: 'Processes or sessions of a server for single clients (instances: perSession).',
  },
  userConnections: {
    name: 'gateway_user_connections',
    type: 'gauge',
    labels: ['server'],
    help: 'Open connections of users to a downstream server.',
  },
  tokenRefreshes: {
    name: 'gateway_token_refreshes_total',
    type: 'counter',
    labels: ['server', 'outcome'],
    help: 'Requests for newer tokens of users for a downstream server by outcome: ok, refused, unavailable.',
  },
  tokenExchanges: {
    name: 'gateway_token_exchanges_total',
    type: 'counter',
    labels: ['server', 'outcome'],
    help: 'Exchanges of ID tokens of users for tokens for a downstream server by outcome: ok, failed.',
  },
  toolsetRefusals: {
    name: 'gateway_toolset_refusals_total',
    type: 'counter',
    labels: ['reason'],
    help: 'Answers of meta-tools refused because of the toolset, by reason.',
  },
  serverRequests: {
    name: 'gateway_server_requests_total',
    type: 'counter',
    labels: ['server', 'outcome'],
    help: 'Requests to downstream servers by outcome: ok, failed.',
  },
  serverRequestDuration: {
    name: 'gateway_server_request_duration_seconds',
    type: 'histogram',
    labels: ['server'],
    help: 'Duration of requests to downstream servers.',
  },
  serverRefusals: {
    name: 'gateway_server_requests_refused_total',
    type: 'counter',
    labels: ['server', 'reason'],
    help: 'Requests that a limit of a downstream server or of its tool refused, by reason: busy, rate-limited, breaker-open.',
  },
  queuedServerRequests: {
    name: 'gateway_server_queued_requests',
    type: 'gauge',
    labels: ['server'],
    help: 'Requests that wait for other requests to the same downstream server.',
  },
  openBreakers: {
    name: 'gateway_server_open_breakers',
    type: 'gauge',
    labels: ['server'],
    help: 'Breakers of a downstream server and of its tools that are open or half-open.',
  },
  serverState: {
    name: 'gateway_server_state',
    type: 'gauge',
    labels: ['server', 'state'],
    help: 'One series for each downstream server with its current state; the value is always 1.',
  },
  serverHealth: {
    name: 'gateway_server_health',
    type: 'gauge',
    labels: ['server', 'health'],
    help: 'One series for each downstream server with its current health; the value is always 1.',
  },
  serverRestarts: {
    name: 'gateway_server_restarts',
    type: 'gauge',
    labels: ['server'],
    help: 'Automatic restarts of a downstream server since it was defined.',
  },
  serverFailures: {
    name: 'gateway_server_consecutive_failures',
    type: 'gauge',
    labels: ['server'],
    help: 'Consecutive failures of a downstream server; a stable connection resets them to 0.',
  },
  serverToolChanges: {
    name: 'gateway_server_tool_changes',
    type: 'gauge',
    labels: ['server'],
    help: 'Tools whose declaration by a downstream server differs from the accepted one.',
  },
  serverConnections: {
    name: 'gateway_server_connections',
    type: 'gauge',
    labels: ['server'],
    help: 'Shared connections of this gateway to a downstream server: 1 while it is connected, else 0.',
  },
  hintWidenings: {
    name: 'gateway_tool_hint_widenings_total',
    type: 'counter',
    labels: ['server', 'held'],
    help: 'Tools whose readOnlyHint changed from false or unset to true; held is true when the hint requires acceptance.',
  },
  events: {
    name: 'gateway_events_total',
    type: 'counter',
    labels: ['reason'],
    help: 'Events by reason, each occurrence counted.',
  },
  auditRecordsLost: {
    name: 'gateway_audit_records_lost_total',
    type: 'counter',
    labels: [],
    help: 'Records of the audit log that were not written.',
  },
  catalogTools: {
    name: 'gateway_catalog_tools',
    type: 'gauge',
    labels: ['kind'],
    help: 'Tools of the catalog by kind.',
  },
  sessions: {
    name: 'gateway_sessions',
    type: 'gauge',
    labels: [],
    help: 'Open MCP sessions.',
  },
  queuedCalls: {
    name: 'gateway_queued_calls',
    type: 'gauge',
    labels: [],
    help: 'Calls that wait for other calls of the same caller.',
  },
  workflowRuns: {
    name: 'gateway_workflow_runs_total',
    type: 'counter',
    labels: ['workflow', 'outcome'],
    help: 'Runs of workflows by outcome: completed, failed. Names beyond 500 are counted as _other.',
  },
  workflowDuration: {
    name: 'gateway_workflow_duration_seconds',
    type: 'histogram',
    labels: ['workflow'],
    help: 'Duration of runs of workflows.',
  },
  workflowSteps: {
    name: 'gateway_workflow_steps_total',
    type: 'counter',
    labels: ['status'],
    help: 'Steps of workflows by status: completed, failed, skipped.',
  },
  httpResponses: {
    name: 'gateway_http_responses_total',
    type: 'counter',
    labels: ['status'],
    help: 'HTTP responses by status.',
  },
  httpRefusals: {
    name: 'gateway_http_refusals_total',
    type: 'counter',
    labels: ['code'],
    help: 'Requests that the endpoint refused, by reason.',
  },
} as const satisfies Readonly<Record<string, GatewayMetric>>;
