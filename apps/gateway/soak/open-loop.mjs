import { setTimeout as wait } from 'node:timers/promises';

const TICK_MS = 10;
const IDLE_LOOK_MS = 5;
const IDLE_MS = 15_000;

/**
 * Starts steps at a fixed rate, whether or not earlier ones have ended, as independent callers do. Steps that cannot start because too
 * many are running are counted as late.
 */
export class OpenLoop {
  #options;
  #running = 0;
  #started = 0;
  #late = 0;
  #activeMs = 0;
  #resumedAt;
  #timer;
  #budget = 0;

  /** @param options `rate` per second, `maxRunning`, and `step`, which returns a promise that never rejects */
  constructor(options) {
    this.#options = options;
  }

  /** Steps started and late, and the rate reached while the load was on. */
  get figures() {
    const seconds = this.#activeMs / 1000;
    return { started: this.#started, late: this.#late, perSecond: this.#started / seconds };
  }

  resume() {
    this.#resumedAt = performance.now();
    let last = this.#resumedAt;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#budget += ((now - last) * this.#options.rate) / 1000;
      last = now;
      for (; this.#budget >= 1; this.#budget -= 1) this.#start();
    }, TICK_MS);
  }

  /** Starts no further step and resolves when none is running. */
  async pause() {
    clearInterval(this.#timer);
    this.#activeMs += performance.now() - this.#resumedAt;
    const end = performance.now() + IDLE_MS;
    while (this.#running > 0 && performance.now() < end) await wait(IDLE_LOOK_MS);
  }

  #start() {
    if (this.#running >= this.#options.maxRunning) {
      this.#late += 1;
      return;
    }
    this.#running += 1;
    this.#started += 1;
    void this.#options.step().then(() => (this.#running -= 1));
  }
}
