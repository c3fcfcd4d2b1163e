/** What is written down about a metric, for those who register it and for the reference page. */
export interface MetricDescription {
  readonly name: `agent_manager_${string}`;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** A sentence, served with the metric. */
  readonly help: string;
}

/** Every metric of agent-manager's own, in the order of the reference page. */
export const METRICS = {
  requests: {
    name: 'agent_manager_requests_total',
    type: 'counter',
    labels: ['operation', 'face', 'code'],
    help: 'Calls of operations over rest or mcp, by code: ok, or that of the refusal.',
  },
  requestDuration: {
    name: 'agent_manager_request_duration_seconds',
    type: 'histogram',
    labels: ['operation', 'face'],
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
    labels: ['face', 'code'],
    help: 'Requests that reached no operation, by face and reason: rest by status, mcp by a word.',
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
    help: 'Whether the releases could be reached at this scrape: 1 or 0.',
  },
  storeChanges: {
    name: 'agent_manager_store_changes_total',
    type: 'counter',
    labels: ['kind', 'change'],
    help: 'Changes of releases and sources seen in the managed namespaces, by whomever: written, deleted.',
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;
