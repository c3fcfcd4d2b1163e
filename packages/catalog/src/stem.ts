/** Words shorter than this are not stemmed: stemming would merge unrelated words. */
const MIN_STEM = 3;

const VOWEL = /[aeiouy]/;

/** Cuts a plural: `queries` → `query`, `boxes` → `boxe`, `files` → `file`; `status`, `class` and `basis` stay. */
function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Cuts `-ing` and `-ed` where a word is left, and the doubled consonant that they brought. */
function verbStem(word: string): string {
  const ending = ['ing', 'ed'].find((one) => word.endsWith(one));
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (stem.length < MIN_STEM || !VOWEL.test(stem)) return word;
  return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

/**
 * Brings the common endings of an English word together: plurals, `-ing`, `-ed`, a final `e` and a final `y`.
 * Light on purpose: it is meant for tool names and one-line descriptions, where a stem cut too short costs more than a missed one.
 *
 * @param word in lower case; one that is not English stays as it is or loses an ending, always the same way
 */
export function stemOf(word: string): string {
  if (word.length <= MIN_STEM) return word;
  const stem = verbStem(singular(word));
  if (stem.length <= MIN_STEM) return stem;
  if (stem.endsWith('e')) return stem.slice(0, -1);
  return stem.endsWith('y') ? `${stem.slice(0, -1)}i` : stem;
}
