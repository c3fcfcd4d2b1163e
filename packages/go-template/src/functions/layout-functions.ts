import { joinTexts, quoteText, listValueTexts } from './print.ts';
import { type FunctionContext, FunctionFailure } from '../values/template-value.ts';
import {
  readAnyArgument,
  computeCountUnits,
  countOccurrences,
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  computeSearchUnits,
  readTextArgument,
  createBudgetFailure,
  readWholeArgument,
  withAllArguments,
  withArguments,
} from './definition.ts';

/** The rules for breaking lines. */
export interface Wrapping {
  /** The most characters in a line. */
  readonly width: number;
  readonly newline: string;
  /** True when a word longer than a line is broken. */
  readonly cutWords: boolean;
}

/** Returns the end of the line that starts at `start`, and the start of the next line; undefined when the rest is one word. */
const findLineEnd = (
  characters: readonly string[],
  start: number,
  { width, cutWords }: Wrapping,
): readonly [end: number, next: number] | undefined => {
  // A search by `lastIndexOf` would go on before the start of the line.
  let space = start + width;
  while (space >= start && characters[space] !== ' ') space -= 1;
  if (space >= start) return [space, space + 1];
  if (cutWords) return [start + width, start + width];
  const later = characters.indexOf(' ', start + width);
  return later < 0 ? undefined : [later, later + 1];
};

/** Breaks a text into lines at its spaces. A space at the start of a line is dropped, unless the rest fits into the line. */
const wrapLines = (text: string, { width, newline, cutWords }: Wrapping): string => {
  const wrapping = { width: Math.max(1, width), newline: newline || '\n', cutWords };
  const characters = Array.from(text);
  const lines: string[] = [];
  let start = 0;
  while (characters.length - start > wrapping.width) {
    if (characters[start] === ' ') {
      start += 1;
      continue;
    }
    const line = findLineEnd(characters, start, wrapping);
    if (line === undefined) break;
    lines.push(characters.slice(start, line[0]).join(''));
    start = line[1];
  }
  lines.push(characters.slice(start).join(''));
  return lines.join(wrapping.newline);
};

const entry = createEntryFactory('Texts made of others');

/** Splitting a text into its characters. */
const UNITS_PER_CHARACTER = 8;
/** Escaping a text in quotes. */
const UNITS_PER_QUOTED = 16;

const replacePart = (value: string, part: string, by: string): string =>
  part === ''
    ? by + Array.from(value, (character) => character + by).join('')
    : value.replaceAll(part, () => by);

/** Work for each occurrence of a part, in addition to the text that replaces it. */
const UNITS_PER_OCCURRENCE = 8;

const replaceText = (
  { value, part, by }: { readonly value: string; readonly part: string; readonly by: string },
  context: FunctionContext,
): string | FunctionFailure => {
  const searching =
    part === '' ? UNITS_PER_CHARACTER * value.length : computeSearchUnits(value, part);
  // The text is searched once to count the occurrences, and again to replace them.
  if (!context.spend(searching + computeCountUnits(value))) return createBudgetFailure();
  const size = value.length + countOccurrences(value, part) * (UNITS_PER_OCCURRENCE + by.length);
  return makeWithinBudget(context, size, () => replacePart(value, part, by));
};

const replace = withArguments(
  [readTextArgument, readTextArgument, readTextArgument],
  ([part, by, value], context) => replaceText({ value, part, by }, context),
);

const indentText = (
  [count, value]: readonly [number, string],
  context: FunctionContext,
): string | FunctionFailure => {
  if (count < 0) return new FunctionFailure(`cannot indent by ${count}`);
  if (!context.spend(computeCountUnits(value))) return createBudgetFailure();
  const size = value.length + (countOccurrences(value, '\n') + 1) * (UNITS_PER_OCCURRENCE + count);
  return makeWithinBudget(context, size, () => {
    const pad = ' '.repeat(count);
    return pad + value.replaceAll('\n', () => `\n${pad}`);
  });
};

/** Cutting a line out of a text. */
const UNITS_PER_LINE = 16;

const wrapText = (
  value: string,
  wrapping: Parameters<typeof wrapLines>[1],
  context: FunctionContext,
): string | FunctionFailure =>
  // In the worst case every character is a line.
  makeWithinBudget(
    context,
    value.length *
      (UNITS_PER_CHARACTER +
        Math.ceil((UNITS_PER_LINE + wrapping.newline.length) / Math.max(1, wrapping.width))),
    () => wrapLines(value, wrapping),
  );

const createQuoteFunction = (quote: (value: string) => string, unitsPerCharacter: number) =>
  withAllArguments(readAnyArgument, (values, context) => {
    const texts = listValueTexts(values, context);
    if (texts instanceof FunctionFailure) return texts;
    const size = texts.reduce((sum, value) => sum + value.length, 0);
    const quoted = makeWithinBudget(context, unitsPerCharacter * size, () => texts.map(quote));
    return quoted instanceof FunctionFailure ? quoted : joinTexts(quoted, ' ', context);
  });

/** Functions that produce a longer text. All of them charge their result. */
export const layoutFunctions = {
  hello: entry(() => 'Hello!', 'hello', 'A greeting.', ['{{ hello }}', 'Hello!']),
  repeat: entry(
    withArguments([readWholeArgument, readTextArgument], ([count, value], context) =>
      count < 0
        ? new FunctionFailure(`cannot repeat ${count} times`)
        : makeWithinBudget(context, count * Math.max(1, value.length), () => value.repeat(count)),
    ),
    'repeat count text',
    'The text several times.',
    ['{{ repeat 3 "ab" }}', 'ababab'],
  ),
  replace: entry(replace, 'replace part by text', 'With every occurrence of a part replaced.', [
    '{{ replace " " "-" "I Am Henry" }}',
    'I-Am-Henry',
  ]),
  cat: entry(
    withAllArguments(readAnyArgument, (values, context) => {
      const texts = listValueTexts(values, context);
      return texts instanceof FunctionFailure ? texts : joinTexts(texts, ' ', context);
    }),
    'cat value…',
    'All values as texts, with a space between them. Nulls are left out.',
    ['{{ cat "hello" 1 true }}', 'hello 1 true'],
  ),
  quote: entry(
    createQuoteFunction((value) => quoteText(value), UNITS_PER_QUOTED),
    'quote value…',
    'All values as texts in double quotes, with escapes as in Go. Nulls are left out.',
    ['{{ quote "a" 1 }}', '"a" "1"'],
  ),
  squote: entry(
    createQuoteFunction((value) => `'${value}'`, 1),
    'squote value…',
    'All values as texts in single quotes, without escapes. Nulls are left out.',
    ['{{ squote "a" 1 }}', "'a' '1'"],
  ),
  indent: entry(
    withArguments([readWholeArgument, readTextArgument], indentText),
    'indent count text',
    'With so many spaces before every line.',
    ['{{ indent 2 "a\\nb" }}', '  a\n  b'],
  ),
  nindent: entry(
    withArguments([readWholeArgument, readTextArgument], (values, context) => {
      const value = indentText(values, context);
      return value instanceof FunctionFailure ? value : `\n${value}`;
    }),
    'nindent count text',
    'The same as `indent`, on a new line.',
    ['{{ nindent 2 "a\\nb" }}', '\n  a\n  b'],
  ),
  wrap: entry(
    withArguments([readWholeArgument, readTextArgument], ([width, value], context) =>
      wrapText(value, { width, newline: '\n', cutWords: false }, context),
    ),
    'wrap width text',
    'Broken at spaces into lines of at most so many characters. Longer words stay whole.',
    ['{{ wrap 5 "Hello World" }}', 'Hello\nWorld'],
  ),
  wrapWith: entry(
    withArguments(
      [readWholeArgument, readTextArgument, readTextArgument],
      ([width, newline, value], context) =>
        wrapText(value, { width, newline, cutWords: true }, context),
    ),
    'wrapWith width newline text',
    'The same as `wrap`, with another text between lines. Longer words are cut.',
    ['{{ wrapWith 5 "|" "Hello Worldwide" }}', 'Hello|World|wide'],
  ),
} satisfies FunctionEntries;
