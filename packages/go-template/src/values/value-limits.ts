/** Levels of one value. */
export const MAX_VALUE_DEPTH = 1000;

/** The reason that a value with more levels is refused. */
export const TOO_DEEP = `the value is nested more than ${MAX_VALUE_DEPTH} levels deep`;
