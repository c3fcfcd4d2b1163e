/** Waits between attempts, in milliseconds. */
export interface Patience {
  /** The first wait; doubled up to `maxWaitMs`. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** Time for which a request waits for a gateway that does not answer. */
  readonly totalMs: number;
}

/** Waits that cover the restart of a gateway. */
export const DEFAULT_PATIENCE: Patience = { firstWaitMs: 200, maxWaitMs: 5_000, totalMs: 30_000 };

/** Resolves after a time, or when the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });

/** The waits of one series of attempts. */
export class Waits {
  readonly #patience: Patience;
  readonly #until: number;
  #next: number;

  constructor(patience: Patience) {
    this.#patience = patience;
    this.#next = patience.firstWaitMs;
    this.#until = performance.now() + patience.totalMs;
  }

  /** The time is over. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Starts again with the first wait. */
  reset(): void {
    this.#next = this.#patience.firstWaitMs;
  }

  /** Waits before the next attempt. */
  async wait(signal: AbortSignal): Promise<void> {
    const ms = this.#next;
    this.#next = Math.min(ms * 2, this.#patience.maxWaitMs);
    await pause(ms, signal);
  }
}
