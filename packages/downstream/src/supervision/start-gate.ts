/** Lets a bounded number of servers start at once. */
export interface StartGate {
  /** Resolves with the slot's release once a slot is free; with `undefined` when `signal` aborts first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** A gate with `slots` places, served in order of arrival. */
export const createStartGate = (slots: number): StartGate => {
  let free = slots;
  const waiting = new Set<() => void>();
  const release = (): void => {
    free += 1;
    const [next] = waiting;
    next?.();
  };
  const occupy = (): (() => void) => {
    free -= 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      release();
    };
  };
  return {
    enter(signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) return Promise.resolve(occupy());
      return new Promise((resolve) => {
        const leave = (): void => {
          waiting.delete(admit);
          signal.removeEventListener('abort', onAbort);
        };
        const admit = (): void => {
          leave();
          resolve(occupy());
        };
        const onAbort = (): void => {
          leave();
          resolve(undefined);
        };
        waiting.add(admit);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
};
