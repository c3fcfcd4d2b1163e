import type { StepCounts } from '@gateway/workflow-engine';
import type { ToolsetRefusalReason } from '@gateway/meta-tools';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { registerCalls, type CallTimer } from './call-metrics.ts';
import { metricConfig } from './metric-config.ts';
import { METRICS } from './metric-table.ts';
import { registerOwnerMetrics, type OwnerMetrics } from './owner-metrics.ts';
import { registerServerGauges, type GaugedServer } from './server-gauges.ts';

export type { CallTimer, CallVerdict } from './call-metrics.ts';

/** What the metrics read at the moment of a scrape. */
export interface MetricSources {
  /** The number of tools of the catalog by kind. */
  readonly catalogSize: () => Readonly<Record<'tool' | 'workflow' | 'core', number>>;
  readonly servers: () => readonly GaugedServer[];
  readonly sessions: () => number;
}

/** The gateway's Prometheus metrics. */
export interface Metrics extends OwnerMetrics {
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
  calls: METRICS.metaToolCalls,
  duration: METRICS.metaToolDuration,
};

const NATIVE_CALLS = {
  label: 'method',
  calls: METRICS.nativeCalls,
  duration: METRICS.nativeDuration,
};

const SERVER_REQUESTS = {
  label: 'server',
  calls: METRICS.serverRequests,
  duration: METRICS.serverRequestDuration,
};

/** Callers may create workflows, so their names are told apart up to a bound. */
const WORKFLOW_RUNS = {
  label: 'workflow',
  maxNames: 500,
  calls: METRICS.workflowRuns,
  duration: METRICS.workflowDuration,
};

/** Makes the metrics on a registry of their own. Label values are names of meta-tools, servers and workflows, never caller input. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  const statuses = registerStatuses(registry);
  registerGauges(registry, sources);
  return {
    ...registerOwnerMetrics(registry),
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
  return {
    refusals: new Counter(metricConfig(registry, METRICS.toolsetRefusals)),
    httpRefusals: new Counter(metricConfig(registry, METRICS.httpRefusals)),
    steps: new Counter(metricConfig(registry, METRICS.workflowSteps)),
  };
}

/** Counts per status in plain numbers: every response adds to them. */
function registerStatuses(registry: Registry): Map<number, number> {
  const statuses = new Map<number, number>();
  new Counter({
    ...metricConfig(registry, METRICS.httpResponses),
    collect() {
      this.reset();
      for (const [status, count] of statuses) this.inc({ status }, count);
    },
  });
  return statuses;
}

function registerGauges(registry: Registry, sources: MetricSources): void {
  new Gauge({
    ...metricConfig(registry, METRICS.catalogTools),
    collect() {
      for (const [kind, count] of Object.entries(sources.catalogSize())) this.set({ kind }, count);
    },
  });
  registerServerGauges(registry, sources.servers);
  new Gauge({
    ...metricConfig(registry, METRICS.sessions),
    collect() {
      this.set(sources.sessions());
    },
  });
}
