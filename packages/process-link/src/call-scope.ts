/** The work that ends together with a call: the calls of its callbacks. */
export class CallScope {
  #ends: Set<() => void> | undefined;
  #hasEnded = false;

  /** True after the call has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Runs `end` when the call ends. @returns a function that removes it */
  add(end: () => void): () => void {
    const ends = (this.#ends ??= new Set());
    ends.add(end);
    return () => void ends.delete(end);
  }

  /** Ends the call and everything in it. */
  end(): void {
    this.#hasEnded = true;
    if (this.#ends === undefined) return;
    for (const end of [...this.#ends]) end();
    this.#ends.clear();
  }
}
