/** The timers of the present phase of a server. They end with the phase. */
export class PhaseTimers {
  readonly #ends: (() => void)[] = [];

  /** Calls `act` once after the delay. */
  after(delayMs: number, act: () => void): void {
    const timer = setTimeout(act, delayMs).unref();
    this.#ends.push(() => clearTimeout(timer));
  }

  /** Registers a function that is called at the end of the phase. */
  onEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** Ends the phase. */
  clear(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}
