import {
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  readTextArgument,
  withArguments,
} from './definition.ts';

const UPPER = /\p{Lu}/u;

const toggleCase = (text: string): string =>
  text.replace(/\p{L}/gu, (letter) =>
    UPPER.test(letter) || /\p{Lt}/u.test(letter) ? letter.toLowerCase() : letter.toUpperCase(),
  );

/** Capitalizes the first letter of every word. Letters, digits, underscores and marks continue a word. */
const toTitleCase = (text: string): string =>
  text.replace(/(^|[^\p{L}\p{N}_])(\p{L})/gu, (_, before: string, letter: string) =>
    before.concat(letter.toUpperCase()),
  );

/** Converts the first letter of every word between spaces to lower case. */
const toSmallInitials = (text: string): string =>
  text.replace(/(^|\s)(\S)/gu, (_, before: string, letter: string) =>
    before.concat(letter.toLowerCase()),
  );

/** Returns the first characters of all words between spaces. */
const takeInitials = (text: string): string =>
  Array.from(text.matchAll(/(?:^|\s)(\S)/gu), ([, letter = '']) => letter).join('');

type WordKind = 'connector' | 'mark' | 'upper' | 'letters' | 'digits' | 'other';

interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

/** Ideographs have no case and do not continue a word of letters. */
const LETTER = String.raw`(?![\p{Lu}\u3400-\u4D85\u4E00-\u9FCC\u{20000}-\u{2B81D}])\p{L}`;
/** Of capitals before a small letter the last begins a word: `HTTP`, `Server`. */
const WORD = new RegExp(
  [
    String.raw`(?<connector>[-_\s]+)`,
    String.raw`(?<mark>\p{P}+)`,
    String.raw`(?<upper>\p{Lu}+(?=\p{Lu}${LETTER})|\p{Lu}(?:${LETTER})+|\p{Lu}+)`,
    `(?<letters>(?:${LETTER})+)`,
    String.raw`(?<digits>\p{N}+)`,
    String.raw`(?<other>.(?:(?![-_\s\p{N}\p{P}\p{Lu}]|${LETTER}).)*)`,
  ].join('|'),
  'gsu',
);

const listWords = (text: string): readonly Word[] =>
  Array.from(text.matchAll(WORD), ({ groups = {} }) => {
    const found = Object.entries<string | undefined>(groups);
    const [kind = 'other', word = ''] = found.find(([, part]) => part !== undefined) ?? [];
    return { kind: kind as WordKind, text: word };
  });

const isSeparator = (word: Word | undefined): boolean =>
  word === undefined || word.kind === 'connector' || word.kind === 'mark';

/** Returns the end of the small letters and digits that begin at a word: `20x`. */
const endOfRun = (words: readonly Word[], start: number): number => {
  let end = start;
  while (words[end]?.kind === 'letters' || words[end]?.kind === 'digits') end += 1;
  return end;
};

/** Returns the end of the part of a name that begins at a word, and whether its digits begin a part: `http`, `2xx`. */
const computePartEnd = (
  words: readonly Word[],
  at: number,
): readonly [end: number, splits: boolean] => {
  const word = words[at];
  if (word?.kind === 'digits') return [endOfRun(words, at), false];
  if (isSeparator(word) || words[at + 1]?.kind !== 'digits') return [at + 1, false];
  // Digits belong to the word before them, unless small letters follow.
  return words[at + 2]?.kind === 'letters' ? [endOfRun(words, at + 1), true] : [at + 2, false];
};

const formatWord = ({ kind, text }: Word, joiner: string): string => {
  if (kind === 'connector') return joiner.repeat(Array.from(text).length);
  return kind === 'upper' ? text.toLowerCase() : text;
};

/** Returns a name in lower case, with a joiner for every space, hyphen and underscore, and at every other start of a word. */
const joinWords = (text: string, joiner: string): string => {
  const words = listWords(text);
  const shown = words.map((word) => formatWord(word, joiner));
  let joined = '';
  for (let at = 0; at < words.length;) {
    const [end, splits] = computePartEnd(words, at);
    joined += splits
      ? `${shown[at] ?? ''}${joiner}${shown.slice(at + 1, end).join('')}`
      : shown.slice(at, end).join('');
    if (!isSeparator(words[at]) && !isSeparator(words[end])) joined += joiner;
    at = end;
  }
  return joined;
};

/** Converts `some_words` to `SomeWords`. One space, hyphen or underscore between two words is removed; others stay. */
const toPascalCase = (text: string): string => {
  const parts = text.split(/([\s_-]+)/u);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return toCapitalWord(part);
      const between = parts[index - 1] !== '' && parts[index + 1] !== '';
      return between ? part.slice(1) : part;
    })
    .join('');
};

/**
 * Capitals after a capital become lower case up to the next other character: `GOLANG` is `Golang`, and `helloWorld` is
 * unchanged.
 */
const toCapitalWord = (word: string): string => {
  const [first = '', ...others] = Array.from(word);
  const rest = others.join('');
  return first
    .toUpperCase()
    .concat(
      UPPER.test(first) ? rest.replace(/^\p{Lu}+/u, (letters) => letters.toLowerCase()) : rest,
    );
};

const entry = createEntryFactory('Letters and names');

/** Finding words costs more per letter than copying. */
const UNITS_PER_LETTER = 16;

const createTextFunction = (change: (value: string) => string, units = UNITS_PER_LETTER) =>
  withArguments([readTextArgument], ([value], context) =>
    makeWithinBudget(context, units * value.length, () => change(value)),
  );

/** Functions that change letters between capital and small, and names between conventions. */
export const caseFunctions = {
  upper: entry(
    createTextFunction((value) => value.toUpperCase(), 1),
    'upper text',
    'All letters in capitals.',
    ['{{ upper "hello" }}', 'HELLO'],
  ),
  lower: entry(
    createTextFunction((value) => value.toLowerCase(), 1),
    'lower text',
    'All letters small.',
    ['{{ lower "HELLO" }}', 'hello'],
  ),
  title: entry(
    createTextFunction(toTitleCase),
    'title text',
    'The first letter of every word in capitals.',
    ['{{ title "hello world" }}', 'Hello World'],
  ),
  untitle: entry(
    createTextFunction(toSmallInitials),
    'untitle text',
    'The first letter of every word small.',
    ['{{ untitle "Hello World" }}', 'hello world'],
  ),
  swapcase: entry(
    createTextFunction(toggleCase),
    'swapcase text',
    'Capitals and small letters exchanged.',
    ['{{ swapcase "Hello" }}', 'hELLO'],
  ),
  initials: entry(
    createTextFunction(takeInitials),
    'initials text',
    'The first letters of all words.',
    ['{{ initials "First Try" }}', 'FT'],
  ),
  snakecase: entry(
    createTextFunction((value) => joinWords(value, '_')),
    'snakecase text',
    'A name of any convention as `snake_case`.',
    ['{{ snakecase "HTTPServer" }}', 'http_server'],
  ),
  kebabcase: entry(
    createTextFunction((value) => joinWords(value, '-')),
    'kebabcase text',
    'A name of any convention as `kebab-case`.',
    ['{{ kebabcase "FirstName" }}', 'first-name'],
  ),
  camelcase: entry(
    createTextFunction(toPascalCase),
    'camelcase text',
    'A name with spaces, hyphens or underscores as `CamelCase`.',
    ['{{ camelcase "http_server" }}', 'HttpServer'],
  ),
} satisfies FunctionEntries;
