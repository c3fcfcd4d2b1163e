export const parseJson = (text: string | undefined): unknown => {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Returns the options of an `lru-cache` with at most this number of values. With `max` the library would reserve memory for all of them. */
export const createCacheLimit = (
  values: number,
): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: values,
  sizeCalculation: () => 1,
});
