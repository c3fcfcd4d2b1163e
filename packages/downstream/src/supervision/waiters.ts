/** Promises that wait for one event. */
export class Waiters {
  readonly #resolvers = new Set<() => void>();

  /** Resolves with the next release. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#resolvers.add(resolve));
  }

  /** Resolves all waiting promises. */
  release(): void {
    const resolvers = [...this.#resolvers];
    this.#resolvers.clear();
    for (const resolve of resolvers) resolve();
  }
}
