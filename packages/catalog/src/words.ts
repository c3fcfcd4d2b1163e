import { stemOf } from './stem.ts';

/** Length of the part of a text that is split into words, in UTF-16 code units. */
const MAX_TEXT_CHARACTERS = 4_096;

/** Significant length of a word, in UTF-16 code units. */
const MAX_WORD_CHARACTERS = 64;

const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /[A-Za-z0-9]+/g;
const CAMEL_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

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

function wordsOfRun(run: string): readonly string[] {
  return STARTS_UNSPACED.test(run) ? pairsOf(run) : run.split(CAMEL_BOUNDARY);
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
  const stems = wordsOfRun(run).map((word) =>
    stemOf(word.slice(0, MAX_WORD_CHARACTERS).toLowerCase()),
  );
  if (run.length > MAX_KNOWN_RUN_CHARACTERS) return stems;
  if (knownRuns.size >= MAX_KNOWN_RUNS) knownRuns.clear();
  knownRuns.set(run, stems);
  return stems;
}

/**
 * Returns the words of a text for search, in order and with repeats: runs of letters and digits, split between a lower-case
 * and an upper-case letter, in lower case and stemmed. A text without letters and digits, such as emoji, has none.
 * Only the first 4,096 UTF-16 code units are used.
 */
export function wordsOf(text: string): readonly string[] {
  const read = text.slice(0, MAX_TEXT_CHARACTERS);
  const runs = read.match(ASCII.test(read) ? ASCII_WORD : ANY_WORD) ?? [];
  const words: string[] = [];
  for (const run of runs) for (const stem of stemsOfRun(run)) words.push(stem);
  return words;
}
