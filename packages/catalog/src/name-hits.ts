import { EXPOSED_PREFIX } from './exposed-name.ts';
import type { SearchIndex } from './search-index.ts';
import { plainName } from './search-segment.ts';

/** Scores that no sum of words reaches: that of a tool whose name is the query, and of one whose name begins with it. */
const EXACT = 1_000;
const PREFIX = 500;

/** The least score of a tool whose name is or begins with the query. */
export const NAME_HIT_SCORE = PREFIX;

/** Least and greatest length of a query that is compared with names, in UTF-16 code units. */
const MIN_NAME = 2;
const MAX_NAME = 128;

/** Length of the prefix that all exposed names have, with its `_`. */
const EXPOSED_PREFIX_LENGTH = EXPOSED_PREFIX.length + 1;

interface Names {
  readonly own: string;
  readonly exposed: string;
}

/** Names are compared with and without what the gateway puts before them. */
function hitOf({ own, exposed }: Names, query: string): number {
  if (own === query || exposed === query) return EXACT;
  const isPrefix =
    own.startsWith(query) ||
    exposed.startsWith(query) ||
    exposed.startsWith(query, EXPOSED_PREFIX_LENGTH);
  return isPrefix ? PREFIX : 0;
}

/** Raises the scores of the tools whose names are the query or begin with it above those of all others. */
export function addNameHits(scores: Float64Array, query: string, { segments }: SearchIndex): void {
  if (query.length > MAX_NAME) return;
  const asked = plainName(query);
  if (asked.length < MIN_NAME) return;
  for (const { segment, positions } of segments) {
    // A plain loop: entries of an iterator are objects, ten thousand for each query.
    for (let slot = 0; slot < positions.length; slot += 1) {
      const position = positions[slot] ?? -1;
      const names = segment.names[slot];
      if (position < 0 || names === undefined) continue;
      const hit = hitOf(names, asked);
      if (hit > 0) scores[position] = (scores[position] ?? 0) + hit;
    }
  }
}
