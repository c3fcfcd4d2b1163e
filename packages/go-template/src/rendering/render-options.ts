import type { LiveMaps } from '../values/json-of.ts';

/** The bounds of a rendering, and its clock. */
export interface RenderOptions {
  /** Bytes of one rendered value: of its texts and keys in UTF-8, and one for everything else. */
  readonly maxBytes: number;
  /** Operands and pieces that are evaluated; {@link DEFAULT_MAX_STEPS} when absent. */
  readonly maxSteps?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The budget that several renderings share; a new one for each value when absent. */
  readonly allowance?: RenderAllowance;
  /** Returns whether the caller still adds to a map of the data. Such a map is copied when it leaves its template; none when absent. */
  readonly isLive?: LiveMaps;
}

/** The remaining budget of the renderings that share it. */
export interface RenderAllowance {
  bytes: number;
  steps: number;
  /** For what functions read and produce: a unit is a byte of memory or about ten nanoseconds of work. */
  units: number;
  /** An estimate of the bytes of memory that were allocated so far; values that are passed on unchanged cost nothing. */
  made: number;
}

/** Operands and pieces that the renderings of one value evaluate at most. */
const DEFAULT_MAX_STEPS = 1_000_000;

/** The budget of functions in units, as a multiple of the bytes of one value. */
const UNITS_PER_BYTE = 16;

/** Units that cost as much as one step. */
const UNITS_PER_STEP = 64;

/** Returns an unused budget for these options. */
export const fullAllowance = ({ maxBytes, maxSteps }: RenderOptions): RenderAllowance => ({
  bytes: maxBytes,
  steps: maxSteps ?? DEFAULT_MAX_STEPS,
  units: maxBytes * UNITS_PER_BYTE,
  made: 0,
});

const INLINE_STEPS = 20_000;
const INLINE_UNITS = 500_000;

/**
 * Returns a budget for a rendering that must not hold up other work of the process: at most about ten milliseconds. If it
 * {@link isSpent}, the rendering failed for this reason, and the caller may render again elsewhere with a larger budget.
 *
 * @param within a budget that it does not exceed
 */
export const inlineAllowance = (
  options: RenderOptions,
  within = fullAllowance(options),
): RenderAllowance => ({
  ...within,
  steps: Math.min(within.steps, INLINE_STEPS),
  units: Math.min(within.units, INLINE_UNITS),
});

/**
 * Returns the budget of a rendering that may take this number of steps in all. Work of functions counts as steps: 64 units are a
 * step.
 */
export const allowanceWithin = (options: RenderOptions, maxSteps: number): RenderAllowance => {
  const full = fullAllowance(options);
  return {
    ...full,
    steps: Math.min(full.steps, maxSteps),
    units: Math.min(full.units, maxSteps * UNITS_PER_STEP),
  };
};

/** Returns whether a rendering failed because it needs more steps or units than its budget has. */
export const isSpent = ({ steps, units }: RenderAllowance): boolean => steps < 0 || units < 0;

/** Returns the steps that were taken from a budget, with the work of functions. */
export const stepsTaken = (given: RenderAllowance, left: RenderAllowance): number =>
  given.steps - left.steps + Math.ceil((given.units - left.units) / UNITS_PER_STEP);

/** Blocks and templates that are open at the same time. */
export const MAX_RENDER_DEPTH = 400;
