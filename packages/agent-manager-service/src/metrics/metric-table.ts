/** Description of a metric, for its registration and for the reference page. */
export interface MetricDescription {
  readonly name: `agent_manager_${string}`;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** A sentence, served with the metric. */
  readonly help: string;
}

/** The metrics of agent-manager, in the order of the reference page. */
export const METRICS = {
  requests: {
    name: 'agent_manager_requests_total',
    type: 'counter',
    labels: ['operation', 'transport', 'code'],
    help: 'Calls of operations over rest or mcp, by code: ok, or that of the refusal.',
  },
  requestDuration: {
    name: 'agent_manager_request_duration_seconds',
    type: 'histogram',
    labels: ['operation', 'transport'],
    help: 'Duration of calls of operations.',
  },
  httpResponses: {
    name: 'agent_manager_http_responses_total',
    type: 'counter',
    labels: ['status'],
    help: 'HTTP responses by status.',
  },
  httpRefusals: {
    name: 'agent_manager_http_refusals_total',
    type: 'counter',
    labels: ['transport', 'code'],
    help: 'Requests that reached no operation, by transport and reason: rest by status, mcp by code.',
  },
  mcpSessions: {
    name: 'agent_manager_mcp_sessions',
    type: 'gauge',
    labels: [],
    help: 'Open MCP sessions.',
  },
  storeReachable: {
    name: 'agent_manager_store_reachable',
    type: 'gauge',
    labels: [],
    help: '1 if the store of releases was reachable at this scrape, else 0.',
  },
  storeChanges: {
    name: 'agent_manager_store_changes_total',
    type: 'counter',
    labels: ['kind', 'change'],
    help: 'Observed changes of releases and sources in the managed namespaces: written, deleted.',
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;
