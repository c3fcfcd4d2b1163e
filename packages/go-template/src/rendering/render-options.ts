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

/** What is left for the renderings that share it. */
export interface RenderAllowance {
  bytes: number;
  steps: number;
  /** For what functions read and make, in characters and items. */
  units: number;
  /** About how many bytes of memory were made so far; what is handed on as it is takes none. */
  made: number;
}

/** Operands and pieces that the renderings of one value evaluate at most. */
const DEFAULT_MAX_STEPS = 1_000_000;

/** What functions may read and make, in characters and items, as a multiple of the bytes of one value. */
const UNITS_PER_BYTE = 4;

/** The whole of what some bounds allow. */
export const fullAllowance = ({ maxBytes, maxSteps }: RenderOptions): RenderAllowance => ({
  bytes: maxBytes,
  steps: maxSteps ?? DEFAULT_MAX_STEPS,
  units: maxBytes * UNITS_PER_BYTE,
  made: 0,
});

/** Blocks and templates that are open at the same time. */
export const MAX_RENDER_DEPTH = 400;
