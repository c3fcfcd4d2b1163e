/** Counts the calls that use a connection. */
export class ConnectionUse {
  readonly #waiting: (() => void)[] = [];
  #calls = 0;

  get isUnused(): boolean {
    return this.#calls === 0;
  }

  readonly enter = (): void => {
    this.#calls += 1;
  };

  readonly leave = (): void => {
    this.#calls -= 1;
    if (this.#calls > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  };

  /** Resolves when no call uses the connection. */
  readonly unused = (): Promise<void> =>
    this.#calls === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#waiting.push(resolve);
        });
}
