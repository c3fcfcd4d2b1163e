import type { TextBounds } from './text-bounds.ts';

/** The bounds of a map from names to values. */
export interface KeyedMapBounds {
  readonly key: TextBounds;
  readonly maxEntries: number;
  /** A key that is not allowed, and the message that refuses it. */
  readonly reserved?: { readonly key: string; readonly message: string };
}

/** Parses a key that is within its bounds; returns the parsed key or its problem. */
export type ReadKey<Key> = (
  written: string,
) => { readonly ok: true; readonly key: Key } | { readonly ok: false; readonly message: string };
