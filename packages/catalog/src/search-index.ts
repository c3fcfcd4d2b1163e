import type { CatalogSnapshot } from './snapshot.ts';
import { FIELDS, toolWords, type ToolWords } from './tool-words.ts';

/** How much an occurrence counts, by field, in the order of `FIELDS`. */
const FIELD_WEIGHTS: Readonly<Record<(typeof FIELDS)[number], number>> = {
  name: 2,
  summary: 1,
  arguments: 0.5,
};

/** How fast repeats of a word stop to add to the score. */
const K1 = 1.2;

/** How much long fields are held against a tool: 0 not at all, 1 in proportion. */
const B = 0.75;

/** The tools that have a word, by position, and what each scores for it. */
export interface Posting {
  readonly positions: Uint32Array;
  readonly scores: Float64Array;
}

/** Answers which tools have a word. Immutable. */
export interface SearchIndex {
  /** @param word as `wordsOf` gives it */
  posting(word: string): Posting | undefined;
}

interface Occurrences {
  readonly positions: number[];
  /** The sums of the weighted occurrences over the fields. */
  readonly weights: number[];
}

/** The weight of an occurrence in each field of a tool: less in a field that is longer than the average one. */
function occurrenceWeights(lengths: readonly number[], averages: readonly number[]): number[] {
  return FIELDS.map((field, index) => {
    const average = averages[index] ?? 0;
    const relative = average === 0 ? 1 : (lengths[index] ?? 0) / average;
    return FIELD_WEIGHTS[field] / (1 - B + B * relative);
  });
}

function addOccurrences(
  byWord: Map<string, Occurrences>,
  { words, counts }: ToolWords,
  position: number,
  weights: readonly number[],
): void {
  let at = 0;
  for (const word of words) {
    let weight = 0;
    for (const fieldWeight of weights) {
      weight += (counts[at] ?? 0) * fieldWeight;
      at += 1;
    }
    let occurrences = byWord.get(word);
    if (occurrences === undefined) {
      occurrences = { positions: [], weights: [] };
      byWord.set(word, occurrences);
    }
    occurrences.positions.push(position);
    occurrences.weights.push(weight);
  }
}

function postingOf({ positions, weights }: Occurrences, tools: number): Posting {
  const rarity = Math.log(1 + (tools - positions.length + 0.5) / (positions.length + 0.5));
  const scores = Float64Array.from(
    weights,
    (weight) => (rarity * weight * (K1 + 1)) / (weight + K1),
  );
  return { positions: Uint32Array.from(positions), scores };
}

function builtIndex(snapshot: CatalogSnapshot): SearchIndex {
  const all = snapshot.tools.map(toolWords);
  const averages = FIELDS.map(
    (_, field) => all.reduce((sum, { lengths }) => sum + (lengths[field] ?? 0), 0) / all.length,
  );
  const byWord = new Map<string, Occurrences>();
  for (const [position, words] of all.entries()) {
    addOccurrences(byWord, words, position, occurrenceWeights(words.lengths, averages));
  }
  const postings = new Map<string, Posting>();
  return {
    posting(word) {
      const occurrences = byWord.get(word);
      if (occurrences === undefined) return undefined;
      const posting = postings.get(word) ?? postingOf(occurrences, all.length);
      postings.set(word, posting);
      return posting;
    },
  };
}

const indexes = new WeakMap<CatalogSnapshot, SearchIndex>();

/** The search index of a snapshot, built at the first use and kept as long as the snapshot. */
export function searchIndex(snapshot: CatalogSnapshot): SearchIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const index = builtIndex(snapshot);
  indexes.set(snapshot, index);
  return index;
}

/**
 * Builds the search index of a snapshot ahead of its first query, for a caller that would rather wait now.
 * Tools that an earlier index has read are not read again.
 */
export function prepareSearch(snapshot: CatalogSnapshot): void {
  searchIndex(snapshot);
}
