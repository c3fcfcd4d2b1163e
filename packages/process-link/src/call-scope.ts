/** The work that ends together with a call: the calls of its callbacks. */
export class CallScope {
  readonly #ends = new Set<() => void>();
  #hasEnded = false;

  /** True after the call has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Runs `end` when the call ends. @returns a function that removes it */
  add(end: () => void): () => void {
    this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  /** Ends the call and everything in it. */
  end(): void {
    this.#hasEnded = true;
    for (const end of [...this.#ends]) end();
    this.#ends.clear();
  }
}
