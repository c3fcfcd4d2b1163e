import { foldText } from './fold-text.ts';
import { stemOf } from './stem.ts';
import type { WordBudget } from './word-budget.ts';

/** Length of the part of a text that is split into words, in UTF-16 code units. */
const MAX_TEXT_CHARACTERS = 4_096;

/** Significant length of a word, in UTF-16 code units. */
const MAX_WORD_CHARACTERS = 64;

const ASCII = /^\p{ASCII}*$/u;
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

function pairsOf(run: string): readonly string[] {
  const points = Array.from(run);
  if (points.length === 1) return points;
  return points.slice(1).map((point, index) => `${points[index] ?? ''}${point}`);
}

/** The runs of letters and digits of a text, folded. */
function runsOf(text: string): readonly string[] {
  const read = foldText(text.slice(0, MAX_TEXT_CHARACTERS));
  return read.match(ASCII.test(read) ? ASCII_WORD : ANY_WORD) ?? [];
}

const plain = (word: string): string => word.slice(0, MAX_WORD_CHARACTERS).toLowerCase();

/** The parts of a run and, when case changes split it, the run as a whole: `GitHub` is `git`, `hub` and `github`. */
function partsOfRun(run: string): readonly string[] {
  if (STARTS_UNSPACED.test(run)) return pairsOf(run);
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

function stemsOfRun(run: string): readonly string[] {
  const known = knownRuns.get(run);
  if (known !== undefined) return known;
  const stems = partsOfRun(run).map((part) => stemOf(plain(part)));
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
export function wordsOf(text: string, budget?: WordBudget): readonly string[] {
  const words: string[] = [];
  for (const run of runsOf(text)) {
    if (budget?.takes(run) === false) continue;
    for (const stem of stemsOfRun(run)) words.push(stem);
  }
  return words;
}

/**
 * Returns the words of a query as they are written, in order and with repeats: in lower case and without accents, not stemmed, split where the
 * case changes. Only the first 4,096 UTF-16 code units are used.
 */
export function writtenWords(text: string): readonly string[] {
  return runsOf(text)
    .flatMap((run) => (STARTS_UNSPACED.test(run) ? pairsOf(run) : run.split(CAMEL_BOUNDARY)))
    .map(plain);
}
