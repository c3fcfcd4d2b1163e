import type { ToolsetRefusalReason } from '@gateway/meta-tools';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** How a meta-tool call ended. */
export type CallVerdict = 'ok' | 'error_result' | 'failed';

/** What the metrics read at the moment of a scrape. */
export interface MetricSources {
  /** The number of tools of the catalog by kind. */
  readonly catalogSize: () => Readonly<Record<'tool' | 'workflow' | 'core', number>>;
  /** The state word of every server. */
  readonly serverStates: () => readonly { readonly name: string; readonly state: string }[];
  readonly sessions: () => number;
}

/** The gateway's Prometheus metrics. */
export interface Metrics {
  metaToolCalled(call: {
    readonly tool: string;
    readonly verdict: CallVerdict;
    readonly seconds: number;
  }): void;
  /** The answer of a meta-tool was refused because of the toolset. */
  readonly toolsetRefused: (reason: ToolsetRefusalReason) => void;
  /** The endpoint refused a request for one of its own reasons, such as a limit. */
  requestRefused(code: string): void;
  serverCalled(call: {
    readonly server: string;
    readonly ok: boolean;
    readonly seconds: number;
  }): void;
  httpAnswered(status: number): void;
  /** The metrics in the Prometheus text format, with its content type. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const LATENCY_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** Makes the metrics on a registry of their own. Label values are names of meta-tools and servers, never caller input. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  const latencies = createLatencies(registry);
  registerGauges(registry, sources);
  return {
    metaToolCalled: ({ tool, verdict, seconds }) => {
      counters.calls.inc({ tool, outcome: verdict });
      latencies.metaTool.observe({ tool }, seconds);
    },
    toolsetRefused: (reason) => {
      counters.refusals.inc({ reason });
    },
    requestRefused: (code) => {
      counters.httpRefusals.inc({ code });
    },
    serverCalled: ({ server, ok, seconds }) => {
      counters.serverCalls.inc({ server, outcome: ok ? 'ok' : 'failed' });
      latencies.server.observe({ server }, seconds);
    },
    httpAnswered: (status) => {
      counters.http.inc({ status });
    },
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function createCounters(registry: Registry) {
  const registers = [registry];
  return {
    calls: new Counter({
      name: 'gateway_meta_tool_calls_total',
      help: 'Meta-tool calls by outcome: ok, error_result, failed.',
      labelNames: ['tool', 'outcome'] as const,
      registers,
    }),
    refusals: new Counter({
      name: 'gateway_toolset_refusals_total',
      help: 'Answers of meta-tools refused because of the toolset, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    httpRefusals: new Counter({
      name: 'gateway_http_refusals_total',
      help: 'Requests that the endpoint refused, by reason.',
      labelNames: ['code'] as const,
      registers,
    }),
    serverCalls: new Counter({
      name: 'gateway_server_requests_total',
      help: 'Requests to downstream servers by outcome: ok, failed.',
      labelNames: ['server', 'outcome'] as const,
      registers,
    }),
    http: new Counter({
      name: 'gateway_http_responses_total',
      help: 'HTTP responses by status.',
      labelNames: ['status'] as const,
      registers,
    }),
  };
}

function createLatencies(registry: Registry) {
  const registers = [registry];
  return {
    metaTool: new Histogram({
      name: 'gateway_meta_tool_duration_seconds',
      help: 'Duration of meta-tool calls.',
      labelNames: ['tool'] as const,
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    server: new Histogram({
      name: 'gateway_server_request_duration_seconds',
      help: 'Duration of requests to downstream servers.',
      labelNames: ['server'] as const,
      buckets: LATENCY_BUCKETS,
      registers,
    }),
  };
}

function registerGauges(registry: Registry, sources: MetricSources): void {
  const registers = [registry];
  new Gauge({
    name: 'gateway_catalog_tools',
    help: 'Tools of the catalog by kind.',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const [kind, count] of Object.entries(sources.catalogSize())) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'gateway_server_state',
    help: 'One series for each downstream server with its current state; the value is always 1.',
    labelNames: ['server', 'state'] as const,
    registers,
    collect() {
      this.reset();
      for (const { name, state } of sources.serverStates()) this.set({ server: name, state }, 1);
    },
  });
  new Gauge({
    name: 'gateway_sessions',
    help: 'Open MCP sessions.',
    registers,
    collect() {
      this.set(sources.sessions());
    },
  });
}
