/** Tells listeners that something changed. */
export interface ChangeSignal {
  /** Something changed; however often in one turn, the listeners hear of it once. */
  raise(): void;
  /** Returns the way to stop listening. */
  listen(listener: () => void): () => void;
}

/** A signal that calls its listeners in a microtask of its own. */
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
