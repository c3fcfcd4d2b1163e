import type { BackoffPolicy } from './limits.ts';

/** Interval of the deadline checks in milliseconds; a deadline is exceeded by at most this. */
const TICK_MS = 50;

/** An item with a deadline. */
export interface Timed {
  /** By `performance.now()`. */
  readonly deadline: number;
  /** Called at each check before the deadline. */
  onTick(): void;
  /** Called after the deadline. */
  onLate(): void;
}

/** Checks deadlines with one timer for all of them, because a timer per request costs more than the request. */
export interface Deadlines {
  /** Starts the timer for a new item. */
  watch(): void;
  stop(): void;
}

/**
 * Returns a watch over the items of `running`; its timer runs only while there are items.
 *
 * @param running returns the items; may change during the iteration
 */
export const createDeadlines = (running: () => Iterable<Timed>): Deadlines => {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    const now = performance.now();
    let some = false;
    for (const timed of running()) {
      if (timed.deadline <= now) timed.onLate();
      else {
        timed.onTick();
        some = true;
      }
    }
    if (some) watch();
  };
  const watch = (): void => {
    timer ??= setTimeout(look, TICK_MS);
  };
  return {
    watch,
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};

/** Rejects with the signal's reason when it is aborted. Never resolves. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

/** Runs work with a signal that is aborted with its parent, or with the error `late` after `ms` milliseconds. */
export const withTimeLimit = async <T>(
  ms: number,
  late: string,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error(late)), ms);
  try {
    return await work(AbortSignal.any([parent, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
};

/** Resolves with whether `promise` resolved within `ms` milliseconds and before the signal was aborted. */
export const resolvesWithin = async (
  promise: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> => {
  let giveUp: () => void = () => undefined;
  const late = new Promise<false>((resolve) => {
    giveUp = () => resolve(false);
  });
  const timer = setTimeout(giveUp, ms);
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted === true) giveUp();
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
};

/** Returns a function whose callers share one run of the work, until `pauseMs` milliseconds after its end. */
export const shareFor = <T>(pauseMs: number, work: () => Promise<T>): (() => Promise<T>) => {
  let shared: Promise<T> | undefined;
  return () =>
    (shared ??= work().finally(() => {
      setTimeout(() => {
        shared = undefined;
      }, pauseMs).unref();
    }));
};

/** Returns a time in milliseconds, doubled so many times and capped. */
export const doubledMs = (ms: number, times: number, maxMs: number): number =>
  Math.min(maxMs, ms * 2 ** Math.min(times, 30));

/**
 * Returns the delay before attempt `failures + 1`: doubled per failure, capped, with jitter in its upper half, so that servers that failed
 * together do not retry together.
 *
 * @param failures consecutive failures so far, at least 1
 * @param random a number in [0, 1)
 * @returns milliseconds
 */
export const backoffDelayMs = (policy: BackoffPolicy, failures: number, random: number): number => {
  const ceiling = doubledMs(policy.initialMs, failures - 1, policy.maxMs);
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
};

/**
 * Returns the interval between two checks for a missing dependency: doubled per early start and capped, so that an unstable dependency does
 * not cause endless starts.
 *
 * @returns milliseconds
 */
export const dependencyCheckDelayMs = (policy: BackoffPolicy, earlyStarts: number): number =>
  doubledMs(policy.checkMs, earlyStarts, Math.max(policy.checkMs, policy.maxMs));
