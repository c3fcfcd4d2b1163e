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
  const stem = verbStem(singular(word));
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

function rootsOf(stem: string): readonly string[] {
  const roots = FORM_ENDINGS.filter(
    (ending) => stem.endsWith(ending) && stem.length - ending.length >= MIN_ROOT,
  ).map((ending) => stem.slice(0, -ending.length));
  return [stem, ...roots];
}

function derivedFrom(root: string): readonly string[] {
  if (root.length < MIN_ROOT) return [];
  const derived = FORM_ENDINGS.flatMap((ending) => [root + ending, toStem(root + ending)]);
  if (!ENDS_WITH_CONSONANT.test(root)) return derived;
  const doubled = root + root.slice(-1);
  return [...derived, `${doubled}er`, `${doubled}or`];
}

/** Returns stems that may be other forms of a stem; most of them are no words. */
export const listWordForms = (stem: string): ReadonlySet<string> =>
  new Set(rootsOf(stem).flatMap((root) => [root, ...derivedFrom(root)]));

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
  const stems = partsOfRun(run).map((part) => toStem(plain(part)));
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
export function listPlainWords(text: string): readonly string[] {
  return runsOf(text)
    .flatMap((run) => (STARTS_UNSPACED.test(run) ? pairsOf(run) : run.split(CAMEL_BOUNDARY)))
    .map(plain);
}
