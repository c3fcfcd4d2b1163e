import { readInShares } from './comparisons.ts';
import { VARIANT_WEIGHTS, type Concept } from './query-variants.ts';
import type { SearchIndex } from './search-index.ts';
import { resemblingWords } from './spelling.ts';
import { stemOf } from './stem.ts';
import { writtenWords } from './words.ts';

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
  const words = [...new Set(writtenWords(query))].filter((word) => HAS_LETTERS.test(word));
  const used = words.slice(0, MAX_WORDS);
  return used.map((word) => {
    const comparisons = { left: Math.floor(MAX_COMPARISONS / used.length) };
    const similar = readInShares(lists, comparisons, (list, share) =>
      resemblingWords(stemOf(word), list, MIN_LIKENESS, share),
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
export const hasLetters = (query: string): boolean =>
  writtenWords(query).some((word) => HAS_LETTERS.test(word));
