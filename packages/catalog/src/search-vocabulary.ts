import { readInShares } from './comparisons.ts';
import type { Vocabulary } from './query-reading.ts';
import type { PlacedSegment, SearchIndex } from './search-index.ts';
import { similarWords, wordListOf, type WordList } from './spelling.ts';
import type { Thesaurus } from './thesaurus.ts';

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

function wordListOfThesaurus(thesaurus: Thesaurus): WordList {
  const known = thesaurusLists.get(thesaurus);
  if (known !== undefined) return known;
  const list = wordListOf([...thesaurus.stems]);
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
    const costs = this.#costsOf(stem, mistakes);
    const best = Math.min(...costs.values());
    return [...costs]
      .filter(([, cost]) => cost < best + COST_RANGE)
      .sort(([a, aCost], [b, bCost]) => aCost - bCost || this.count(b) - this.count(a))
      .slice(0, MAX_CORRECTIONS)
      .map(([word]) => word);
  }

  #costsOf(stem: string, limit: number): ReadonlyMap<string, number> {
    const lists = this.#index.segments.map(({ segment }) => segment.words);
    const costs = new Map<string, number>();
    const half = Math.floor(this.#comparisons / 2);
    const comparisons = { left: half };
    const similar = readInShares(
      [...lists, wordListOfThesaurus(this.#thesaurus)],
      comparisons,
      (list, share) => similarWords(stem, list, limit, share),
    );
    this.#comparisons -= half - comparisons.left;
    for (const { word, mistakes } of similar) {
      const first = word[0] === stem[0] ? 0 : FIRST_LETTER_COST;
      costs.set(word, mistakes + first + LENGTH_COST * Math.abs(word.length - stem.length));
    }
    return costs;
  }
}
