/** The comparisons of words that a reader may still make; it counts them down. */
export interface Comparisons {
  left: number;
}

/** Returns whether one more comparison may be made, and counts it. */
function takeComparison(comparisons: Comparisons): boolean {
  if (comparisons.left <= 0) return false;
  comparisons.left -= 1;
  return true;
}

/**
 * Reads lists of words with a bounded number of comparisons, which is counted down, and returns what was found in the order of the lists. Each
 * list has an equal share, and what short lists leave of theirs goes to the longer ones: many words in one list do not take the comparisons from
 * the others.
 */
export function readInShares<List extends { readonly words: readonly string[] }, T>(
  lists: readonly List[],
  comparisons: Comparisons,
  read: (list: List, share: Comparisons) => readonly T[],
): readonly T[] {
  const byLength = [...lists.entries()].sort(([, a], [, b]) => a.words.length - b.words.length);
  const found: (readonly T[])[] = [];
  for (const [place, [index, list]] of byLength.entries()) {
    const size = Math.floor(comparisons.left / (byLength.length - place));
    const share = { left: size };
    found[index] = read(list, share);
    comparisons.left -= size - share.left;
  }
  return found.flat();
}

/** Letters of a word up to which one mistake is corrected; of a longer one, two. */
const ONE_MISTAKE_LETTERS = 7;

/** Fewest letters of a word that is corrected: shorter ones resemble too many others. */
const MIN_CORRECTED = 4;

/** Returns how many mistakes are corrected in a word of this length. */
export function computeMistakeLimit(length: number): number {
  if (length < MIN_CORRECTED) return 0;
  return length <= ONE_MISTAKE_LETTERS ? 1 : 2;
}

/** Words with a bit set of the letters of each, to find similar ones without comparing letter by letter. */
export interface WordList {
  readonly words: readonly string[];
  readonly masks: Uint32Array;
}

/** Words that differ in few characters have sets that differ in few bits. */
function letterMask(word: string): number {
  let mask = 0;
  for (let index = 0; index < word.length; index += 1) mask |= 1 << (word.charCodeAt(index) & 31);
  return mask >>> 0;
}

export const createWordList = (words: readonly string[]): WordList => ({
  words,
  masks: Uint32Array.from(words, letterMask),
});

/** Returns the number of bits of a 32-bit number that are set, by sums of adjacent groups of bits. */
export function countBits(mask: number): number {
  const pairs = mask - ((mask >>> 1) & 0x5555_5555);
  const quads = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((quads + (quads >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** The rows of the table of distances: the current one and the two before it. */
interface Rows {
  readonly current: number[];
  readonly previous: readonly number[];
  readonly beforePrevious: readonly number[];
}

/** Returns whether the letters before two places are swapped. */
const isSwap = (a: string, b: string, row: number, column: number): boolean =>
  row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];

/** Fills a row and returns its least distance. */
function fillRow(a: string, b: string, row: number, rows: Rows): number {
  const { current, previous, beforePrevious } = rows;
  current[0] = row;
  let least = row;
  for (let column = 1; column <= b.length; column += 1) {
    const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
    const inserted = Math.min(previous[column] ?? 0, current[column - 1] ?? 0) + 1;
    const swapped = isSwap(a, b, row, column) ? (beforePrevious[column - 2] ?? 0) + 1 : inserted;
    const distance = Math.min(replaced, inserted, swapped);
    current[column] = distance;
    if (distance < least) least = distance;
  }
  return least;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours that make one word the other (Damerau and Levenshtein,
 * optimal string alignment), or `limit + 1` when there are more than `limit`.
 */
export function countMistakes(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current: number[] = [];
    if (fillRow(a, b, row, { current, previous, beforePrevious }) > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(previous[b.length] ?? 0, limit + 1);
}

/** A word that resembles another one. */
export interface SimilarWord {
  readonly word: string;
  readonly mistakes: number;
}

const unbounded = (): Comparisons => ({ left: Infinity });

/**
 * Returns the words of a list with at most `limit` mistakes between them and a word, in the order of the list. Words after the last comparison
 * are not read; lengths and sets of letters are not counted as comparisons.
 */
export function listSimilarWords(
  word: string,
  { words, masks }: WordList,
  limit: number,
  comparisons: Comparisons = unbounded(),
): readonly SimilarWord[] {
  const mask = letterMask(word);
  const found: SimilarWord[] = [];
  for (let index = 0; index < words.length; index += 1) {
    // A mistake changes at most two letters of the set.
    if (countBits(mask ^ (masks[index] ?? 0)) > 2 * limit) continue;
    const other = words[index] ?? '';
    if (Math.abs(word.length - other.length) > limit) continue;
    if (!takeComparison(comparisons)) break;
    const mistakes = countMistakes(word, other, limit);
    if (mistakes <= limit) found.push({ word: other, mistakes });
  }
  return found;
}

/** Length of the parts of words that are compared when nothing else is similar. */
const GRAM = 3;

/** Returns the distinct runs of three characters of a word, whose beginning and end are marked. */
function gramsOf(word: string): ReadonlySet<string> {
  const marked = `^${word}$`;
  return new Set(
    Array.from({ length: marked.length - GRAM + 1 }, (_, at) => marked.slice(at, at + GRAM)),
  );
}

/** A word that shares parts with another one, and the share: 1 is the same word. */
export interface ResemblingWord {
  readonly word: string;
  readonly likeness: number;
}

/**
 * Returns the words that share at least `least` of their runs of three characters with a word (Dice), in the order of the list. Words after the
 * last comparison are not read.
 */
export function listResemblingWords(
  word: string,
  { words, masks }: WordList,
  least: number,
  comparisons: Comparisons = unbounded(),
): readonly ResemblingWord[] {
  const grams = gramsOf(word);
  const mask = letterMask(word);
  const found: ResemblingWord[] = [];
  for (const [index, other] of words.entries()) {
    if (countBits(mask & (masks[index] ?? 0)) < GRAM - 1) continue;
    if (!takeComparison(comparisons)) break;
    const others = gramsOf(other);
    let shared = 0;
    for (const gram of others) if (grams.has(gram)) shared += 1;
    const likeness = (2 * shared) / (grams.size + others.size);
    if (likeness >= least) found.push({ word: other, likeness });
  }
  return found;
}
