import type { CollectedMetrics, ScrapedMetrics } from '../metrics/metrics.ts';
import type { TopicPort } from './channel.ts';
import type { MetricsMessage } from './shared-metrics.ts';

/** A scrape that the primary leaves without an answer fails after so many milliseconds. */
const SCRAPE_MS = 5_000;

/** A worker's part of the shared metrics: it has its scrapes answered for all, and tells its own figures when asked. */
export class WorkerMetrics {
  readonly #port: TopicPort;
  readonly #scrapes = new Map<number, (answer: ScrapedMetrics) => void>();
  #collect: () => Promise<CollectedMetrics> = () => Promise.resolve([]);
  #nextId = 1;

  constructor(port: TopicPort) {
    this.#port = port;
    port.onMessage((message) => {
      const known = message as MetricsMessage;
      if (known.kind === 'collect') void this.#tell(known.id);
      if (known.kind === 'scraped') this.#scrapes.get(known.id)?.(known.answer);
    });
  }

  /** Names where this process's own figures come from. */
  collectWith(collect: () => Promise<CollectedMetrics>): void {
    this.#collect = collect;
  }

  /** The metrics of all processes; rejects when the primary does not answer. */
  scrape(): Promise<ScrapedMetrics> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#scrapes.delete(id);
        reject(new Error('the primary process did not answer'));
      }, SCRAPE_MS);
      this.#scrapes.set(id, (answer) => {
        clearTimeout(timer);
        this.#scrapes.delete(id);
        resolve(answer);
      });
      this.#send({ kind: 'scrape', id });
    });
  }

  async #tell(id: number): Promise<void> {
    this.#send({ kind: 'collected', id, metrics: await this.#collect() });
  }

  #send(message: MetricsMessage): void {
    this.#port.send(message);
  }
}
