import { openLink, type LinkPort } from '@gateway/process-link';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { collectProcessMetrics } from '@gateway/service-host';
import { withoutDeleted, type ExistingResources } from '../metrics/existing-names.ts';
import { metricConfig } from '../metrics/metric-config.ts';
import { METRICS } from '../metrics/metric-table.ts';
import { registerOwnerMetrics, type OwnerMetrics } from '../metrics/owner-metrics.ts';
import type { SignInSources } from '../metrics/sign-in-metrics.ts';
import { SERVER_GAUGES } from '../metrics/server-gauges.ts';
import type { CollectedMetrics } from '../metrics/collected-metrics.ts';
import type { ScrapedMetrics } from '../metrics/metrics.ts';
import type { SharedMetricsContract, WorkerMetricsContract } from './worker-metrics.ts';

/** Milliseconds after which the last metrics of a worker count instead of an answer. */
const COLLECT_TIMEOUT_MS = 1_000;

/** Metrics that are equal in all processes. One process reports them. */
const COMMON_METRICS: ReadonlySet<string> = new Set(
  [METRICS.catalogTools, ...SERVER_GAUGES].map(({ name }) => name),
);

/** Types of metrics that never decrease. They stay in the sum after their worker has ended. */
const CUMULATIVE: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

interface Member {
  readonly worker: WorkerMetricsContract;
  last: CollectedMetrics;
}

/** The sum of the metrics of all workers and of the primary process. */
export class SharedMetrics {
  readonly #registry = new Registry();
  readonly #members = new Set<Member>();
  readonly #replaced: Counter;
  readonly #existing: ExistingResources;
  /** The metrics of this process. */
  readonly owner: OwnerMetrics;
  #departed = Promise.resolve<CollectedMetrics>([]);

  constructor(existing: ExistingResources & SignInSources) {
    this.#existing = existing;
    collectProcessMetrics({ collectDefaultMetrics, Gauge }, this.#registry);
    this.owner = registerOwnerMetrics(this.#registry, existing);
    this.#replaced = new Counter(metricConfig(this.#registry, METRICS.workerReplacements));
    const members = this.#members;
    new Gauge({
      ...metricConfig(this.#registry, METRICS.workers),
      collect() {
        this.set(members.size);
      },
    });
  }

  /** Counts a replaced worker. */
  replaced(): void {
    this.#replaced.inc();
  }

  /** Adds a worker until its channel closes, and answers its scrapes. */
  add(port: LinkPort): void {
    const implementation: SharedMetricsContract = { scrape: () => this.#scrape([member]) };
    const worker = openLink<WorkerMetricsContract>(port, { members: {}, implementation });
    const member: Member = { worker, last: [] };
    this.#members.add(member);
    port.onClose(() => {
      this.#members.delete(member);
      const cumulative = member.last.filter(({ type }) => CUMULATIVE.has(type));
      this.#departed = this.#departed.then(async (before) =>
        withoutDeleted(await sumOf([before, cumulative]), this.#existing),
      );
    });
  }

  /** Returns the metrics of all processes. */
  scrape(): Promise<ScrapedMetrics> {
    return this.#scrape([]);
  }

  async #scrape(firstMembers: readonly Member[]): Promise<ScrapedMetrics> {
    const others = [...this.#members].filter((member) => !firstMembers.includes(member));
    const [own, first, ...rest] = await Promise.all([
      this.#registry.getMetricsAsJSON(),
      ...[...firstMembers, ...others].map(collect),
    ]);
    const parts = [own, first ?? [], ...rest.map(withoutCommon), await this.#departed];
    const registry = AggregatorRegistry.aggregate(
      parts.map((part) => withoutDeleted(part, this.#existing)),
    );
    return { contentType: registry.contentType, text: await registry.metrics() };
  }
}

/** Returns the metrics of a worker, or its last metrics when it does not answer in time. */
async function collect(member: Member): Promise<CollectedMetrics> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, COLLECT_TIMEOUT_MS);
  });
  const answer = member.worker.collect().catch(() => undefined);
  // An answer that comes too late still replaces the last metrics.
  const stored = answer.then((metrics) => (member.last = metrics ?? member.last));
  await Promise.race([stored, timeout]);
  clearTimeout(timer);
  return member.last;
}

function withoutCommon(metrics: CollectedMetrics): CollectedMetrics {
  return metrics.filter(({ name }) => !COMMON_METRICS.has(name));
}

function sumOf(parts: readonly CollectedMetrics[]): Promise<CollectedMetrics> {
  return AggregatorRegistry.aggregate([...parts]).getMetricsAsJSON();
}
