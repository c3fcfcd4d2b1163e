import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { collectProcessMetrics } from '@gateway/service-host';
import type { RecordCall, Transport } from '../operations/operation-call.ts';
import { METRICS, type MetricDescription } from './metric-table.ts';

/** The values that the metrics read at the time of a scrape. */
export interface MetricSources {
  readonly sessions: () => number;
  /** True when the store answers. Never rejects. */
  readonly storeReachable: () => Promise<boolean>;
}

/** The Prometheus metrics of agent-manager. Label values come from fixed sets; a caller cannot create new ones. */
export interface Metrics {
  readonly called: RecordCall;
  httpAnswered(status: number): void;
  httpRefused(transport: Transport, code: string): void;
  readonly storeChanged: (change: { readonly kind: string; readonly change: string }) => void;
  /** The metrics in the Prometheus text format, with its content type. */
  readonly scrape: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** The upper bounds of the latency buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics on their own registry. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectProcessMetrics({ collectDefaultMetrics, Gauge }, registry);
  const configOf = <Label extends string>({
    name,
    help,
    labels,
  }: Omit<MetricDescription, 'labels'> & { readonly labels: readonly Label[] }) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  const requests = new Counter(configOf(METRICS.requests));
  const durations = new Histogram({ ...configOf(METRICS.requestDuration), buckets: BOUNDS });
  const responses = new Counter(configOf(METRICS.httpResponses));
  const refusals = new Counter(configOf(METRICS.httpRefusals));
  const changes = new Counter(configOf(METRICS.storeChanges));
  registerGauge(configOf(METRICS.mcpSessions), sources.sessions);
  registerGauge(configOf(METRICS.storeReachable), async () =>
    Number(await sources.storeReachable()),
  );
  return {
    called: ({ name, transport }, code, seconds) => {
      requests.inc({ operation: name, transport, code });
      durations.observe({ operation: name, transport }, seconds);
    },
    httpAnswered: (status) => {
      responses.inc({ status });
    },
    httpRefused: (transport, code) => {
      refusals.inc({ transport, code });
    },
    storeChanged: ({ kind, change }) => {
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
