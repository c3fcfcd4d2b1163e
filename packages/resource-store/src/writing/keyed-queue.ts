/** Runs tasks of one key one after the other, in the order in which they were given; other keys do not wait. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Ends as the task ends. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const settled = result.then(ignore, ignore);
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return result;
  }

  /** Waits until nothing is left to run, tasks that are given meanwhile included. Never rejects. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}

const ignore = (): void => undefined;
