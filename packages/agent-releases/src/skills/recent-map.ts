/** A cache of the most recently used values. */
export interface RecentMap<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
}

/** Keeps at most `max` values; the least recently used one is evicted. */
export const recentMap = <T>(max: number): RecentMap<T> => {
  const values = new Map<string, T>();
  const touch = (key: string, value: T): void => {
    values.delete(key);
    values.set(key, value);
  };
  return {
    get: (key) => {
      const value = values.get(key);
      if (value !== undefined) touch(key, value);
      return value;
    },
    set: (key, value) => {
      touch(key, value);
      const oldest = values.keys().next();
      if (values.size > max && oldest.done !== true) values.delete(oldest.value);
    },
  };
};
