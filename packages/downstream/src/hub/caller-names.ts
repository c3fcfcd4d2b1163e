/** Turns identities of callers, which mean something in one process only, into texts that mean the same in all. */
export interface CallerNames {
  /** Equal for equal identities, different for different ones. */
  of(identity: unknown): string;
}

/**
 * A text is a session's name and is the same everywhere. Objects get a name of this process; anything else is new each time.
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
