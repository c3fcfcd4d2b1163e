/** Who sees a change: everybody, or the persons with these keys. */
export type ChangedFor = 'all' | ReadonlySet<string>;

/** Receives a change. */
export type ChangeListener = (changedFor: ChangedFor) => void;

/** Notifies listeners of changes. */
export interface ChangeSignal {
  /**
   * Reports a change. Listeners are called once per turn of the event loop.
   *
   * @param principalKey the person who sees it; everybody when absent
   */
  raise(principalKey?: string): void;
  /** Adds a listener and returns the function that removes it. */
  listen(listener: ChangeListener): () => void;
}

/** Returns a signal that calls its listeners in a separate microtask. */
export const createChangeSignal = (): ChangeSignal => {
  const listeners = new Set<ChangeListener>();
  let pending: 'all' | Set<string> | undefined;
  const notify = (): void => {
    const changedFor = pending ?? 'all';
    pending = undefined;
    for (const listener of [...listeners]) listener(changedFor);
  };
  return {
    raise(principalKey) {
      if (pending === undefined) queueMicrotask(notify);
      if (principalKey === undefined || pending === 'all') pending = 'all';
      else pending = (pending ?? new Set()).add(principalKey);
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};
