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
import type { Concept, MatchKind, Variant } from './query-reading.ts';
import {
  addNameHits,
  addServerScores,
  NAME_HIT_SCORE,
  computeToolScores,
  SearchVocabulary,
} from './query-scores.ts';
import { type SearchIndex, searchIndex, readToolTexts } from './search-index.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import { isFunctionWord, readGeneralThesaurus, type Thesaurus } from './thesaurus.ts';
import { toStem, listPlainWords, readInShares, listSimilarWords } from './words.ts';

/** Units per score of 1. Scores are rounded to whole units; a match scores at least one unit. */
const SCORE_UNITS = 10_000;

/** A tool that a query found. */
export interface RankedTool {
  readonly tool: CatalogTool;
  /** Higher is better; four decimals, at least 0.0001. Comparable within one answer only. */
  readonly score: number;
}

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

const decodeScore = (key: number): number => Math.floor(key / POSITIONS) / SCORE_UNITS;

const decodeKeys = ({ tools }: CatalogSnapshot, keys: Float64Array): readonly RankedTool[] => {
  const ranked: RankedTool[] = [];
  for (const key of keys) {
    const tool = tools[POSITIONS - 1 - (key % POSITIONS)];
    if (tool !== undefined) ranked.push({ tool, score: decodeScore(key) });
  }
  return ranked;
};

/** A query over some tools of a snapshot, and the requested page of the ranking. */
interface RankedSearch extends PageRequest, RankOptions {
  readonly query: string;
  readonly candidates: readonly CatalogTool[];
}

/** The keys of the candidates that have words for which those of the query stand, or names that begin with it, in no order. */
function matchKeys(
  snapshot: CatalogSnapshot,
  { query, candidates, thesaurus = readGeneralThesaurus() }: RankedSearch,
): Float64Array {
  const index = searchIndex(snapshot);
  const vocabulary = new SearchVocabulary(index, thesaurus);
  const scores = computeToolScores(planQuery(query, { thesaurus, vocabulary }), index, vocabulary);
  addServerScores(scores, index);
  addNameHits(scores, query, index);
  return computeKeys(scores, snapshot, candidates);
}

/** Matches whose words score less than this share of the best are left out: scores fall off before them. */
const LEAST_SHARE = 1 / 6;

/** Returns whether a match is related to the query: its words score well compared with the best, or its name is or begins with the query. */
function createRelevanceTest(keys: Float64Array): (key: number) => boolean {
  const best = keys.reduce((most, key) => Math.max(most, decodeScore(key) % NAME_HIT_SCORE), 0);
  return (key) => decodeScore(key) >= LEAST_SHARE * best;
}

/**
 * Ranks tools by the relevance of their names, servers, descriptions and arguments to a query (BM25F over its words, their synonyms,
 * translations and corrections), best first. A tool whose name is the query or begins with it comes before all others. Equal scores are in
 * catalog order, in which the gateway's own tools are last.
 *
 * Tools that share nothing with the query are omitted, and so are those that score less than a sixth of the best.
 *
 * Word frequencies are those of the whole snapshot: narrowing the candidates does not reorder the others.
 * Only the first 4,096 UTF-16 code units of the query and its first 64 distinct words are used.
 */
export const rankTools = (
  snapshot: CatalogSnapshot,
  query: string,
  candidates: readonly CatalogTool[],
  options: RankOptions = {},
): readonly RankedTool[] => rankPage(snapshot, { ...options, query, candidates }).items;

/** One page of what {@link rankTools} gives; only that page is put in order. */
function rankPage(
  snapshot: CatalogSnapshot,
  search: RankedSearch,
): Page<RankedTool> & Pick<FoundPage, 'leftOut'> {
  const { candidates, nearest, offset = 0, limit = Infinity } = search;
  const keys = matchKeys(snapshot, search);
  const related = keys.filter(createRelevanceTest(keys));
  if (nearest !== undefined) {
    const ranked = decodeKeys(snapshot, selectBest(keys, keys.length));
    const shown = new Set([...decodeKeys(snapshot, related).map(({ tool }) => tool), ...nearest]);
    const all = fuseRankings(ranked, nearest, new Set(candidates));
    const page = toPage(
      all.filter(({ tool }) => shown.has(tool)),
      search,
    );
    return { ...page, leftOut: all.length - page.total };
  }
  const end = Math.min(related.length, offset + limit);
  const items = decodeKeys(snapshot, selectBest(related, end).subarray(offset, end));
  const total = related.length;
  return { items, total, truncated: end < total, leftOut: keys.length - total };
}

/** The most words of a query, and words of tools, that are considered as the closest ones. */
const MAX_WORDS = 4;
const MAX_SIMILAR = 8;

/** The most comparisons with words of the catalog, in equal parts for the words of the query. */
const MAX_COMPARISONS = 16_000;

/** The most mistakes between a word of a query and the closest word of a tool, and the letters of a word for each. */
const MAX_MISTAKES = 3;
const LETTERS_PER_MISTAKE = 3;

const HAS_LETTERS = /\p{L}/u;

/** Returns, for a query that matches none of the candidates, the word of one that is spelled most like a word of the query. */
function findClosestWord(
  snapshot: CatalogSnapshot,
  query: string,
  candidates: readonly CatalogTool[],
): string | undefined {
  const { segments } = searchIndex(snapshot);
  const words = [...new Set(listPlainWords(query))].filter(
    (word) => HAS_LETTERS.test(word) && !isFunctionWord(word, 'en'),
  );
  const lists = segments.map(({ segment }) => segment.words);
  const share = Math.floor(MAX_COMPARISONS / MAX_WORDS);
  const similar = words.slice(0, MAX_WORDS).flatMap((word) => {
    const stem = toStem(word);
    const mistakes = Math.min(MAX_MISTAKES, Math.floor(stem.length / LETTERS_PER_MISTAKE));
    return readInShares(lists, { left: share }, (list, comparisons) =>
      listSimilarWords(stem, list, mistakes, comparisons),
    );
  });
  const closest = similar.toSorted((a, b) => a.mistakes - b.mistakes).slice(0, MAX_SIMILAR);
  const positions = new Set(candidates.map(({ position }) => position));
  for (const { word } of closest) {
    const position = listPositions(word, segments).find((one) => positions.has(one));
    const tool = snapshot.tools[position ?? -1];
    if (tool !== undefined) return indexWords(tool).get(word) ?? word;
  }
  return undefined;
}

/** The positions of the tools that have a word. */
const listPositions = (word: string, segments: SearchIndex['segments']): readonly number[] =>
  segments.flatMap(({ segment, positions }) =>
    Array.from(segment.posting(word)?.slots ?? [], (slot) => positions[slot] ?? -1),
  );

export interface ToolSearch extends ToolFilters, PageRequest, RankOptions {
  /** Ranks what passes the filters; absent means catalog order. */
  readonly query?: string;
}

/** A tool that was found; it has a score when there was a query. */
export interface FoundTool {
  readonly tool: CatalogTool;
  readonly score?: number;
}

/** A page of the tools that were found. */
export interface FoundPage extends Page<FoundTool> {
  /** Number of tools that match the query and are omitted because they score far below the best. */
  readonly leftOut: number;
  /** When nothing matches the query: the word of a tool that is spelled most like one of its words. */
  readonly closest?: string;
}

/** The page that was asked for, or why there is none. */
export type SearchOutcome =
  | { readonly ok: true; readonly value: FoundPage }
  | { readonly ok: false; readonly error: FilterError };

/**
 * Searches tools of one snapshot: filters first, then ranking, then the page.
 *
 * @param all tools of the snapshot, in catalog order
 */
export function searchTools(
  snapshot: CatalogSnapshot,
  all: readonly CatalogTool[],
  search: ToolSearch,
): SearchOutcome {
  const filtered = filterTools(all, search);
  if (!filtered.ok) return filtered;
  const { query } = search;
  const candidates = filtered.value;
  if (query === undefined) {
    const page = toPage(candidates, search);
    return {
      ok: true,
      value: { ...page, items: page.items.map((tool) => ({ tool })), leftOut: 0 },
    };
  }
  const page = rankPage(snapshot, { ...search, query, candidates });
  const closest = page.total === 0 ? findClosestWord(snapshot, query, candidates) : undefined;
  return { ok: true, value: { ...page, ...(closest !== undefined && { closest }) } };
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
