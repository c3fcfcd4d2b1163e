/** Bounds of one rendering, and its clock. */
export interface RenderLimits {
  /** Bytes of one rendered value: of its texts and keys in UTF-8, and one for everything else. */
  readonly maxBytes: number;
  /** Operands and pieces that are evaluated; {@link DEFAULT_MAX_STEPS} when absent. */
  readonly maxSteps?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Operands and pieces that one rendering evaluates at most. */
export const DEFAULT_MAX_STEPS = 1_000_000;

/** What functions may read and make, in characters and items, as a multiple of the bytes of one value. */
export const UNITS_PER_BYTE = 4;

/** Blocks and templates that are open at the same time. */
export const MAX_RENDER_DEPTH = 400;

/** Levels of one value. */
export const MAX_VALUE_DEPTH = 1000;
