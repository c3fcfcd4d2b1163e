import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { metricConfig } from '../metrics/metric-config.ts';
import { METRICS } from '../metrics/metric-table.ts';
import { registerOwnerMetrics, type OwnerMetrics } from '../metrics/owner-metrics.ts';
import { SERVER_GAUGES } from '../metrics/server-gauges.ts';
import type { CollectedMetrics, ScrapedMetrics } from '../metrics/metrics.ts';
import type { TopicPort } from './channel.ts';

/** What a worker is asked, and asks, about metrics. */
export type MetricsMessage =
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'collected'; readonly id: number; readonly metrics: CollectedMetrics }
  | { readonly kind: 'scrape'; readonly id: number }
  | { readonly kind: 'scraped'; readonly id: number; readonly answer: ScrapedMetrics };

/** A worker that does not answer in time counts with its last figures. */
const COLLECT_MS = 1_000;

/** Every process knows them, so one of them is asked. */
const KNOWN_TO_ALL: ReadonlySet<string> = new Set(
  [METRICS.catalogTools, ...SERVER_GAUGES].map(({ name }) => name),
);

/** Figures that only grow stay in the sum when their worker is gone. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

interface Member {
  readonly port: TopicPort;
  readonly waiting: Map<number, (metrics: CollectedMetrics) => void>;
  last: CollectedMetrics;
}

/** The metrics of all workers and of the primary as one. */
export class SharedMetrics {
  readonly #registry = new Registry();
  readonly #members = new Set<Member>();
  readonly #replaced: Counter;
  /** What this process counts itself. */
  readonly owner: OwnerMetrics;
  #departed = Promise.resolve<CollectedMetrics>([]);
  #nextId = 1;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    this.owner = registerOwnerMetrics(this.#registry);
    this.#replaced = new Counter(metricConfig(this.#registry, METRICS.workerReplacements));
    const members = this.#members;
    new Gauge({
      ...metricConfig(this.#registry, METRICS.workers),
      collect() {
        this.set(members.size);
      },
    });
  }

  /** A worker was replaced. */
  replaced(): void {
    this.#replaced.inc();
  }

  /** Counts a worker in until its channel closes, and answers its scrapes. */
  add(port: TopicPort): void {
    const member: Member = { port, waiting: new Map(), last: [] };
    this.#members.add(member);
    port.onMessage((message) => {
      const known = message as MetricsMessage;
      if (known.kind === 'collected') {
        member.last = known.metrics;
        member.waiting.get(known.id)?.(known.metrics);
      }
      if (known.kind === 'scrape') void this.#answer(member, known.id);
    });
    port.onClose(() => {
      this.#members.delete(member);
      const growing = member.last.filter(({ type }) => GROWING.has(type));
      this.#departed = this.#departed.then((before) => sumOf([before, growing]));
      for (const settle of [...member.waiting.values()]) settle(member.last);
    });
  }

  async #answer(asking: Member, id: number): Promise<void> {
    const others = [...this.#members].filter((member) => member !== asking);
    const [own, first, ...rest] = await Promise.all([
      this.#registry.getMetricsAsJSON(),
      ...[asking, ...others].map((member) => this.#collect(member)),
    ]);
    const parts = [own, first ?? [], ...rest.map(withoutCommon), await this.#departed];
    const registry = AggregatorRegistry.aggregate(parts);
    const text = await registry.metrics();
    const answer = { contentType: registry.contentType, text };
    const message: MetricsMessage = { kind: 'scraped', id, answer };
    asking.port.send(message);
  }

  #collect(member: Member): Promise<CollectedMetrics> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const settle = (metrics: CollectedMetrics): void => {
        clearTimeout(timer);
        member.waiting.delete(id);
        resolve(metrics);
      };
      const timer = setTimeout(() => {
        settle(member.last);
      }, COLLECT_MS);
      member.waiting.set(id, settle);
      const message: MetricsMessage = { kind: 'collect', id };
      member.port.send(message);
    });
  }
}

function withoutCommon(metrics: CollectedMetrics): CollectedMetrics {
  return metrics.filter(({ name }) => !KNOWN_TO_ALL.has(name));
}

function sumOf(parts: readonly CollectedMetrics[]): Promise<CollectedMetrics> {
  return AggregatorRegistry.aggregate([...parts]).getMetricsAsJSON();
}
