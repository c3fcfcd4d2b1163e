import { EXPOSED_PREFIX } from './catalog-tool.ts';
import type { Concept, Variant, Vocabulary } from './query-reading.ts';
import { type PlacedSegment, toPlainName, type SearchIndex } from './search-index.ts';
import type { Thesaurus } from './thesaurus.ts';
import { readInShares, listSimilarWords, type WordList, createWordList } from './words.ts';

/** Maximum number of corrections of a word. */
const MAX_CORRECTIONS = 3;

/** Maximum number of words of a query that are corrected. */
const MAX_CORRECTED_WORDS = 8;

/** Maximum number of comparisons of words, letter by letter, for one query. A word uses at most half of those that are left. */
const MAX_COMPARISONS = 8000;

/** A mistake in the first letter is rare; so is one that changes the length of a word. In mistakes. */
const FIRST_LETTER_COST = 0.5;
const LENGTH_COST = 0.01;

/** Corrections that cost more than the best one by this much are left out. */
const COST_RANGE = 0.4;

function countIn({ segment, positions, live }: PlacedSegment, stem: string): number {
  const posting = segment.posting(stem);
  if (posting === undefined) return 0;
  if (live === segment.tools.length) return posting.slots.length;
  let count = 0;
  for (const slot of posting.slots) if ((positions[slot] ?? -1) >= 0) count += 1;
  return count;
}

const thesaurusLists = new WeakMap<Thesaurus, WordList>();

function getWordList(thesaurus: Thesaurus): WordList {
  const known = thesaurusLists.get(thesaurus);
  if (known !== undefined) return known;
  const list = createWordList([...thesaurus.stems]);
  thesaurusLists.set(thesaurus, list);
  return list;
}

/** The words of an index, for one query. */
export class SearchVocabulary implements Vocabulary {
  readonly #index: SearchIndex;
  readonly #thesaurus: Thesaurus;
  readonly #counts = new Map<string, number>();
  #corrected = 0;
  #comparisons = MAX_COMPARISONS;

  constructor(index: SearchIndex, thesaurus: Thesaurus) {
    this.#index = index;
    this.#thesaurus = thesaurus;
  }

  /** Returns the number of tools that have a word. */
  count(stem: string): number {
    const known = this.#counts.get(stem);
    if (known !== undefined) return known;
    const count = this.#index.segments.reduce((sum, segment) => sum + countIn(segment, stem), 0);
    this.#counts.set(stem, count);
    return count;
  }

  has(stem: string): boolean {
    return this.count(stem) > 0;
  }

  /** Corrects to words of tools and of the thesaurus. */
  corrections(stem: string, mistakes: number): readonly string[] {
    this.#corrected += 1;
    if (this.#corrected > MAX_CORRECTED_WORDS) return [];
    const costs = this.#computeCosts(stem, mistakes);
    const best = Math.min(...costs.values());
    return [...costs]
      .filter(([, cost]) => cost < best + COST_RANGE)
      .sort(([a, aCost], [b, bCost]) => aCost - bCost || this.count(b) - this.count(a))
      .slice(0, MAX_CORRECTIONS)
      .map(([word]) => word);
  }

  #computeCosts(stem: string, limit: number): ReadonlyMap<string, number> {
    const lists = this.#index.segments.map(({ segment }) => segment.words);
    const costs = new Map<string, number>();
    const half = Math.floor(this.#comparisons / 2);
    const comparisons = { left: half };
    const similar = readInShares(
      [...lists, getWordList(this.#thesaurus)],
      comparisons,
      (list, share) => listSimilarWords(stem, list, limit, share),
    );
    this.#comparisons -= half - comparisons.left;
    for (const { word, mistakes } of similar) {
      const first = word[0] === stem[0] ? 0 : FIRST_LETTER_COST;
      costs.set(word, mistakes + first + LENGTH_COST * Math.abs(word.length - stem.length));
    }
    return costs;
  }
}

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
function computeNameHit({ own, exposed }: Names, query: string): number {
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
  const asked = toPlainName(query);
  if (asked.length < MIN_NAME) return;
  for (const { segment, positions } of segments) {
    // A plain loop: entries of an iterator are objects, ten thousand for each query.
    for (let slot = 0; slot < positions.length; slot += 1) {
      const position = positions[slot] ?? -1;
      const names = segment.names[slot];
      if (position < 0 || names === undefined) continue;
      const hit = computeNameHit(names, asked);
      if (hit > 0) scores[position] = (scores[position] ?? 0) + hit;
    }
  }
}

/** The share of the mean score of the best tools of a server that all its tools gain, and the number of best tools. */
const SERVER_SHARE = 0.25;
const SERVER_TOOLS = 3;

/** Puts a value in its place among the best ones of a server, which are in descending order from `start` on. */
function insert(best: Float64Array, start: number, value: number): void {
  let rest = value;
  for (let at = start; at < start + SERVER_TOOLS; at += 1) {
    const known = best[at] ?? 0;
    if (rest <= known) continue;
    best[at] = rest;
    rest = known;
  }
}

/** The mean of the best scores of each server, by its number. Missing ones count as 0, so that a server needs several tools that fit. */
function computeMeans(scores: Float64Array, { servers, serverCount }: SearchIndex): Float64Array {
  const best = new Float64Array(serverCount * SERVER_TOOLS);
  // Plain loops: entries of an iterator are objects, ten thousand for each query.
  for (let position = 0; position < scores.length; position += 1) {
    const score = scores[position] ?? 0;
    if (score > 0) insert(best, (servers[position] ?? 0) * SERVER_TOOLS, score);
  }
  return Float64Array.from({ length: serverCount }, (_, server) => {
    const own = best.subarray(server * SERVER_TOOLS, (server + 1) * SERVER_TOOLS);
    return own.reduce((sum, score) => sum + score, 0) / SERVER_TOOLS;
  });
}

/** Raises the scores of the tools of a server by what its best ones score: a server that fits is more likely to have the tool that fits. */
export function addServerScores(scores: Float64Array, index: SearchIndex): void {
  const means = computeMeans(scores, index);
  for (let position = 0; position < scores.length; position += 1) {
    const score = scores[position] ?? 0;
    const server = index.servers[position] ?? 0;
    if (score > 0 && server > 0) scores[position] = score + SERVER_SHARE * (means[server] ?? 0);
  }
}

/** Words other than those of the query that more than this share of the tools have are left out: they distinguish nothing. */
const COMMON_SHARE = 0.34;

/** Fewest tools of a catalog for which a word can be common. */
const MIN_COMMON_TOOLS = 20;

/** The additional score of a tool with all the words of the query, as a share of the sum of its words. */
const COVERAGE_SHARE = 0.6;

/** The share of the score of a further word of a tool that matches the same word of the query. */
const FURTHER_SHARE = 0.3;

/** The most tools that are visited for other words than those of the query, over all words: a bound for queries of many common words. */
const MAX_VISITED = 250_000;

/** How rare a word is (the inverse document frequency of BM25). */
const computeRarity = (tools: number, count: number): number =>
  Math.log(1 + (tools - count + 0.5) / (count + 0.5));

/** A variant with the value of a match. */
interface Weighed {
  readonly stem: string;
  readonly weight: number;
  /** Number of tools that have it. */
  readonly count: number;
  /** It is the word of the query itself. */
  readonly isWord: boolean;
}

/** The scores of one word or phrase of the query. The arrays are used for one after the other. */
class ConceptScores {
  readonly #scores: Float64Array;
  readonly #found: Uint32Array;
  #count = 0;

  constructor(size: number) {
    this.#scores = new Float64Array(size);
    this.#found = new Uint32Array(size);
  }

  add(index: SearchIndex, { stem, weight }: Weighed): void {
    for (const { segment, positions } of index.segments) {
      const posting = segment.posting(stem);
      if (posting === undefined) continue;
      const { slots, values } = posting;
      // A plain loop: a common word has a posting for every tool of the catalog.
      for (let at = 0; at < slots.length; at += 1) {
        const position = positions[slots[at] ?? 0] ?? -1;
        if (position >= 0) this.#addOne(position, weight * (values[at] ?? 0));
      }
    }
  }

  /** Passes the scores on, and starts again. */
  drain(take: (position: number, score: number) => void): void {
    for (let at = 0; at < this.#count; at += 1) {
      const position = this.#found[at] ?? 0;
      take(position, this.#scores[position] ?? 0);
      this.#scores[position] = 0;
    }
    this.#count = 0;
  }

  #addOne(position: number, value: number): void {
    const known = this.#scores[position] ?? 0;
    if (known === 0) {
      this.#found[this.#count] = position;
      this.#count += 1;
    }
    const [more, less] = value > known ? [value, known] : [known, value];
    this.#scores[position] = more + FURTHER_SHARE * less;
  }
}

/** Another word is at most as rare as the word of the query itself: a rare synonym of a common word says no more than the word. */
function computeVariantWeights(
  { variants }: Concept,
  size: number,
  vocabulary: SearchVocabulary,
): readonly Weighed[] {
  const rarity = ({ stem }: Variant): number => computeRarity(size, vocabulary.count(stem));
  const most = Math.max(0, ...variants.filter(({ kind }) => kind === 'word').map(rarity));
  const isUsed = (variant: Variant): boolean => {
    const count = vocabulary.count(variant.stem);
    if (count === 0) return false;
    return variant.kind === 'word' || size < MIN_COMMON_TOOLS || count <= size * COMMON_SHARE;
  };
  return variants.filter(isUsed).map((variant) => {
    const own = rarity(variant);
    return {
      stem: variant.stem,
      weight: variant.weight * (most > 0 ? Math.min(most, own) : own),
      count: vocabulary.count(variant.stem),
      isWord: variant.kind === 'word',
    };
  });
}

/** Returns the score of each tool by its position, 0 for one without any word that the query stands for. */
export function computeToolScores(
  concepts: readonly Concept[],
  index: SearchIndex,
  vocabulary: SearchVocabulary,
): Float64Array {
  const scores = new Float64Array(index.size);
  const covered = new Float64Array(index.size);
  const ofConcept = new ConceptScores(index.size);
  let whole = 0;
  let visits = MAX_VISITED;
  for (const concept of concepts) {
    const variants = computeVariantWeights(concept, index.size, vocabulary);
    const most = Math.max(0, ...variants.map(({ weight }) => weight));
    whole += concept.weight * most;
    for (const variant of variants) {
      if (!variant.isWord) visits -= variant.count;
      if (variant.isWord || visits >= 0) ofConcept.add(index, variant);
    }
    ofConcept.drain((position, score) => {
      scores[position] = (scores[position] ?? 0) + concept.weight * score;
      covered[position] = (covered[position] ?? 0) + concept.weight * Math.min(most, score);
    });
  }
  for (let position = 0; whole > 0 && position < scores.length; position += 1) {
    const coverage = (covered[position] ?? 0) / whole;
    scores[position] = (scores[position] ?? 0) * (1 + COVERAGE_SHARE * coverage);
  }
  return scores;
}
