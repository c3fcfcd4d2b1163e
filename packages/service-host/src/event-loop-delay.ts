import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks';

/** The interval of the samples of an event loop at rest, and of one that works, in milliseconds. Each sample of a loop at rest wakes the process. */
const REST_MS = 500;
const BUSY_MS = 20;
/** The share of time from which a loop works. */
const BUSY_SHARE = 0.05;

/** Delays of timers, in nanoseconds. All are 0 without a sample. */
export interface LoopDelays {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly stddev: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

const NO_DELAYS: LoopDelays = { min: 0, max: 0, mean: 0, stddev: 0, p50: 0, p90: 0, p99: 0 };

const delaysIn = (histogram: RecordableHistogram): LoopDelays =>
  histogram.count === 0
    ? NO_DELAYS
    : {
        min: histogram.min,
        max: histogram.max,
        mean: histogram.mean,
        stddev: histogram.stddev,
        p50: histogram.percentile(50),
        p90: histogram.percentile(90),
        p99: histogram.percentile(99),
      };

/**
 * Records how late a timer was that waited for some time, all in nanoseconds but the wait. A wait counts as many delays as a loop that works has
 * samples in it, so that one late timer of a loop at rest is no percentile of its few samples. The other delays of the wait were not measured: they
 * count as the smaller of this delay and the one before.
 */
export const recordDelay = (
  histogram: RecordableHistogram,
  delay: { readonly waitedMs: number; readonly lateNs: number; readonly beforeNs: number },
): void => {
  histogram.record(delay.lateNs);
  const others = Math.min(delay.lateNs, delay.beforeNs);
  const count = Math.round(delay.waitedMs / BUSY_MS) - 1;
  for (let at = 0; at < count; at += 1) histogram.record(others);
};

/**
 * Measures how late timers of this thread run, for as long as the process runs: every 20 ms while the event loop works, and twice a second at rest.
 * The monitor of Node wakes the process at one interval always. Returns a function that returns the delays since its last call.
 * At rest a blocked loop is seen from the time on at which the timer was due: a delay below 500 ms can be measured shorter, or not at all.
 */
export const measureLoopDelays = (): (() => LoopDelays) => {
  // One percent is exact enough: with the three digits of the default the histogram occupies 360 KB.
  const histogram = createHistogram({ figures: 2, highest: 3_600_000_000_000 });
  let usage = performance.eventLoopUtilization();
  let beforeNs = Infinity;
  const sampleAfter = (waitedMs: number): void => {
    const dueAt = performance.now() + waitedMs;
    const sample = (): void => {
      // A histogram records no zero.
      const lateNs = Math.max(1, Math.round((performance.now() - dueAt) * 1e6));
      recordDelay(histogram, { waitedMs, lateNs, beforeNs });
      beforeNs = lateNs;
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, usage);
      usage = now;
      sampleAfter(utilization > BUSY_SHARE ? BUSY_MS : REST_MS);
    };
    setTimeout(sample, waitedMs).unref();
  };
  sampleAfter(BUSY_MS);
  return () => {
    const delays = delaysIn(histogram);
    histogram.reset();
    return delays;
  };
};
