import type { StepCounts } from '@gateway/workflow-engine';
import type { ToolsetRefusalReason } from '@gateway/meta-tools';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { registerCalls, type CallTimer } from './call-metrics.ts';

export type { CallTimer, CallVerdict } from './call-metrics.ts';

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
  /** Counts and times the calls of a meta-tool. */
  readonly metaToolTimer: (tool: string) => CallTimer;
  /** Counts and times the calls of a method of the native surface. */
  readonly nativeTimer: (method: string) => CallTimer;
  /** The answer of a meta-tool was refused because of the toolset. */
  readonly toolsetRefused: (reason: ToolsetRefusalReason) => void;
  /** The endpoint refused a request for one of its own reasons, such as a limit. */
  requestRefused(code: string): void;
  /** Counts and times the requests to a downstream server; a bad answer of a server is one too. */
  readonly serverTimer: (server: string) => CallTimer;
  httpAnswered(status: number): void;
  /** Counts and times the runs of a workflow. */
  readonly workflowTimer: (workflow: string) => CallTimer<RunVerdict>;
  /** So many steps of a run ended so. */
  workflowSteps(counts: StepCounts): void;
  /** The metrics in the Prometheus text format, with its content type. */
  readonly scrape: () => Promise<ScrapedMetrics>;
  /** The metrics as data, to be added to those of other processes. */
  readonly collect: () => Promise<CollectedMetrics>;
}

/** How a run of a workflow ended. */
export type RunVerdict = 'completed' | 'failed';

/** Metrics as a scrape answers them. */
export interface ScrapedMetrics {
  readonly contentType: string;
  readonly text: string;
}

/** Metrics of one process as plain data. */
export type CollectedMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

const META_TOOL_CALLS = {
  label: 'tool',
  calls: {
    name: 'gateway_meta_tool_calls_total',
    help: 'Meta-tool calls by outcome: ok, error_result, failed.',
  },
  duration: { name: 'gateway_meta_tool_duration_seconds', help: 'Duration of meta-tool calls.' },
};

const NATIVE_CALLS = {
  label: 'method',
  calls: {
    name: 'gateway_native_calls_total',
    help: 'Calls of the native surface by outcome: ok, error_result, failed.',
  },
  duration: {
    name: 'gateway_native_call_duration_seconds',
    help: 'Duration of calls of the native surface.',
  },
};

const SERVER_REQUESTS = {
  label: 'server',
  calls: {
    name: 'gateway_server_requests_total',
    help: 'Requests to downstream servers by outcome: ok, failed.',
  },
  duration: {
    name: 'gateway_server_request_duration_seconds',
    help: 'Duration of requests to downstream servers.',
  },
};

/** Callers may create workflows, so their names are told apart up to a bound. */
const WORKFLOW_RUNS = {
  label: 'workflow',
  maxNames: 500,
  calls: {
    name: 'gateway_workflow_runs_total',
    help: 'Runs of workflows by outcome: completed, failed.',
  },
  duration: { name: 'gateway_workflow_duration_seconds', help: 'Duration of runs of workflows.' },
};

/** Makes the metrics on a registry of their own. Label values are names of meta-tools, servers and workflows, never caller input. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  const statuses = registerStatuses(registry);
  registerGauges(registry, sources);
  return {
    metaToolTimer: registerCalls(registry, META_TOOL_CALLS),
    nativeTimer: registerCalls(registry, NATIVE_CALLS),
    serverTimer: registerCalls(registry, SERVER_REQUESTS),
    toolsetRefused: (reason) => {
      counters.refusals.inc({ reason });
    },
    requestRefused: (code) => {
      counters.httpRefusals.inc({ code });
    },
    httpAnswered: (status) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    workflowTimer: registerCalls<RunVerdict>(registry, WORKFLOW_RUNS),
    workflowSteps: (counts) => {
      for (const [status, count] of Object.entries(counts))
        if (count > 0) counters.steps.inc({ status }, count);
    },
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    collect: () => registry.getMetricsAsJSON(),
  };
}

function createCounters(registry: Registry) {
  const registers = [registry];
  return {
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
    steps: new Counter({
      name: 'gateway_workflow_steps_total',
      help: 'Steps of workflows by status: completed, failed, skipped.',
      labelNames: ['status'] as const,
      registers,
    }),
  };
}

/** Counts per status in plain numbers: every response adds to them. */
function registerStatuses(registry: Registry): Map<number, number> {
  const statuses = new Map<number, number>();
  new Counter({
    name: 'gateway_http_responses_total',
    help: 'HTTP responses by status.',
    labelNames: ['status'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [status, count] of statuses) this.inc({ status }, count);
    },
  });
  return statuses;
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
