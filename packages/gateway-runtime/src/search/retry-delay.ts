/** Delay after the first failure, and the longest one, in milliseconds. */
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

/** The time after failures in which nothing is requested: exponential backoff. */
export class RetryDelay {
  readonly #now: () => number;
  #failures = 0;
  #until = 0;

  /** @param now the time in milliseconds, from any origin */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isOver(): boolean {
    return this.#now() >= this.#until;
  }

  /** Returns whether this is the first failure in a row. */
  fail(): boolean {
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 16);
    this.#until = this.#now() + delay;
    return this.#failures === 1;
  }

  /** Returns whether failures preceded. */
  succeed(): boolean {
    const hadFailures = this.#failures > 0;
    this.#failures = 0;
    this.#until = 0;
    return hadFailures;
  }
}
