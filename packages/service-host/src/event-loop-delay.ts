import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks';

/** The interval of the samples of an event loop at rest, and of one that works, in milliseconds. Each sample of a loop at rest wakes the process. */
const REST_MS = 4000;
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

/** The measurements of one wait of a sampler. */
export interface MeasuredWait {
  readonly waitedMs: number;
  /** About the longest delay in it, in nanoseconds. */
  readonly longestNs: number;
  /** How late its timer was, and the one of the wait before, in nanoseconds; 1 for a wait that ended before its timer. */
  readonly lateNs: number;
  readonly beforeNs: number;
}

/**
 * Records the delays of a wait. It counts as many delays as a loop that works has samples in it, so that one late timer of a loop at rest is no
 * percentile of its few samples. The delays but the longest were not measured: they count as the smaller one of how late two timers were.
 */
export const recordWait = (histogram: RecordableHistogram, wait: MeasuredWait): void => {
  histogram.record(wait.longestNs);
  const others = Math.min(wait.lateNs, wait.beforeNs);
  const count = Math.round(wait.waitedMs / BUSY_MS) - 1;
  for (let at = 0; at < count; at += 1) histogram.record(others);
};

/** Node publishes each request of a server here. */
const REQUEST_CHANNEL = 'http.server.request.start';

/** A histogram records no zero. */
const nanoseconds = (ms: number): number => Math.max(1, Math.round(ms * 1e6));

/** The time that a short turn of the event loop needs at most, in milliseconds. */
const TURN_MS = 1;

/** Estimates the longest delay in a wait, in milliseconds: the time in which the loop worked, without 1 ms for each of its turns. */
export const blockedMs = (activeMs: number, turns: number): number =>
  Math.max(0, activeMs - turns * TURN_MS);

const turnsOfLoop = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;

/** Samples the event loop of this thread, for as long as the process runs. */
class LoopSampler {
  readonly #histogram: RecordableHistogram;
  #usage = performance.eventLoopUtilization();
  #turns = turnsOfLoop();
  #beforeNs = 1;
  #startedAt = 0;
  #waitMs = BUSY_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(histogram: RecordableHistogram) {
    this.#histogram = histogram;
  }

  start(): void {
    this.#waitFor(BUSY_MS);
  }

  /** Ends a rest: the work that follows is measured from now on. */
  readonly endRest = (): void => {
    if (this.#waitMs !== REST_MS) return;
    clearTimeout(this.#timer);
    this.#record(performance.now() - this.#startedAt, 1);
    this.#waitFor(BUSY_MS);
  };

  readonly #onTimer = (): void => {
    const lateMs = performance.now() - this.#startedAt - this.#waitMs;
    const isBusy = this.#record(this.#waitMs, nanoseconds(lateMs));
    this.#waitFor(isBusy ? BUSY_MS : REST_MS);
  };

  #waitFor(ms: number): void {
    if (ms !== this.#waitMs) {
      // Each subscription costs something on every request.
      const change = ms === REST_MS ? subscribe : unsubscribe;
      change(REQUEST_CHANNEL, this.endRest);
    }
    this.#waitMs = ms;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onTimer, ms).unref();
  }

  /** Returns whether the loop worked in the time that has passed. */
  #record(waitedMs: number, lateNs: number): boolean {
    const now = performance.eventLoopUtilization();
    const { active, utilization } = performance.eventLoopUtilization(now, this.#usage);
    this.#usage = now;
    const turns = turnsOfLoop();
    const blocked = this.#waitMs === REST_MS ? blockedMs(active, turns - this.#turns) : 0;
    this.#turns = turns;
    const longestNs = Math.max(lateNs, nanoseconds(blocked));
    recordWait(this.#histogram, { waitedMs, longestNs, lateNs, beforeNs: this.#beforeNs });
    this.#beforeNs = lateNs;
    return utilization > BUSY_SHARE;
  }
}

/**
 * Measures how late timers of this thread run, for as long as the process runs: every 20 ms while the event loop works, and every 4 s at rest, which
 * the next request of an HTTP server or a reading ends. The monitor of Node wakes the process at one interval always. Returns a function that returns
 * the delays since its last call.
 * A long delay at rest is not missed: the time in which the loop worked during a wait, less 1 ms for each of its turns, counts as one delay. It is about
 * the longest one; where the loop made many longer turns, their sum.
 */
export const measureLoopDelays = (): (() => LoopDelays) => {
  // One percent is exact enough: with the three digits of the default the histogram occupies 360 KB.
  const histogram = createHistogram({ figures: 2, highest: 3_600_000_000_000 });
  const sampler = new LoopSampler(histogram);
  sampler.start();
  return () => {
    sampler.endRest();
    const delays = delaysIn(histogram);
    histogram.reset();
    return delays;
  };
};
