import type { CatalogTool } from './catalog-tool.ts';
import {
  filterTools,
  type Page,
  toPage,
  type PageRequest,
  type ToolFilters,
  type FilterError,
} from './filter-tools.ts';
import { planQuery } from './query-plan.ts';
import { type Concept, type MatchKind, type Variant, VARIANT_WEIGHTS } from './query-reading.ts';
import {
  addNameHits,
  addServerScores,
  NAME_HIT_SCORE,
  computeToolScores,
  SearchVocabulary,
} from './query-scores.ts';
import { type SearchIndex, searchIndex, readToolTexts } from './search-index.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import { readGeneralThesaurus, type Thesaurus } from './thesaurus.ts';
import { toStem, listPlainWords, readInShares, listResemblingWords } from './words.ts';

/** Units per score of 1. Scores are rounded to whole units; a match scores at least one unit. */
const SCORE_UNITS = 10_000;

/** A tool that a query found. */
export interface RankedTool {
  readonly tool: CatalogTool;
  /** Higher is better; four decimals, at least 0.0001. Comparable within one answer only. */
  readonly score: number;
}

/** The most words of a query that are guessed, and words of tools for each. */
const MAX_WORDS = 4;
const MAX_GUESSES = 8;

/** The most comparisons with words of the catalog, in equal parts for the words of the query. */
const MAX_COMPARISONS = 16_000;

/** The least share of common parts of two words that resemble each other. */
const MIN_LIKENESS = 0.25;

const HAS_LETTERS = /\p{L}/u;

/**
 * Returns, for a query of whose words nothing is known, the words of tools that share parts with its words. The first words with letters of
 * the query are used.
 */
export function guessConcepts(query: string, { segments }: SearchIndex): readonly Concept[] {
  const lists = segments.map(({ segment }) => segment.words);
  const words = [...new Set(listPlainWords(query))].filter((word) => HAS_LETTERS.test(word));
  const used = words.slice(0, MAX_WORDS);
  return used.map((word) => {
    const comparisons = { left: Math.floor(MAX_COMPARISONS / used.length) };
    const similar = readInShares(lists, comparisons, (list, share) =>
      listResemblingWords(toStem(word), list, MIN_LIKENESS, share),
    );
    const best = [...similar].sort((a, b) => b.likeness - a.likeness).slice(0, MAX_GUESSES);
    const variants = best.map(({ word: stem, likeness }) => ({
      stem,
      kind: 'similar' as const,
      weight: likeness * VARIANT_WEIGHTS.synonym,
    }));
    return { text: word, weight: 1, variants };
  });
}

/** Returns whether a query has a letter in the part that is read. */
const hasLetters = (query: string): boolean =>
  listPlainWords(query).some((word) => HAS_LETTERS.test(word));

/** The constant of reciprocal rank fusion: the greater, the less the first places count compared with the next ones. */
const RANK_CONSTANT = 60;

const computeShare = (rank: number): number => 1 / (RANK_CONSTANT + rank + 1);

/**
 * Fuses two rankings by reciprocal rank: a tool scores the sum of 1/(60 + its place) in each. Tools whose names are or begin with the query stay
 * first. Equal scores are in catalog order.
 *
 * @param nearest the second ranking, best first
 * @param candidates the tools that are returned
 */
function fuseRankings(
  ranked: readonly RankedTool[],
  nearest: readonly CatalogTool[],
  candidates: ReadonlySet<CatalogTool>,
): readonly RankedTool[] {
  const shares = new Map<CatalogTool, number>();
  for (const [rank, { tool, score }] of ranked.entries()) {
    shares.set(tool, computeShare(rank) + (score >= NAME_HIT_SCORE ? 1 : 0));
  }
  for (const [rank, tool] of nearest.filter((one) => candidates.has(one)).entries()) {
    shares.set(tool, (shares.get(tool) ?? 0) + computeShare(rank));
  }
  return [...shares]
    .map(([tool, share]) => ({ tool, score: Math.round(share * SCORE_UNITS) / SCORE_UNITS, share }))
    .sort((a, b) => b.share - a.share || a.tool.position - b.tool.position)
    .map(({ tool, score }) => ({ tool, score: Math.max(1 / SCORE_UNITS, score) }));
}

/** More positions than a catalog has, and few enough that a score and a position fit into one exact number. */
const POSITIONS = 2 ** 24;

/** The most tools that are found by guessing. */
const MAX_GUESSED = 10;

export interface RankOptions {
  /** Default: the general one. */
  readonly thesaurus?: Thesaurus;
  /** Tools of the snapshot that another ranking found, best first; the two are fused. */
  readonly nearest?: readonly CatalogTool[];
}

/** One number for a score and a position: the better score is greater, then the earlier position. Core tools are the last of a catalog. */
const computeKey = (score: number, position: number): number =>
  Math.max(1, Math.round(score * SCORE_UNITS)) * POSITIONS + (POSITIONS - 1 - position);

/** The keys of the candidates with a score, in no order. */
function computeKeys(
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
    keys[found] = computeKey(score, position);
    found += 1;
  }
  return keys.subarray(0, found);
}

/** The greatest keys, greatest first, without sorting the rest: a page is a few of thousands. */
function selectGreatest(keys: Float64Array, count: number): Float64Array {
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
const selectBest = (keys: Float64Array, count: number): Float64Array =>
  count < keys.length && count <= MAX_PICKED ? selectGreatest(keys, count) : keys.sort().reverse();

const decodeKeys = ({ tools }: CatalogSnapshot, keys: Float64Array): readonly RankedTool[] => {
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
  readonly options: RankOptions;
}

/** The keys of a few tools whose words share parts with those of the query; when there are none, of the first candidates. */
function guessKeys(
  snapshot: CatalogSnapshot,
  { query, candidates, options }: Search,
): Float64Array {
  if (!hasLetters(query)) return new Float64Array();
  const index = searchIndex(snapshot);
  const vocabulary = new SearchVocabulary(index, options.thesaurus ?? readGeneralThesaurus());
  const scores = computeToolScores(guessConcepts(query, index), index, vocabulary);
  const keys = computeKeys(scores, snapshot, candidates);
  if (keys.length > 0) return selectBest(keys, MAX_GUESSED).subarray(0, MAX_GUESSED);
  return Float64Array.from(candidates.slice(0, MAX_GUESSED), ({ position }) =>
    computeKey(0, position),
  );
}

/** The keys of the candidates that have words for which those of the query stand, or names that begin with it, in no order. */
function matchKeys(
  snapshot: CatalogSnapshot,
  { query, candidates, options: { thesaurus = readGeneralThesaurus() } }: Search,
  countsFunctionWords: boolean,
): Float64Array {
  const index = searchIndex(snapshot);
  const vocabulary = new SearchVocabulary(index, thesaurus);
  const concepts = planQuery(query, { thesaurus, vocabulary, countsFunctionWords });
  const scores = computeToolScores(concepts, index, vocabulary);
  addServerScores(scores, index);
  addNameHits(scores, query, index);
  return computeKeys(scores, snapshot, candidates);
}

/** The keys of what a query finds, in no order. Function words count when the others find nothing. */
function listKeys(snapshot: CatalogSnapshot, search: Search): Float64Array {
  const keys = matchKeys(snapshot, search, false);
  if (keys.length > 0) return keys;
  const others = matchKeys(snapshot, search, true);
  return others.length > 0 ? others : guessKeys(snapshot, search);
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
export function rankTools(
  snapshot: CatalogSnapshot,
  query: string,
  candidates: readonly CatalogTool[],
  options: RankOptions = {},
): readonly RankedTool[] {
  const keys = listKeys(snapshot, { query, candidates, options });
  const ranked = decodeKeys(snapshot, selectBest(keys, keys.length));
  const { nearest } = options;
  return nearest === undefined ? ranked : fuseRankings(ranked, nearest, new Set(candidates));
}

/** A query over some tools of a snapshot, and the requested page of the ranking. */
export interface RankedSearch extends PageRequest, RankOptions {
  readonly query: string;
  readonly candidates: readonly CatalogTool[];
}

/** One page of what {@link rankTools} gives; only that page is put in order. */
function rankPage(snapshot: CatalogSnapshot, search: RankedSearch): Page<RankedTool> {
  const { query, candidates, offset = 0, limit = Infinity } = search;
  if (search.nearest !== undefined) {
    const all = rankTools(snapshot, query, candidates, search);
    return toPage(all, search);
  }
  const keys = listKeys(snapshot, { query, candidates, options: search });
  const end = Math.min(keys.length, offset + limit);
  const items = decodeKeys(snapshot, selectBest(keys, end).subarray(offset, end));
  return { items, total: keys.length, truncated: end < keys.length };
}

export interface ToolSearch extends ToolFilters, PageRequest, RankOptions {
  /** Ranks what passes the filters; absent means catalog order. */
  readonly query?: string;
}

/** A tool that was found; it has a score when there was a query. */
export interface FoundTool {
  readonly tool: CatalogTool;
  readonly score?: number;
}

/** The page that was asked for, or why there is none. */
export type SearchOutcome =
  | { readonly ok: true; readonly value: Page<FoundTool> }
  | { readonly ok: false; readonly error: FilterError };

/**
 * Searches tools of one snapshot: filters first, then ranking, then the page.
 *
 * @param candidates tools of the snapshot, in catalog order
 */
export function searchTools(
  snapshot: CatalogSnapshot,
  candidates: readonly CatalogTool[],
  search: ToolSearch,
): SearchOutcome {
  const filtered = filterTools(candidates, search);
  if (!filtered.ok) return filtered;
  if (search.query !== undefined) {
    const { query } = search;
    const page = rankPage(snapshot, { ...search, query, candidates: filtered.value });
    return { ok: true, value: page };
  }
  const page = toPage(filtered.value, search);
  return { ok: true, value: { ...page, items: page.items.map((tool) => ({ tool })) } };
}

/** A word or a phrase of a query, and the word of a tool for which it stands. */
export interface WordMatch {
  readonly query: string;
  readonly tool: string;
  readonly kind: MatchKind;
}

/** The words that a tool and a query share, in the order of the query. A tool that was found by other means has none. */
export interface MatchExplanation {
  readonly tool: CatalogTool;
  readonly matches: readonly WordMatch[];
}

/** The words of a tool as they are written, by stem. */
function indexWords(tool: CatalogTool): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const text of Object.values(readToolTexts(tool)).flat()) {
    const written = listPlainWords(text);
    for (const [index, word] of written.entries()) {
      // The words of names such as `GitHub` are indexed as one as well.
      for (const one of [word, word + (written[index + 1] ?? '')]) {
        if (!words.has(toStem(one))) words.set(toStem(one), one);
      }
    }
  }
  return words;
}

function selectBestMatch(
  { text, variants }: Concept,
  words: ReadonlyMap<string, string>,
): readonly WordMatch[] {
  const found = variants.filter(({ stem }) => words.has(stem));
  const [first, ...rest] = found;
  if (first === undefined) return [];
  const best = rest.reduce<Variant>((a, b) => (b.weight > a.weight ? b : a), first);
  return [{ query: text, tool: words.get(best.stem) ?? best.stem, kind: best.kind }];
}

/** Explains why a query finds tools: the word of each tool that fits each word of the query best. */
export function explainMatches(
  snapshot: CatalogSnapshot,
  query: string,
  tools: readonly CatalogTool[],
  { thesaurus = readGeneralThesaurus() }: Pick<RankOptions, 'thesaurus'> = {},
): readonly MatchExplanation[] {
  const vocabulary = new SearchVocabulary(searchIndex(snapshot), thesaurus);
  const concepts = planQuery(query, { thesaurus, vocabulary });
  return tools.map((tool) => {
    const words = indexWords(tool);
    return { tool, matches: concepts.flatMap((concept) => selectBestMatch(concept, words)) };
  });
}
