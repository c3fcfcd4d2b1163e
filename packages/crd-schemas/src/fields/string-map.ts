import { boundedText } from './bounded-text.ts';
import type { TextBounds } from './text-bounds.ts';
import { keyedMap } from './keyed-map.ts';

/** The bounds of a map of strings. */
export interface StringMapBounds {
  readonly key: TextBounds;
  readonly value: TextBounds;
  readonly maxEntries: number;
}

/** Returns a map from user-chosen names to strings, frozen and without prototype. */
export const stringMap = ({ key, value, maxEntries }: StringMapBounds) =>
  keyedMap(boundedText(value), { key, maxEntries });
