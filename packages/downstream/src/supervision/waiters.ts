/** Whoever waits for one thing to happen. */
export class Waiters {
  readonly #resolvers = new Set<() => void>();

  /** Resolves with the next release. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#resolvers.add(resolve));
  }

  /** It has happened. */
  release(): void {
    const resolvers = [...this.#resolvers];
    this.#resolvers.clear();
    for (const resolve of resolvers) resolve();
  }
}
