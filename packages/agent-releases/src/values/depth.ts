/** The maximum nesting of values, which bounds the recursion of printing and comparing them. */
export const MAX_VALUES_DEPTH = 64;

/** The message for values that are nested too deeply. */
export const TOO_DEEP = `must be nested at most ${MAX_VALUES_DEPTH} levels`;

/** Returns whether a value has at most this many levels. Reads no further levels. */
export const isWithinDepth = (value: unknown, levels: number = MAX_VALUES_DEPTH): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((inner) => isWithinDepth(inner, levels - 1));
};
