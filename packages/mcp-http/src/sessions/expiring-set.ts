/** A bounded set of texts that expire; the oldest is removed for a new one. */
export class ExpiringSet {
  readonly #limit: number;
  readonly #keepMs: number;
  readonly #now: () => number;
  /** End of each text's time, oldest first. */
  readonly #ends = new Map<string, number>();

  /** @param now the clock, in milliseconds */
  constructor(options: {
    readonly limit: number;
    readonly keepMs: number;
    readonly now: () => number;
  }) {
    this.#limit = options.limit;
    this.#keepMs = options.keepMs;
    this.#now = options.now;
  }

  /** Number of texts held, expired ones included. */
  get size(): number {
    return this.#ends.size;
  }

  /** Remembers a text for the whole time from now on. */
  add(text: string): void {
    this.#ends.delete(text);
    this.#ends.set(text, this.#now() + this.#keepMs);
    for (const [oldest, end] of this.#ends) {
      if (this.#ends.size <= this.#limit && end > this.#now()) return;
      this.#ends.delete(oldest);
    }
  }

  /** Returns whether the set contains a text. */
  has(text: string): boolean {
    const end = this.#ends.get(text);
    return end !== undefined && end > this.#now();
  }
}
