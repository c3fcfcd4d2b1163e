/** Levels of one value. */
export const MAX_VALUE_DEPTH = 1000;

/** The reason that a value with more levels is refused. */
export const TOO_DEEP = `the value is nested more than ${MAX_VALUE_DEPTH} levels deep`;

/** The reason that a rendering ends whose work or memory exceeds its budget. */
export const OVER_BUDGET = 'the rendering takes more than it is allowed to';
