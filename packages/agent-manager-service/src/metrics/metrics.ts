import { EVENT_LOOP_INTERVAL_MS } from '@gateway/service-host';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RecordCall, Transport } from '../operations/run-operation.ts';

/** Description of a metric, for its registration and for the reference page. */
export interface ServiceMetric {
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
} as const satisfies Readonly<Record<string, ServiceMetric>>;

/** The values that the metrics read at the time of a scrape. */
interface MetricSources {
  readonly sessions: () => number;
  /** True when the store answers. Never rejects. */
  readonly storeReachable: () => Promise<boolean>;
}

/** The Prometheus metrics of agent-manager. Label values come from fixed sets; a caller cannot add values. */
export interface ServiceMetrics {
  readonly recordCall: RecordCall;
  recordAnswer(status: number): void;
  recordRefusal(transport: Transport, code: string): void;
  readonly recordChange: (change: { readonly kind: string; readonly change: string }) => void;
  /** The metrics in the Prometheus text format, with its content type. */
  readonly scrape: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** The upper bounds of the latency buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics on their own registry. */
export function createMetrics(sources: MetricSources): ServiceMetrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_INTERVAL_MS,
  });
  const toCollectorConfig = <Label extends string>({
    name,
    help,
    labels,
  }: Omit<ServiceMetric, 'labels'> & { readonly labels: readonly Label[] }) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  const requests = new Counter(toCollectorConfig(METRICS.requests));
  const durations = new Histogram({
    ...toCollectorConfig(METRICS.requestDuration),
    buckets: BOUNDS,
  });
  const responses = new Counter(toCollectorConfig(METRICS.httpResponses));
  const refusals = new Counter(toCollectorConfig(METRICS.httpRefusals));
  const changes = new Counter(toCollectorConfig(METRICS.storeChanges));
  registerGauge(toCollectorConfig(METRICS.mcpSessions), sources.sessions);
  registerGauge(toCollectorConfig(METRICS.storeReachable), async () =>
    Number(await sources.storeReachable()),
  );
  return {
    recordCall: ({ name, transport }, code, seconds) => {
      requests.inc({ operation: name, transport, code });
      durations.observe({ operation: name, transport }, seconds);
    },
    recordAnswer: (status) => {
      responses.inc({ status });
    },
    recordRefusal: (transport, code) => {
      refusals.inc({ transport, code });
    },
    recordChange: ({ kind, change }) => {
      changes.inc({ kind, change });
    },
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function registerGauge(
  config: { name: string; help: string; registers: Registry[] },
  value: () => number | Promise<number>,
): void {
  new Gauge({
    name: config.name,
    help: config.help,
    registers: config.registers,
    async collect() {
      this.set(await value());
    },
  });
}
