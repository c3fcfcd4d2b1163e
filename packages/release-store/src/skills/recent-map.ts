/** The values that were asked for last, up to a number of them. */
export interface RecentMap<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
}

/** Remembers up to `max` values; the one that nobody asked for longest makes room. */
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
