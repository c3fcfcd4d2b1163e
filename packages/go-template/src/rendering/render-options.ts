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
  /** For what functions read and produce, in characters and items. */
  units: number;
  /** An estimate of the bytes of memory that were allocated so far; values that are passed on unchanged cost nothing. */
  made: number;
}

/** Operands and pieces that the renderings of one value evaluate at most. */
const DEFAULT_MAX_STEPS = 1_000_000;

/** The budget of functions in characters and items, as a multiple of the bytes of one value. */
const UNITS_PER_BYTE = 4;

/** Returns an unused budget for these options. */
export const fullAllowance = ({ maxBytes, maxSteps }: RenderOptions): RenderAllowance => ({
  bytes: maxBytes,
  steps: maxSteps ?? DEFAULT_MAX_STEPS,
  units: maxBytes * UNITS_PER_BYTE,
  made: 0,
});

/** Blocks and templates that are open at the same time. */
export const MAX_RENDER_DEPTH = 400;
