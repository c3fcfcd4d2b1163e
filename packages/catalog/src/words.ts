/** Matches a text in ASCII. */
const ASCII = /^\p{ASCII}*$/u;
const MARKS = /\p{M}+/gu;

/**
 * Returns a text without the differences that people leave out when they search: compatibility forms, accents and `ß`. The case stays.
 * A text in ASCII is returned as it is.
 */
function foldText(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replaceAll('ß', 'ss').normalize('NFKD').replace(MARKS, '').normalize('NFC');
}

/** Words shorter than this are not stemmed: stemming would merge unrelated words. */
const MIN_STEMMED = 3;

const VOWEL = /[aeiouy]/;

/** Cuts a plural: `queries` → `query`, `boxes` → `boxe`, `files` → `file`; `status`, `class` and `basis` stay. */
function toSingular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Cuts `-ing` and `-ed` where a word is left, and the doubled consonant that they brought. */
function toVerbStem(word: string): string {
  const ending = ['ing', 'ed'].find((one) => word.endsWith(one));
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (stem.length < MIN_STEMMED || !VOWEL.test(stem)) return word;
  return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

/**
 * Brings the common endings of an English word together: plurals, `-ing`, `-ed`, a final `e` and a final `y`.
 * Light on purpose: it is meant for tool names and one-line descriptions, where a stem cut too short costs more than a missed one.
 *
 * @param word in lower case; one that is not English stays as it is or loses an ending, always the same way
 */
export function toStem(word: string): string {
  if (word.length <= MIN_STEMMED) return word;
  const stem = toVerbStem(toSingular(word));
  if (stem.length <= MIN_STEMMED) return stem;
  if (stem.endsWith('e')) return stem.slice(0, -1);
  return stem.endsWith('y') ? `${stem.slice(0, -1)}i` : stem;
}

/** Endings of German, Spanish, French and Portuguese verbs, nouns and adjectives, without accents, the longest first. */
const FOREIGN_ENDINGS =
  'issements issement ungen ieren ando endo indo ados adas idos idas ante ment tion ungs eren ung est ent ons ont ait ado ada ido ida ant ees ar er ir re en em es os as is st te et e a o s n t r'.split(
    ' ',
  );

/** Fewest letters of a stem. */
const MIN_FOREIGN_STEM = 4;

/**
 * Returns the common beginning of the forms of a German, Spanish, French or Portuguese word: `erstelle` and `erstellen`, `busca` and
 * `buscar`. One ending is cut, and what is left has four letters or more.
 *
 * @param word in lower case and without accents
 */
export function toForeignStem(word: string): string {
  const ending = FOREIGN_ENDINGS.find(
    (one) => word.length - one.length >= MIN_FOREIGN_STEM && word.endsWith(one),
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** Endings of stems that make another word of the same root: `convert` and `converter`, `document` and `documentation`. */
const FORM_ENDINGS = 'er or ion ation ment al ly iti iz abl at ist ic ing ur anc'.split(' ');

/** Fewest letters of a root. */
const MIN_ROOT = 4;

const ENDS_WITH_CONSONANT = /[^aeiou]$/;

function listRoots(stem: string): readonly string[] {
  const roots = FORM_ENDINGS.filter(
    (ending) => stem.endsWith(ending) && stem.length - ending.length >= MIN_ROOT,
  ).map((ending) => stem.slice(0, -ending.length));
  return [stem, ...roots];
}

function listDerivatives(root: string): readonly string[] {
  if (root.length < MIN_ROOT) return [];
  const derived = FORM_ENDINGS.flatMap((ending) => [root + ending, toStem(root + ending)]);
  if (!ENDS_WITH_CONSONANT.test(root)) return derived;
  const doubled = root + root.slice(-1);
  return [...derived, `${doubled}er`, `${doubled}or`];
}

/** Returns stems that may be other forms of a stem; most of them are no words. */
export const listWordForms = (stem: string): ReadonlySet<string> =>
  new Set(listRoots(stem).flatMap((root) => [root, ...listDerivatives(root)]));

/** Maximum number of different words of one server that are read in one build of an index: in names, and in other texts. */
const MAX_SERVER_WORDS = 6_000;

/** The different words that may still be read; others are left out, at the cost of one look-up each. */
export class WordBudget {
  readonly #known = new Set<string>();

  /** Returns whether a word is read: it was read before, or there is room for it. */
  takes(word: string): boolean {
    if (this.#known.has(word)) return true;
    if (this.#known.size >= MAX_SERVER_WORDS) return false;
    this.#known.add(word);
    return true;
  }
}

/** The budgets of one server. Texts do not use up that of names. */
export interface ServerBudgets {
  readonly names: WordBudget;
  readonly texts: WordBudget;
}

/** Returns the budgets of servers in one build. Tools without a server have no limit: the gateway and its operators define them. */
export function createServerBudgets(): (server: string | undefined) => ServerBudgets | undefined {
  const servers = new Map<string, ServerBudgets>();
  return (server) => {
    if (server === undefined) return undefined;
    const known = servers.get(server);
    if (known !== undefined) return known;
    const budgets = { names: new WordBudget(), texts: new WordBudget() };
    servers.set(server, budgets);
    return budgets;
  };
}

/** Length of the part of a text that is split into words, in UTF-16 code units. */
const MAX_TEXT_CHARACTERS = 4_096;

/** Significant length of a word, in UTF-16 code units. */
const MAX_WORD_CHARACTERS = 64;

const ASCII_WORD = /[A-Za-z0-9]+/g;

/** Between a lower-case and an upper-case letter, and before the last capital of an abbreviation that a word follows: `HTMLPage`. */
const CAMEL_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;

/** Scripts written without spaces: a run of them counts as its neighbouring pairs of characters. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;
const ANY_WORD = new RegExp(
  String.raw`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`,
  'gu',
);
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

function listPairs(run: string): readonly string[] {
  const points = Array.from(run);
  if (points.length === 1) return points;
  return points.slice(1).map((point, index) => `${points[index] ?? ''}${point}`);
}

/** The runs of letters and digits of a text, folded. */
function listRuns(text: string): readonly string[] {
  const read = foldText(text.slice(0, MAX_TEXT_CHARACTERS));
  return read.match(ASCII.test(read) ? ASCII_WORD : ANY_WORD) ?? [];
}

const toPlainWord = (word: string): string => word.slice(0, MAX_WORD_CHARACTERS).toLowerCase();

/** The parts of a run and, when case changes split it, the run as a whole: `GitHub` is `git`, `hub` and `github`. */
function listRunParts(run: string): readonly string[] {
  if (STARTS_UNSPACED.test(run)) return listPairs(run);
  const parts = run.split(CAMEL_BOUNDARY);
  return parts.length === 1 ? parts : [...parts, run];
}

/** Maximum number of cached runs; names and descriptions repeat a small vocabulary. */
const MAX_KNOWN_RUNS = 16_384;

/**
 * Longest cached run, in UTF-16 code units. Longer strings are often slices that would retain the memory of their whole text.
 */
const MAX_KNOWN_RUN_CHARACTERS = 12;

const knownRuns = new Map<string, readonly string[]>();

function listRunStems(run: string): readonly string[] {
  const known = knownRuns.get(run);
  if (known !== undefined) return known;
  const stems = listRunParts(run).map((part) => toStem(toPlainWord(part)));
  if (run.length > MAX_KNOWN_RUN_CHARACTERS) return stems;
  if (knownRuns.size >= MAX_KNOWN_RUNS) knownRuns.clear();
  knownRuns.set(run, stems);
  return stems;
}

/**
 * Returns the words of a text for search, in order and with repeats: runs of letters and digits without accents, their parts and the whole
 * where the case changes within one, in lower case and stemmed. A text without letters and digits, such as emoji, has none.
 * Only the first 4,096 UTF-16 code units are used, and with a budget only the words that it takes.
 */
export function listSearchWords(text: string, budget?: WordBudget): readonly string[] {
  const words: string[] = [];
  for (const run of listRuns(text)) {
    if (budget?.takes(run) === false) continue;
    for (const stem of listRunStems(run)) words.push(stem);
  }
  return words;
}

/**
 * Returns the words of a query as they are written, in order and with repeats: in lower case and without accents, not stemmed, split where the
 * case changes. Only the first 4,096 UTF-16 code units are used.
 */
export function listPlainWords(text: string): readonly string[] {
  return listRuns(text)
    .flatMap((run) => (STARTS_UNSPACED.test(run) ? listPairs(run) : run.split(CAMEL_BOUNDARY)))
    .map(toPlainWord);
}

/** The comparisons of words that a reader may still make; it counts them down. */
interface Comparisons {
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
function computeLetterMask(word: string): number {
  let mask = 0;
  for (let index = 0; index < word.length; index += 1) mask |= 1 << (word.charCodeAt(index) & 31);
  return mask >>> 0;
}

export const createWordList = (words: readonly string[]): WordList => ({
  words,
  masks: Uint32Array.from(words, computeLetterMask),
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
interface SimilarWord {
  readonly word: string;
  readonly mistakes: number;
}

const createComparisons = (): Comparisons => ({ left: Infinity });

/**
 * Returns the words of a list with at most `limit` mistakes between them and a word, in the order of the list. Words after the last comparison
 * are not read; lengths and sets of letters are not counted as comparisons.
 */
export function listSimilarWords(
  word: string,
  { words, masks }: WordList,
  limit: number,
  comparisons: Comparisons = createComparisons(),
): readonly SimilarWord[] {
  const mask = computeLetterMask(word);
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
