/** Promises that wait for one event. */
export class Waiters {
  readonly #resolvers = new Set<() => void>();
  #hasReleased = false;

  /** Returns whether the event has happened. */
  get hasReleased(): boolean {
    return this.#hasReleased;
  }

  /** Resolves with the next release. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#resolvers.add(resolve));
  }

  /** Resolves all waiting promises. */
  release(): void {
    this.#hasReleased = true;
    const resolvers = [...this.#resolvers];
    this.#resolvers.clear();
    for (const resolve of resolvers) resolve();
  }
}
