import type { CatalogTool } from './catalog-tool.ts';
import type { Page, PageRequest } from './page.ts';
import { searchIndex } from './search-index.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import { wordsOf } from './words.ts';

/** Maximum number of distinct words of a query that are used. */
const MAX_QUERY_WORDS = 64;

/** Verbs that are too common in tool names to distinguish tools. */
const COMMON_VERBS: ReadonlySet<string> = new Set(wordsOf('list get'));
const COMMON_VERB_WEIGHT = 0.25;

/** Units per score of 1. Scores are rounded to whole units; a match scores at least one unit. */
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
    const { positions, scores: ofWord } = posting;
    // A plain loop: a common word has a posting for every tool of the catalog.
    for (let index = 0; index < positions.length; index += 1) {
      const position = positions[index] ?? 0;
      scores[position] = (scores[position] ?? 0) + weight * (ofWord[index] ?? 0);
    }
  }
  return scores;
}

/** The keys of the candidates that share a word with the query, in no order. */
function keysOf(
  snapshot: CatalogSnapshot,
  query: string,
  candidates: readonly CatalogTool[],
): Float64Array {
  const scores = scoresOf(snapshot, query);
  const keys = new Float64Array(candidates.length);
  // The loop reads typed arrays only; reading the tool objects would miss the cache.
  const isWhole = candidates === snapshot.tools;
  let found = 0;
  for (let index = 0; index < candidates.length; index += 1) {
    const position = isWhole ? index : (candidates[index]?.position ?? 0);
    const score = scores[position] ?? 0;
    if (score <= 0) continue;
    keys[found] = keyOf(score, position);
    found += 1;
  }
  return keys.subarray(0, found);
}

/** The greatest keys, greatest first, without sorting the rest: a page is a few of thousands. */
function greatest(keys: Float64Array, count: number): Float64Array {
  const top = new Float64Array(count);
  for (const key of keys) {
    if (key <= (top[count - 1] ?? 0)) continue;
    let at = count - 1;
    for (; at > 0 && key > (top[at - 1] ?? 0); at -= 1) top[at] = top[at - 1] ?? 0;
    top[at] = key;
  }
  return top;
}

/** The most keys that are picked out one by one; sorting all of them is faster for more. */
const MAX_PICKED = 128;

/** The first `count` keys in the order of the ranking, or all of them. Sorting numbers is several times faster than sorting objects. */
const best = (keys: Float64Array, count: number): Float64Array =>
  count < keys.length && count <= MAX_PICKED ? greatest(keys, count) : keys.sort().reverse();

const toolsOfKeys = (snapshot: CatalogSnapshot, keys: Float64Array): readonly RankedTool[] => {
  const ranked: RankedTool[] = [];
  for (const key of keys) {
    const tool = snapshot.tools[POSITIONS - 1 - (key % POSITIONS)];
    const score = Math.floor(key / POSITIONS) / SCORE_UNITS;
    if (tool !== undefined) ranked.push({ tool, score });
  }
  return ranked;
};

/**
 * Ranks tools by the relevance of their names, summaries and arguments to a query (BM25F), best first. Equal scores are in catalog
 * order. Tools that share no word with the query are omitted, so a query without words returns no tools.
 *
 * Word frequencies are those of the whole snapshot: narrowing the candidates removes tools but does not reorder the others.
 * Only the first 4,096 UTF-16 code units of the query and its first 64 distinct words are used.
 */
export function rankTools(
  snapshot: CatalogSnapshot,
  query: string,
  candidates: readonly CatalogTool[],
): readonly RankedTool[] {
  const keys = keysOf(snapshot, query, candidates);
  return toolsOfKeys(snapshot, best(keys, keys.length));
}

/** A query over some tools of a snapshot, and the requested page of the ranking. */
export interface RankedSearch extends PageRequest {
  readonly query: string;
  readonly candidates: readonly CatalogTool[];
}

/** One page of what {@link rankTools} gives; only that page is put in order. */
export function rankedPage(snapshot: CatalogSnapshot, search: RankedSearch): Page<RankedTool> {
  const { query, candidates, offset = 0, limit = Infinity } = search;
  const keys = keysOf(snapshot, query, candidates);
  const end = Math.min(keys.length, offset + limit);
  const items = toolsOfKeys(snapshot, best(keys, end).subarray(offset, end));
  return { items, total: keys.length, truncated: end < keys.length };
}
