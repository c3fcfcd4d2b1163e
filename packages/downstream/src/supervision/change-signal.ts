/** Notifies listeners of changes. */
export interface ChangeSignal {
  /** Reports a change. Listeners are called once per turn of the event loop. */
  raise(): void;
  /** Adds a listener and returns the function that removes it. */
  listen(listener: () => void): () => void;
}

/** Returns a signal that calls its listeners in a separate microtask. */
export const createChangeSignal = (): ChangeSignal => {
  const listeners = new Set<() => void>();
  let pending = false;
  return {
    raise() {
      if (pending) return;
      pending = true;
      queueMicrotask(() => {
        pending = false;
        for (const listener of [...listeners]) listener();
      });
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};
