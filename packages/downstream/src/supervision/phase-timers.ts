/** What is to happen later in the present phase of a server, and never after it. */
export class PhaseTimers {
  readonly #ends: (() => void)[] = [];

  /** Acts once, in so many milliseconds. */
  after(delayMs: number, act: () => void): void {
    const timer = setTimeout(act, delayMs).unref();
    this.#ends.push(() => clearTimeout(timer));
  }

  /** Something that was begun; `end` ends it. */
  onEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** The phase is over. */
  clear(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}
