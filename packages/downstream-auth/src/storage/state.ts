/** Returns the value of a JSON text; `undefined` for other text. */
export const parseJson = (text: string | undefined): unknown => {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/**
 * Returns the options of a cache of `lru-cache` for at most this number of values, which occupies memory for the values that it has. With its option
 * `max` the library reserves memory for all of them: 1.1 MB for 50,000.
 */
export const atMost = (values: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: values,
  sizeCalculation: () => 1,
});
