import type { CatalogSnapshot } from './snapshot.ts';
import { FIELDS, toolWords, type ToolWords } from './tool-words.ts';

/** Weight of an occurrence by field, in the order of `FIELDS`. */
const FIELD_WEIGHTS: Readonly<Record<(typeof FIELDS)[number], number>> = {
  name: 2,
  summary: 1,
  arguments: 0.5,
};

/** Saturation of repeated words (k1 of BM25). */
const K1 = 1.2;

/** Length normalization (b of BM25): 0 is none, 1 is full. */
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

/** Number of words in a field of a tool. */
const fieldLength = ({ ends }: ToolWords, field: number): number =>
  (ends[field] ?? 0) - (ends[field - 1] ?? 0);

/** The weight of an occurrence in a field of this length: less in a field that is longer than the average one. */
const occurrenceWeight = (fieldWeight: number, length: number, average: number): number =>
  fieldWeight / (1 - B + B * (average === 0 ? 1 : length / average));

function addOccurrence(occurrences: Occurrences, position: number, weight: number): void {
  const { positions, weights } = occurrences;
  const last = positions.length - 1;
  if (positions[last] === position) weights[last] = (weights[last] ?? 0) + weight;
  else {
    positions.push(position);
    weights.push(weight);
  }
}

function addTool(
  byWord: Map<string, Occurrences>,
  tool: ToolWords,
  position: number,
  averages: readonly number[],
): void {
  let at = 0;
  for (const [field, name] of FIELDS.entries()) {
    const length = fieldLength(tool, field);
    const weight = occurrenceWeight(FIELD_WEIGHTS[name], length, averages[field] ?? 0);
    for (const end = at + length; at < end; at += 1) {
      const word = tool.words[at] ?? '';
      let occurrences = byWord.get(word);
      if (occurrences === undefined) {
        occurrences = { positions: [], weights: [] };
        byWord.set(word, occurrences);
      }
      addOccurrence(occurrences, position, weight);
    }
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
    (_, field) => all.reduce((sum, tool) => sum + fieldLength(tool, field), 0) / all.length,
  );
  const byWord = new Map<string, Occurrences>();
  for (const [position, tool] of all.entries()) addTool(byWord, tool, position, averages);
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

/** Returns the search index of a snapshot, built at first use and cached with the snapshot. */
export function searchIndex(snapshot: CatalogSnapshot): SearchIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const index = builtIndex(snapshot);
  indexes.set(snapshot, index);
  return index;
}

/**
 * Builds the search index of a snapshot before its first query. Words of tools that an earlier index contains are reused.
 */
export function prepareSearch(snapshot: CatalogSnapshot): void {
  searchIndex(snapshot);
}
