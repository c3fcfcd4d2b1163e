import type { CatalogTool } from './catalog-tool.ts';
import { generalThesaurus } from './default-thesaurus.ts';
import { fuseRankings } from './fuse-rankings.ts';
import { guessConcepts, hasLetters } from './guess-concepts.ts';
import { addNameHits } from './name-hits.ts';
import type { Page, PageRequest } from './page.ts';
import { planQuery } from './query-plan.ts';
import { ALL_PARTS, type RankingParts } from './query-reading.ts';
import { scoresOf } from './query-scores.ts';
import type { RankedTool } from './ranked-tool.ts';
import { searchIndex } from './search-index.ts';
import { SearchVocabulary } from './search-vocabulary.ts';
import { addServerScores } from './server-scores.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import type { Thesaurus } from './thesaurus.ts';

/** Units per score of 1. Scores are rounded to whole units; a match scores at least one unit. */
const SCORE_UNITS = 10_000;

/** More positions than a catalog has, and few enough that a score and a position fit into one exact number. */
const POSITIONS = 2 ** 24;

/** The most tools that are found by guessing. */
const MAX_GUESSED = 10;

/** Options of a ranking. */
export interface RankOptions {
  /** Default: the general one. */
  readonly thesaurus?: Thesaurus;
  /** Tools of the snapshot that another ranking found, best first; the two are fused. */
  readonly nearest?: readonly CatalogTool[];
}

/** The options, and the parts of it that are left out to measure their value. */
export interface MeasuredOptions extends RankOptions {
  readonly parts?: RankingParts;
}

/** One number for a score and a position: the better score is greater, then the earlier position. Core tools are the last of a catalog. */
const keyOf = (score: number, position: number): number =>
  Math.max(1, Math.round(score * SCORE_UNITS)) * POSITIONS + (POSITIONS - 1 - position);

/** The keys of the candidates with a score, in no order. */
function scoredKeys(
  scores: Float64Array,
  { tools }: CatalogSnapshot,
  candidates: readonly CatalogTool[],
): Float64Array {
  const keys = new Float64Array(candidates.length);
  // The loop reads typed arrays only; reading the tool objects would miss the cache.
  const isWhole = candidates === tools;
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

const toolsOfKeys = ({ tools }: CatalogSnapshot, keys: Float64Array): readonly RankedTool[] => {
  const ranked: RankedTool[] = [];
  for (const key of keys) {
    const tool = tools[POSITIONS - 1 - (key % POSITIONS)];
    const score = Math.floor(key / POSITIONS) / SCORE_UNITS;
    if (tool !== undefined) ranked.push({ tool, score });
  }
  return ranked;
};

/** A query over some tools of a snapshot. */
interface Search {
  readonly query: string;
  readonly candidates: readonly CatalogTool[];
  readonly options: MeasuredOptions;
}

/** The keys of a few tools whose words share parts with those of the query; when there are none, of the first candidates. */
function guessedKeys(
  snapshot: CatalogSnapshot,
  { query, candidates, options }: Search,
): Float64Array {
  if (!hasLetters(query)) return new Float64Array();
  const index = searchIndex(snapshot);
  const vocabulary = new SearchVocabulary(index, options.thesaurus ?? generalThesaurus());
  const scores = scoresOf(guessConcepts(query, index), index, vocabulary);
  const keys = scoredKeys(scores, snapshot, candidates);
  if (keys.length > 0) return best(keys, MAX_GUESSED).subarray(0, MAX_GUESSED);
  return Float64Array.from(candidates.slice(0, MAX_GUESSED), ({ position }) => keyOf(0, position));
}

/** The keys of the candidates that have words for which those of the query stand, or names that begin with it, in no order. */
function matchedKeys(
  snapshot: CatalogSnapshot,
  { query, candidates, options }: Search,
): Float64Array {
  const { thesaurus = generalThesaurus(), parts = ALL_PARTS } = options;
  const index = searchIndex(snapshot);
  const vocabulary = new SearchVocabulary(index, thesaurus);
  const concepts = planQuery(query, { thesaurus, vocabulary, parts });
  const scores = scoresOf(concepts, index, vocabulary);
  if (parts.servers) addServerScores(scores, index);
  if (parts.nameHits) addNameHits(scores, query, index);
  return scoredKeys(scores, snapshot, candidates);
}

/** The keys of what a query finds, in no order. Function words count when the others find nothing. */
function keysOf(snapshot: CatalogSnapshot, search: Search): Float64Array {
  const keys = matchedKeys(snapshot, search);
  if (keys.length > 0) return keys;
  const { parts = ALL_PARTS } = search.options;
  if (!parts.guesses) return keys;
  const withAll = { ...search.options, parts: { ...parts, functionWords: false } };
  const others = matchedKeys(snapshot, { ...search, options: withAll });
  return others.length > 0 ? others : guessedKeys(snapshot, search);
}

const rankedByWords = (snapshot: CatalogSnapshot, search: Search): readonly RankedTool[] => {
  const keys = keysOf(snapshot, search);
  return toolsOfKeys(snapshot, best(keys, keys.length));
};

/** As {@link rankTools}, with parts of the reading left out. */
export function measuredRanking(
  snapshot: CatalogSnapshot,
  query: string,
  candidates: readonly CatalogTool[],
  options: MeasuredOptions,
): readonly RankedTool[] {
  const ranked = rankedByWords(snapshot, { query, candidates, options });
  return options.nearest === undefined
    ? ranked
    : fuseRankings(ranked, options.nearest, new Set(candidates));
}

/**
 * Ranks tools by the relevance of their names, servers, descriptions and arguments to a query (BM25F over its words, their synonyms,
 * translations and corrections), best first. A tool whose name is the query or begins with it comes before all others. Equal scores are in
 * catalog order, in which the gateway's own tools are last.
 *
 * Tools that share nothing with the query are omitted. When no candidate shares a word, up to ten that resemble the query most are returned, so
 * that only a query without letters returns no tools.
 *
 * Word frequencies are those of the whole snapshot: narrowing the candidates removes tools but does not reorder the others.
 * Only the first 4,096 UTF-16 code units of the query and its first 64 distinct words are used.
 */
export const rankTools = (
  snapshot: CatalogSnapshot,
  query: string,
  candidates: readonly CatalogTool[],
  options: RankOptions = {},
): readonly RankedTool[] => measuredRanking(snapshot, query, candidates, options);

/** A query over some tools of a snapshot, and the requested page of the ranking. */
export interface RankedSearch extends PageRequest, RankOptions {
  readonly query: string;
  readonly candidates: readonly CatalogTool[];
}

/** One page of what {@link rankTools} gives; only that page is put in order. */
export function rankedPage(snapshot: CatalogSnapshot, search: RankedSearch): Page<RankedTool> {
  const { query, candidates, offset = 0, limit = Infinity } = search;
  if (search.nearest !== undefined) {
    const all = rankTools(snapshot, query, candidates, search);
    const items = all.slice(offset, offset + limit);
    return { items, total: all.length, truncated: offset + limit < all.length };
  }
  const keys = keysOf(snapshot, { query, candidates, options: search });
  const end = Math.min(keys.length, offset + limit);
  const items = toolsOfKeys(snapshot, best(keys, end).subarray(offset, end));
  return { items, total: keys.length, truncated: end < keys.length };
}
