import type { TextBounds } from './text-bounds.ts';

/** What a map must satisfy. */
export interface KeyedMapBounds {
  readonly key: TextBounds;
  readonly maxEntries: number;
  /** A key that nobody may use, and what is said of it. */
  readonly reserved?: { readonly key: string; readonly message: string };
  /** What is wrong with a key that is within its bounds, or undefined. */
  readonly checkKey?: (key: string) => string | undefined;
}
