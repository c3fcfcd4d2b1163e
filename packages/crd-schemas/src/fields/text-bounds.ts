import type { TextPattern } from './text-pattern.ts';

/** The bounds of a string. Lengths count characters (Unicode code points). */
export interface TextBounds {
  /** 0 when absent. */
  readonly min?: number;
  readonly max: number;
  readonly pattern?: TextPattern;
}
