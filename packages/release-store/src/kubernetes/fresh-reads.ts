interface Running<T> {
  readonly reading: Promise<T>;
  next: Promise<T> | undefined;
}

/**
 * One reading at a time per subject, shared by everybody who asked before it began: whoever asks during a reading gets the next one.
 * So nobody misses what was written before they asked, and a thousand callers make two readings.
 */
export class FreshReads<T> {
  readonly #running = new Map<string, Running<T>>();

  /** @param read must not reject */
  read(subject: string, read: () => Promise<T>): Promise<T> {
    const running = this.#running.get(subject);
    if (running === undefined) return this.#begin(subject, read);
    running.next ??= running.reading.then(() => this.#begin(subject, read));
    return running.next;
  }

  #begin(subject: string, read: () => Promise<T>): Promise<T> {
    const running: Running<T> = { reading: read(), next: undefined };
    this.#running.set(subject, running);
    void running.reading.then(() => {
      if (running.next === undefined) this.#running.delete(subject);
    });
    return running.reading;
  }
}
