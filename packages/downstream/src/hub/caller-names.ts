/** Converts identities of callers, which are valid in one process, to names that are valid in all processes. */
export interface CallerNames {
  /** Returns equal names for equal identities, and different names for different identities. */
  of(identity: unknown): string;
}

/**
 * Creates the names of one process. A string is the identifier of a session and has the same name in every process. An object has one
 * name in this process. Any other identity gets a new name each time.
 *
 * @param process a text that no other process uses
 */
export const createCallerNames = (process: string): CallerNames => {
  const known = new WeakMap<object, string>();
  let count = 0;
  const fresh = (): string => {
    count += 1;
    return `${process}:${count}`;
  };
  return {
    of(identity) {
      if (typeof identity === 'string') return `session:${identity}`;
      if (typeof identity !== 'object' || identity === null) return fresh();
      const name = known.get(identity) ?? fresh();
      known.set(identity, name);
      return name;
    },
  };
};
