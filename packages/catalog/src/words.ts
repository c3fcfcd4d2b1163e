import { stemOf } from './stem.ts';

/** How many UTF-16 code units of a text are read for words. */
const MAX_TEXT_CHARACTERS = 4_096;

/** How many UTF-16 code units of a word count; longer words that agree in them are one word. */
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

/** How many runs are remembered with their words; names and descriptions repeat a small vocabulary over and over. */
const MAX_KNOWN_RUNS = 16_384;

/**
 * The longest run that is remembered, in UTF-16 code units. Longer ones are often views into the text that they come from,
 * and remembering one would keep all of that text alive.
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
 * The words of a text for search, in order and with repeats: runs of letters and digits, split where a small letter
 * meets a capital, in lower case and stemmed. A text without letters and digits, such as emoji, has none.
 * Only the first 4,096 UTF-16 code units are read.
 */
export function wordsOf(text: string): readonly string[] {
  const read = text.slice(0, MAX_TEXT_CHARACTERS);
  const runs = read.match(ASCII.test(read) ? ASCII_WORD : ANY_WORD) ?? [];
  const words: string[] = [];
  for (const run of runs) for (const stem of stemsOfRun(run)) words.push(stem);
  return words;
}
