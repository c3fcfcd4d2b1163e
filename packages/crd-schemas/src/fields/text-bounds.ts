import type { TextPattern } from './text-pattern.ts';

/** What a string must satisfy. Lengths count characters (Unicode code points). */
export interface TextBounds {
  /** 0 when absent. */
  readonly min?: number;
  readonly max: number;
  readonly pattern?: TextPattern;
}
