import type { CallerSignInFact, TokenVerification } from '@gateway/caller-auth';
import type { ServerSignInFact } from '@gateway/downstream-auth';
import { type StepCounts, type WorkflowEngine, countSteps } from '@gateway/workflow-engine';
import type { ToolsetRefusalReason } from '@gateway/meta-tools';
import {
  Counter,
  Gauge,
  Registry,
  collectDefaultMetrics,
  type CounterConfiguration,
  Histogram,
} from 'prom-client';
import { EVENT_LOOP_INTERVAL_MS } from '@gateway/service-host';
import {
  type CallTimer,
  type ExistingResources,
  listNames,
  registerCalls,
  registerResponses,
} from './call-metrics.ts';
import { METRICS, toMetricConfig } from './metric-table.ts';
import type { EventSink } from '@gateway/events';
import type { ExecutionRecord } from '@gateway/crd-schemas';

/** The values of a server that the gauges show. */
interface GaugedServer {
  readonly name: string;
  readonly state: string;
  readonly health: string;
  readonly status: { readonly restartCount: number; readonly consecutiveFailures: number };
  readonly toolChanges?: readonly unknown[];
  /** Absent when the server is not connected. */
  readonly connectionId?: number;
  /** Absent for a server with one process for all clients. */
  readonly instances?: number;
}

/** Registers gauges that a scrape reads from the servers. */
function registerServerGauges(registry: Registry, servers: () => readonly GaugedServer[]): void {
  const gauge = <Label extends string>(
    metric: Parameters<typeof toMetricConfig<Label>>[1],
    show: (gauge: Gauge<Label>, server: GaugedServer) => void,
  ): void => {
    new Gauge<Label>({
      ...toMetricConfig(registry, metric),
      collect() {
        this.reset();
        for (const server of servers()) show(this, server);
      },
    });
  };
  gauge(METRICS.serverState, (state, { name, state: value }) => {
    state.set({ server: name, state: value }, 1);
  });
  gauge(METRICS.serverHealth, (health, { name, health: value }) => {
    health.set({ server: name, health: value }, 1);
  });
  gauge(METRICS.serverRestarts, (restarts, { name, status }) => {
    restarts.set({ server: name }, status.restartCount);
  });
  gauge(METRICS.serverFailures, (failures, { name, status }) => {
    failures.set({ server: name }, status.consecutiveFailures);
  });
  gauge(METRICS.serverToolChanges, (changes, { name, toolChanges = [] }) => {
    changes.set({ server: name }, toolChanges.length);
  });
  gauge(METRICS.serverConnections, (connections, { name, connectionId }) => {
    connections.set({ server: name }, connectionId === undefined ? 0 : 1);
  });
  gauge(METRICS.serverInstances, (instances, { name, instances: count }) => {
    if (count !== undefined) instances.set({ server: name }, count);
  });
}

/** Values that a scrape reads. */
interface MetricSources {
  /** Returns the number of tools of the catalog by kind. */
  readonly catalogSize: () => Readonly<Record<'tool' | 'workflow' | 'core', number>>;
  readonly servers: () => readonly GaugedServer[];
  /** Returns the number of open connections of users by server. */
  readonly userConnections: () => ReadonlyMap<string, number>;
  readonly workflows: ExistingResources['workflows'];
  readonly sessions: () => number;
  /** Returns the number of calls that wait for other calls of their caller. */
  readonly queuedCalls: () => number;
  /** Returns the servers with the number of requests that wait for them, and of breakers that are not closed. */
  readonly serverLoads: () => Iterable<
    readonly [string, { readonly queued: number; readonly openBreakers: number }]
  >;
}

/** The gateway's Prometheus metrics. */
export interface GatewayMetrics extends SignInMetrics {
  /** Counts an event. */
  readonly eventSeen: (reason: string) => void;
  /** Counts records of the audit log that were not written. */
  readonly auditRecordsLost: (records: number) => void;
  /** Counts a tool whose `readOnlyHint` changed to true. */
  readonly hintWidened: (widened: { readonly server: string; readonly held: boolean }) => void;
  /** Returns the timer of a meta-tool. */
  readonly metaToolTimer: (tool: string) => CallTimer;
  /** Returns the timer of a method of the native surface. */
  readonly nativeTimer: (method: string) => CallTimer;
  /** Counts a meta-tool call that was refused because of the toolset. */
  readonly toolsetRefused: (reason: ToolsetRefusalReason) => void;
  /** Counts a request of a user to sign in to a server. */
  readonly signInSeen: (result: string) => void;
  /** Counts a request that the endpoint refused, for example because of a limit. */
  readonly requestRefused: (code: string) => void;
  /** Returns the timer of the requests to a downstream server. */
  readonly serverTimer: (server: string) => CallTimer;
  /** Counts a request that a limit of a server refused. */
  readonly serverRefused: (refusal: {
    readonly server: string;
    readonly code: `server.${string}`;
  }) => void;
  /** Counts an HTTP response. */
  readonly httpAnswered: (response: { readonly status: number | undefined }) => void;
  /** Returns the timer of the runs of a workflow. */
  readonly workflowTimer: (workflow: string) => CallTimer<RunVerdict>;
  /** Counts the steps of a finished run by status. */
  readonly workflowSteps: (counts: StepCounts) => void;
  /** Returns the metrics in the Prometheus text format. */
  readonly scrape: () => Promise<ScrapedMetrics>;
}

/** The outcome of a workflow run. */
type RunVerdict = 'completed' | 'failed';

/** Metrics in the Prometheus text format, with the content type. */
interface ScrapedMetrics {
  readonly contentType: string;
  readonly text: string;
}

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

/** Callers can create workflows, so the number of names is limited. */
const WORKFLOW_RUNS = {
  label: 'workflow',
  maxNames: 500,
  calls: METRICS.workflowRuns,
  duration: METRICS.workflowDuration,
};

/** Creates the metrics in a new registry. Label values are names of meta-tools, servers and workflows, never input of callers. */
export function createMetrics(sources: MetricSources): GatewayMetrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_INTERVAL_MS,
  });
  const counters = createCounters(registry);
  const widenings = new NamedCounts(toMetricConfig(registry, METRICS.hintWidenings), 'held', () =>
    listNames(sources.servers()),
  );
  const refusals = new NamedCounts(toMetricConfig(registry, METRICS.serverRefusals), 'reason', () =>
    listNames(sources.servers()),
  );
  registerGauges(registry, sources);
  return {
    ...registerSignInMetrics(registry, sources),
    auditRecordsLost: (records) => {
      counters.auditRecordsLost.inc(records);
    },
    eventSeen: (reason) => {
      counters.events.inc({ reason });
    },
    hintWidened: ({ server, held }) => {
      widenings.add(server, String(held));
    },
    metaToolTimer: registerCalls(registry, META_TOOL_CALLS),
    nativeTimer: registerCalls(registry, NATIVE_CALLS),
    serverTimer: registerCalls(registry, {
      ...SERVER_REQUESTS,
      existing: () => listNames(sources.servers()),
    }),
    signInSeen: (result) => {
      counters.signIns.inc({ result });
    },
    toolsetRefused: (reason) => {
      counters.refusals.inc({ reason });
    },
    requestRefused: (code) => {
      counters.httpRefusals.inc({ code });
    },
    serverRefused: ({ server, code }) => {
      refusals.add(server, code.slice('server.'.length));
    },
    httpAnswered: registerResponses(registry),
    workflowTimer: registerCalls<RunVerdict>(registry, {
      ...WORKFLOW_RUNS,
      existing: () => listNames(sources.workflows()),
    }),
    workflowSteps: (counts) => {
      for (const [status, count] of Object.entries(counts))
        if (count > 0) counters.steps.inc({ status }, count);
    },
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function createCounters(registry: Registry) {
  return {
    signIns: new Counter(toMetricConfig(registry, METRICS.signIns)),
    refusals: new Counter(toMetricConfig(registry, METRICS.toolsetRefusals)),
    httpRefusals: new Counter(toMetricConfig(registry, METRICS.httpRefusals)),
    steps: new Counter(toMetricConfig(registry, METRICS.workflowSteps)),
    events: new Counter(toMetricConfig(registry, METRICS.events)),
    auditRecordsLost: new Counter(toMetricConfig(registry, METRICS.auditRecordsLost)),
  };
}

function registerGauges(registry: Registry, sources: MetricSources): void {
  new Gauge({
    ...toMetricConfig(registry, METRICS.catalogTools),
    collect() {
      for (const [kind, count] of Object.entries(sources.catalogSize())) this.set({ kind }, count);
    },
  });
  registerServerGauges(registry, sources.servers);
  new Gauge({
    ...toMetricConfig(registry, METRICS.sessions),
    collect() {
      this.set(sources.sessions());
    },
  });
  new Gauge({
    ...toMetricConfig(registry, METRICS.queuedCalls),
    collect() {
      this.set(sources.queuedCalls());
    },
  });
  new Gauge({
    ...toMetricConfig(registry, METRICS.queuedServerRequests),
    collect() {
      this.reset();
      for (const [server, { queued }] of sources.serverLoads()) this.set({ server }, queued);
    },
  });
  new Gauge({
    ...toMetricConfig(registry, METRICS.openBreakers),
    collect() {
      this.reset();
      for (const [server, { openBreakers }] of sources.serverLoads())
        this.set({ server }, openBreakers);
    },
  });
}

/** Counts the events of this process by reason. Other replicas count theirs. */
export function measureEvents<Recorder extends { readonly emit: EventSink }>(
  recorder: Recorder,
  { eventSeen }: Pick<GatewayMetrics, 'eventSeen'>,
): Recorder {
  const emit: EventSink = (event) => {
    eventSeen(event.reason);
    recorder.emit(event);
  };
  return { ...recorder, emit };
}

/** Counts and times the runs of workflows. */
export const measureEngine = (
  engine: WorkflowEngine,
  { workflowTimer }: Pick<GatewayMetrics, 'workflowTimer'>,
): WorkflowEngine => ({
  run: async (workflow, args, options) => {
    const start = performance.now();
    const result = await engine.run(workflow, args, options);
    const outcome = result['isError'] === true ? 'failed' : 'completed';
    workflowTimer(workflow.metadata.name).finished(start, outcome);
    return result;
  },
});

/** Counts the steps of a run that has ended. */
export const measureRecords =
  (
    record: (run: ExecutionRecord) => void | Promise<void>,
    { workflowSteps }: Pick<GatewayMetrics, 'workflowSteps'>,
  ): ((run: ExecutionRecord) => void | Promise<void>) =>
  (run) => {
    if (run.status !== 'inprogress') workflowSteps(countSteps(run));
    return record(run);
  };

/** A counter by server and another label. The series of deleted servers are removed at each scrape. */
class NamedCounts<Label extends string> {
  readonly #byServer = new Map<string, Map<string, number>>();

  /** @param existing returns the names of the servers that exist */
  constructor(
    config: CounterConfiguration<'server' | Label>,
    label: Label,
    existing: () => ReadonlySet<string>,
  ) {
    const byServer = this.#byServer;
    new Counter({
      ...config,
      collect() {
        const names = existing();
        this.reset();
        for (const [server, counts] of byServer) {
          if (!names.has(server)) byServer.delete(server);
          else
            for (const [value, count] of counts)
              this.inc({ server, [label]: value } as Record<'server' | Label, string>, count);
        }
      },
    });
  }

  add(server: string, value: string): void {
    const counts = this.#byServer.get(server) ?? new Map<string, number>();
    counts.set(value, (counts.get(value) ?? 0) + 1);
    this.#byServer.set(server, counts);
  }
}

/** Counters and durations of sign-in. No label names a user, a client or a text of a peer. */
export interface SignInMetrics {
  /** Counts a fact about the sign-in of a user to a server. */
  readonly serverSignInSeen: (fact: ServerSignInFact) => void;
  /** Counts a fact about a sign-in at the gateway. */
  readonly callerSignInSeen: (fact: CallerSignInFact) => void;
  /** Records the verification of an access token. */
  readonly tokenVerified: (verification: TokenVerification) => void;
}

/** The values that the metrics of sign-in read. */
interface SignInSources {
  readonly servers: () => readonly { readonly name: string }[];
  /** Returns the number of open connections of users by server, of this process. */
  readonly userConnections: () => ReadonlyMap<string, number>;
}

/** A verification takes microseconds with a key in memory, and a request to the issuer otherwise. In seconds. */
const BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Registers the metrics of sign-in. The series of deleted servers are removed. */
function registerSignInMetrics(registry: Registry, sources: SignInSources): SignInMetrics {
  const existing = () => listNames(sources.servers());
  const refreshes = new NamedCounts(
    toMetricConfig(registry, METRICS.tokenRefreshes),
    'outcome',
    existing,
  );
  const exchanges = new NamedCounts(
    toMetricConfig(registry, METRICS.tokenExchanges),
    'outcome',
    existing,
  );
  const callers = new Counter(toMetricConfig(registry, METRICS.callerSignIns));
  const verifications = new Histogram({
    ...toMetricConfig(registry, METRICS.tokenVerificationDuration),
    buckets: BUCKETS,
  });
  registerConnections(registry, sources);
  return {
    serverSignInSeen: (fact) => {
      const refresh = toRefreshOutcome(fact);
      if (refresh !== undefined) refreshes.add(fact.server, refresh);
      if (fact.code === 'exchanged') exchanges.add(fact.server, 'ok');
      if (fact.code === 'exchange-failed') exchanges.add(fact.server, 'failed');
    },
    callerSignInSeen: (fact) => {
      // An outage is an event; the sign-ins that fail meanwhile are counted.
      if (fact.code === 'provider-unavailable') return;
      callers.inc({ result: fact.code === 'sign-in-failed' ? fact.problem : fact.code });
    },
    tokenVerified: ({ durationMs, outcome }) => {
      verifications.observe({ outcome: toVerdict(outcome) }, durationMs / 1000);
    },
  };
}

function registerConnections(registry: Registry, { userConnections }: SignInSources): void {
  new Gauge({
    ...toMetricConfig(registry, METRICS.userConnections),
    collect() {
      this.reset();
      for (const [server, count] of userConnections()) this.set({ server }, count);
    },
  });
}

const toRefreshOutcome = (fact: ServerSignInFact): 'ok' | 'refused' | 'unavailable' | undefined => {
  if (fact.code === 'refreshed') return 'ok';
  if (fact.code === 'refresh-refused') return 'refused';
  return fact.code === 'provider-unavailable' && fact.during === 'refresh'
    ? 'unavailable'
    : undefined;
};

const toVerdict = (outcome: TokenVerification['outcome']): 'ok' | 'refused' | 'unavailable' =>
  outcome === 'ok' || outcome === 'unavailable' ? outcome : 'refused';
