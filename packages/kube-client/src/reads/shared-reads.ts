interface Running<T> {
  readonly reading: Promise<T>;
  next: Promise<T> | undefined;
}

/**
 * Shares concurrent reads by key, one at a time. A call during a read shares the next read, so that every caller gets a state that is not
 * older than its call, and any number of concurrent calls cause two reads.
 */
export class SharedReads<T> {
  readonly #running = new Map<string, Running<T>>();

  /** @param read must not reject */
  read(key: string, read: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#begin(key, read);
    running.next ??= running.reading.then(() => this.#begin(key, read));
    return running.next;
  }

  #begin(key: string, read: () => Promise<T>): Promise<T> {
    const running: Running<T> = { reading: read(), next: undefined };
    this.#running.set(key, running);
    void running.reading.then(() => {
      if (running.next === undefined) this.#running.delete(key);
    });
    return running.reading;
  }
}
