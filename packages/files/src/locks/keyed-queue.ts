/** Runs the tasks of one key one after the other, in the order of their calls. Tasks of different keys run concurrently. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task after the earlier tasks of its key. Settles as the task does. */
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

  /** Resolves when no task is left, including tasks added meanwhile. Never rejects. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}

const ignore = (): void => undefined;
