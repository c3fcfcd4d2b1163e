import { openLink, type LinkPort } from '@gateway/process-link';
import type { CollectedMetrics } from '../metrics/collected-metrics.ts';
import type { ScrapedMetrics } from '../metrics/metrics.ts';

/** The metrics of all processes, as a worker reads them in the primary process. */
export interface SharedMetricsContract {
  scrape(): Promise<ScrapedMetrics>;
}

/** The metrics of one worker, as the primary process reads them. */
export interface WorkerMetricsContract {
  collect(): Promise<CollectedMetrics>;
}

/** Milliseconds after which a scrape without an answer fails. */
const SCRAPE_TIMEOUT_MS = 5_000;

/** Sends the metrics of this worker to the primary process, and reads those of all processes there. */
export class WorkerMetrics {
  readonly #primary: SharedMetricsContract;
  #collect: () => Promise<CollectedMetrics> = () => Promise.resolve([]);

  constructor(port: LinkPort) {
    const implementation: WorkerMetricsContract = {
      collect: async () => (await this.#collect()).map(finiteOnly),
    };
    this.#primary = openLink<SharedMetricsContract>(port, { members: {}, implementation });
  }

  /** Sets the source of this worker's metrics. */
  collectWith(collect: () => Promise<CollectedMetrics>): void {
    this.#collect = collect;
  }

  /** Returns the metrics of all processes; rejects when the primary process does not answer in time. */
  async scrape(): Promise<ScrapedMetrics> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error('the primary process did not answer'));
      }, SCRAPE_TIMEOUT_MS);
    });
    try {
      return await Promise.race([this.#primary.scrape(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Removes values without a JSON form: a gauge without observations is NaN. */
function finiteOnly(metric: CollectedMetrics[number]): CollectedMetrics[number] {
  const values = metric.values.filter(({ value }) => Number.isFinite(value));
  return { ...metric, values };
}
