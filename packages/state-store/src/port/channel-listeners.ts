/** Listeners of channels in this process. */
export class ChannelListeners {
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  /** Adds a listener and returns the function that removes it. The same function may be added several times. */
  add(channel: string, listener: (text: string) => void): () => void {
    const registered = (text: string): void => listener(text);
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(registered));
    return () => {
      listeners.delete(registered);
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) {
        this.#listeners.delete(channel);
      }
    };
  }

  has(channel: string): boolean {
    return this.#listeners.has(channel);
  }

  channels(): readonly string[] {
    return [...this.#listeners.keys()];
  }

  /** Runs the listeners of a channel and ignores their errors. */
  notify(channel: string, text: string): void {
    for (const listener of [...(this.#listeners.get(channel) ?? [])]) {
      try {
        listener(text);
      } catch {
        // One listener must not keep a message from the others.
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
