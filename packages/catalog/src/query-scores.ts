import type { Concept, Variant } from './query-variants.ts';
import type { SearchIndex } from './search-index.ts';
import type { SearchVocabulary } from './search-vocabulary.ts';

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
const rarityOf = (tools: number, count: number): number =>
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
function weighed(
  { variants }: Concept,
  size: number,
  vocabulary: SearchVocabulary,
): readonly Weighed[] {
  const rarity = ({ stem }: Variant): number => rarityOf(size, vocabulary.count(stem));
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
export function scoresOf(
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
    const variants = weighed(concept, index.size, vocabulary);
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
