import {
  readAnyArgument,
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  createAlias,
  computeSearchUnits,
  readTextArgument,
  readWholeArgument,
  withArguments,
} from './definition.ts';

/** Returns the text up to a number of characters; for a negative number its last characters. Characters are code points. */
const truncateText = (text: string, count: number): string => {
  const characters = Array.from(text);
  if (count >= 0) return characters.slice(0, count).join('');
  return characters.length + count > 0 ? characters.slice(count).join('') : text;
};

/** Returns the characters from `start` up to `end`. A negative start means the beginning, a negative or too large end the end. */
const takeSubstring = (text: string, start: number, end: number): string => {
  const characters = Array.from(text);
  const from = Math.max(0, start);
  return (end < 0 ? characters.slice(from) : characters.slice(from, end)).join('');
};

const DOTS = '...';

/** Room for the dots at both ends and one character more. */
const LEAST_FOR_BOTH = 7;
const LEAST = 4;

/**
 * Returns at most `width` characters, the last three of them dots when the text was cut; the whole text when the width leaves
 * no room for dots.
 */
const shortenTail = (text: string, width: number): string => {
  const characters = Array.from(text);
  if (width < LEAST || characters.length <= width) return text;
  return characters.slice(0, width - DOTS.length).join('') + DOTS;
};

/** Returns at most `width` characters from around the one at `offset`, with dots where something was cut. */
const shortenSides = (text: string, offset: number, width: number): string => {
  const characters = Array.from(text);
  if (width < LEAST || (offset > 0 && width < LEAST_FOR_BOTH)) return text;
  if (characters.length <= width) return text;
  // Near the end, the window moves back so that it is full.
  const start = Math.min(offset, characters.length - (width - DOTS.length));
  if (start <= LEAST) return shortenTail(text, width);
  const rest = characters.slice(start);
  return DOTS + shortenTail(rest.join(''), width - DOTS.length);
};

const entry = createEntryFactory('Parts of texts');

/** Splitting a text into its characters: a string and a place in a list for each. */
const UNITS_PER_SPLIT = 8;

const trimCharacters = (cutset: string, value: string): string => {
  const characters = Array.from(value);
  const cut = new Set(cutset);
  let start = 0;
  let end = characters.length;
  while (start < end && cut.has(characters[start] ?? '')) start += 1;
  while (end > start && cut.has(characters[end - 1] ?? '')) end -= 1;
  return characters.slice(start, end).join('');
};

const trimAll = entry(
  withArguments([readTextArgument, readTextArgument], ([cutset, value], context) =>
    makeWithinBudget(context, UNITS_PER_SPLIT * (value.length + cutset.length), () =>
      trimCharacters(cutset, value),
    ),
  ),
  'trimAll characters text',
  'Without these characters at both ends.',
  ['{{ trimAll "$" "$5.00$" }}', '5.00'],
);

/** Functions that search a text or return a part of it. Positions count characters, not bytes. */
export const searchFunctions = {
  contains: entry(
    withArguments([readTextArgument, readTextArgument], ([part, value], context) =>
      makeWithinBudget(context, computeSearchUnits(value, part), () => value.includes(part)),
    ),
    'contains part text',
    'Whether a text contains it.',
    ['{{ contains "cat" "catch" }}', 'true'],
  ),
  hasPrefix: entry(
    withArguments([readTextArgument, readTextArgument], ([part, value]) => value.startsWith(part)),
    'hasPrefix part text',
    'Whether a text begins so.',
    ['{{ hasPrefix "cat" "catch" }}', 'true'],
  ),
  hasSuffix: entry(
    withArguments([readTextArgument, readTextArgument], ([part, value]) => value.endsWith(part)),
    'hasSuffix part text',
    'Whether a text ends so.',
    ['{{ hasSuffix "cat" "ducat" }}', 'true'],
  ),
  trim: entry(
    withArguments([readTextArgument], ([value]) => value.trim()),
    'trim text',
    'Without white space at both ends.',
    ['{{ trim "  hello  " }}', 'hello'],
  ),
  trimAll,
  trimall: createAlias(trimAll, 'trimAll', 'trimall'),
  trimPrefix: entry(
    withArguments([readTextArgument, readTextArgument], ([part, value]) =>
      value.startsWith(part) ? value.slice(part.length) : value,
    ),
    'trimPrefix part text',
    'Without this beginning, if it has it.',
    ['{{ trimPrefix "-" "-hello" }}', 'hello'],
  ),
  trimSuffix: entry(
    withArguments([readTextArgument, readTextArgument], ([part, value]) =>
      value.endsWith(part) ? value.slice(0, value.length - part.length) : value,
    ),
    'trimSuffix part text',
    'Without this ending, if it has it.',
    ['{{ trimSuffix "-" "hello-" }}', 'hello'],
  ),
  nospace: entry(
    withArguments([readTextArgument], ([value], context) =>
      makeWithinBudget(context, UNITS_PER_SPLIT * value.length, () => value.replace(/\s/gu, '')),
    ),
    'nospace text',
    'Without any white space.',
    ['{{ nospace "h e l l o" }}', 'hello'],
  ),
  trunc: entry(
    withArguments([readWholeArgument, readTextArgument], ([count, value], context) =>
      makeWithinBudget(context, UNITS_PER_SPLIT * value.length, () => truncateText(value, count)),
    ),
    'trunc count text',
    'The first characters, or the last ones for a negative count.',
    ['{{ trunc 5 "hello world" }}, {{ trunc -5 "hello world" }}', 'hello, world'],
  ),
  substr: entry(
    withArguments(
      [readWholeArgument, readWholeArgument, readTextArgument],
      ([start, end, value], context) =>
        makeWithinBudget(context, UNITS_PER_SPLIT * value.length, () =>
          takeSubstring(value, start, end),
        ),
    ),
    'substr start end text',
    'The characters from a position up to another. A negative end means the end of the text.',
    ['{{ substr 0 5 "hello world" }}', 'hello'],
  ),
  abbrev: entry(
    withArguments([readWholeArgument, readTextArgument], ([width, value], context) =>
      makeWithinBudget(context, UNITS_PER_SPLIT * value.length, () => shortenTail(value, width)),
    ),
    'abbrev width text',
    'At most so many characters, with three dots where something was cut.',
    ['{{ abbrev 8 "hello world" }}', 'hello...'],
  ),
  abbrevboth: entry(
    withArguments(
      [readWholeArgument, readWholeArgument, readTextArgument],
      ([offset, width, value], context) =>
        makeWithinBudget(context, UNITS_PER_SPLIT * value.length, () =>
          shortenSides(value, offset, width),
        ),
    ),
    'abbrevboth offset width text',
    'At most so many characters from a position on, with three dots at every end where something was cut.',
    ['{{ abbrevboth 5 10 "1234 5678 9123" }}', '...5678...'],
  ),
  plural: entry(
    withArguments([readAnyArgument, readAnyArgument, readWholeArgument], ([one, many, count]) =>
      count === 1 ? one : many,
    ),
    'plural one many count',
    'The first text for a count of 1, the second for every other.',
    ['{{ plural "one" "many" 2 }}', 'many'],
  ),
} satisfies FunctionEntries;
