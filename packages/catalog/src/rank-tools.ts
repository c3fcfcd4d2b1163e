import type { CatalogTool } from './catalog-tool.ts';
import { searchIndex } from './search-index.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import { wordsOf } from './words.ts';

/** How many different words of a query count. */
const MAX_QUERY_WORDS = 64;

/** Verbs that so many tool names carry that they say little about any of them. */
const COMMON_VERBS: ReadonlySet<string> = new Set(wordsOf('list get'));
const COMMON_VERB_WEIGHT = 0.25;

/** How many units a score of 1 has: it is rounded to whole units, and a match never scores less than one. */
const SCORE_UNITS = 10_000;

/** More positions than a catalog has, and few enough that a score and a position fit into one exact number. */
const POSITIONS = 2 ** 24;

/** A tool that a query found. */
export interface RankedTool {
  readonly tool: CatalogTool;
  /** Higher is better; four decimals, at least 0.0001. Comparable within one answer only. */
  readonly score: number;
}

/** One number for a score and a position: the better score is greater, then the earlier position. */
const keyOf = (score: number, position: number): number =>
  Math.max(1, Math.round(score * SCORE_UNITS)) * POSITIONS + (POSITIONS - 1 - position);

function scoresOf(snapshot: CatalogSnapshot, query: string): Float64Array {
  const scores = new Float64Array(snapshot.tools.length);
  const words = [...new Set(wordsOf(query))].slice(0, MAX_QUERY_WORDS);
  for (const word of words) {
    const posting = searchIndex(snapshot).posting(word);
    if (posting === undefined) continue;
    const weight = COMMON_VERBS.has(word) ? COMMON_VERB_WEIGHT : 1;
    for (const [index, position] of posting.positions.entries()) {
      scores[position] = (scores[position] ?? 0) + weight * (posting.scores[index] ?? 0);
    }
  }
  return scores;
}

/**
 * Ranks tools by how well their names, summaries and arguments fit a query (BM25F), best first; equal scores keep the
 * catalog's order. Tools that share no word with the query are left out, so a query without words finds none.
 *
 * How rare a word is, is a fact of the whole snapshot: narrowing the candidates drops tools but never reorders the rest.
 * Only the first 4,096 UTF-16 code units of the query and its first 64 different words count.
 */
export function rankTools(
  snapshot: CatalogSnapshot,
  query: string,
  candidates: readonly CatalogTool[],
): readonly RankedTool[] {
  const scores = scoresOf(snapshot, query);
  const found = candidates.filter(({ position }) => (scores[position] ?? 0) > 0);
  // Sorting plain numbers is several times faster than sorting objects with a comparison.
  const keys = Float64Array.from(found, ({ position }) => keyOf(scores[position] ?? 0, position));
  const ranked: RankedTool[] = [];
  for (const key of keys.sort().reverse()) {
    const tool = snapshot.tools[POSITIONS - 1 - (key % POSITIONS)];
    const score = Math.floor(key / POSITIONS) / SCORE_UNITS;
    if (tool !== undefined) ranked.push({ tool, score });
  }
  return ranked;
}
