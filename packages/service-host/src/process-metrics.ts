import type { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { measureLoopDelays, type LoopDelays } from './event-loop-delay.ts';

/** The parts of `prom-client` that the caller passes, so that a program without metrics does not load them. */
export interface MetricsLibrary {
  readonly collectDefaultMetrics: typeof collectDefaultMetrics;
  readonly Gauge: typeof Gauge;
}

/** The aggregators are those of the library for these names. */
const DELAYS = {
  min: { help: 'The minimum recorded event loop delay.', aggregator: 'min' },
  max: { help: 'The maximum recorded event loop delay.', aggregator: 'max' },
  mean: { help: 'The mean of the recorded event loop delays.', aggregator: 'average' },
  stddev: {
    help: 'The standard deviation of the recorded event loop delays.',
    aggregator: 'average',
  },
  p50: {
    help: 'The 50th percentile of the recorded event loop delays.',
    aggregator: 'average',
  },
  p90: {
    help: 'The 90th percentile of the recorded event loop delays.',
    aggregator: 'average',
  },
  p99: {
    help: 'The 99th percentile of the recorded event loop delays.',
    aggregator: 'average',
  },
} as const satisfies Record<keyof LoopDelays, { help: string; aggregator: string }>;

/** The longest period of a timer, in milliseconds. The monitor of the library, which cannot be left out, has no sample before it. */
const NEVER_MS = 2 ** 31 - 1;

const nameOf = (key: string): string => `nodejs_eventloop_lag_${key}_seconds`;

/** Registers the default metrics of the library, with event loop delays whose measurement lets a process rest. */
export const collectProcessMetrics = (library: MetricsLibrary, registry: Registry): void => {
  library.collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: NEVER_MS,
  });
  const take = measureLoopDelays();
  const gauges = new Map<keyof LoopDelays, Gauge>();
  const collect = (): void => {
    const delays = take();
    for (const [key, gauge] of gauges) gauge.set(delays[key] / 1e9);
  };
  for (const key of Object.keys(DELAYS) as (keyof LoopDelays)[]) {
    registry.removeSingleMetric(nameOf(key));
    // The first gauge in the order of the registry sets all of them.
    const first = gauges.size === 0 ? { collect } : {};
    const config = { name: nameOf(key), ...DELAYS[key], registers: [registry], ...first };
    gauges.set(key, new library.Gauge(config));
  }
};
