import { type Matcher, MatcherInput, RE2JS, RE2JSException } from 're2js';
import { type FunctionContext, FunctionFailure } from '../values/template-value.ts';
import {
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  readTextArgument,
  createBudgetFailure,
  readWholeArgument,
  withArguments,
  withMustNames,
} from './definition.ts';

/** Thrown by {@link MeteredText} when the read budget is spent. The engine itself has no limit. */
class ReadBudgetError extends Error {}

/** The number of reads that are charged at once. */
const BLOCK = 64;
/** The number of characters that a substring search scans at the cost of one read. */
const SEARCHED_PER_READ = 16;

/**
 * A string that counts the reads of the regular expression engine, whose work is proportional to them. The engine reads through
 * these two methods.
 */
class MeteredText extends String {
  // Reading from here is several times faster than through `super`.
  readonly #text: string;
  readonly #spend: (reads: number) => boolean;
  #left = 0;

  /** @param spend requests more reads; false ends the search with {@link ReadBudgetError}. */
  constructor(text: string, spend: (reads: number) => boolean) {
    super(text);
    this.#text = text;
    this.#spend = spend;
  }

  override charCodeAt(index: number): number {
    if (this.#left <= 0) this.#refill(BLOCK);
    this.#left -= 1;
    return this.#text.charCodeAt(index);
  }

  override indexOf(part: string, from = 0): number {
    const found = this.#text.indexOf(part, from);
    const searched = (found < 0 ? this.length : found) - from;
    this.#left -= Math.ceil(Math.max(0, searched) / SEARCHED_PER_READ);
    if (this.#left < 0) this.#refill(BLOCK - this.#left);
    return found;
  }

  #refill(reads: number): void {
    if (!this.#spend(reads)) throw new ReadBudgetError();
    this.#left += reads;
  }
}

/** Longer patterns are refused: repetitions multiply the size of a pattern. */
const MAX_PATTERN_CHARS = 1000;
/** Instructions of a compiled pattern. `[a-z]{500}` has about five hundred. */
const MAX_PATTERN_STEPS = 10_000;

/**
 * The engine may run all instructions of the pattern for each character; each multiple of this number adds one unit to a
 * read.
 */
const STEPS_PER_UNIT = 16;
/** Processing a character in the engine costs as much as copying this number of characters. */
const UNITS_PER_READ = 8;
/** Reading a pattern, for each of its characters, and compiling it, for each of its instructions. */
const UNITS_PER_PATTERN_CHAR = 100;
const UNITS_PER_STEP = 40;

/** Finding a match and reading its groups, in addition to reading the text. */
const UNITS_PER_MATCH = 128;

/** A match: its start and end, and the texts of its groups, the whole match first. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** The text of a group by number or name; undefined for a group that did not participate or does not exist. */
  readonly group: (key: number | string) => string | undefined;
}

const compilePattern = (pattern: string, context: FunctionContext): RE2JS | FunctionFailure => {
  if (pattern.length > MAX_PATTERN_CHARS)
    return new FunctionFailure(`the pattern is longer than ${MAX_PATTERN_CHARS} characters`);
  if (!context.spend(pattern.length * UNITS_PER_PATTERN_CHAR)) return createBudgetFailure();
  try {
    const expression = RE2JS.compile(pattern);
    if (!context.spend(expression.programSize() * UNITS_PER_STEP)) return createBudgetFailure();
    if (expression.programSize() <= MAX_PATTERN_STEPS) return expression;
    return new FunctionFailure('the pattern repeats too much');
  } catch (error) {
    if (error instanceof RE2JSException)
      return new FunctionFailure(
        `cannot read the pattern: ${error.message.replace('error parsing regexp: ', '')}`,
      );
    throw error;
  }
};

const createGroupReader = (
  expression: RE2JS,
  matcher: Matcher,
): ((key: number | string) => string | undefined) => {
  const names = new Map(Object.entries(expression.namedGroups()));
  return (key) => {
    const index = typeof key === 'number' ? key : names.get(key);
    if (index === undefined || index > expression.groupCount()) return undefined;
    return matcher.group(index) ?? undefined;
  };
};

/**
 * Finds the matches of a pattern in RE2 syntax, from left to right, as Go does: an empty match directly after another match
 * does not count.
 *
 * @param visit called for every match; its groups can be read until it returns. Returns true to continue the search.
 * @returns a failure for a pattern that cannot be used, and when the budget is spent
 */
const findMatches = (
  { pattern, text }: { readonly pattern: string; readonly text: string },
  context: FunctionContext,
  visit: (match: PatternMatch) => boolean,
): FunctionFailure | undefined => {
  const expression = compilePattern(pattern, context);
  if (expression instanceof FunctionFailure) return expression;
  const weight = UNITS_PER_READ + Math.ceil(expression.programSize() / STEPS_PER_UNIT);
  const metered = new MeteredText(text, (reads) => context.spend(reads * weight));
  const matcher = expression.matcher(MatcherInput.utf16(metered));
  const group = createGroupReader(expression, matcher);
  try {
    visitMatches(matcher, group, (match) => {
      if (!context.spend(UNITS_PER_MATCH)) throw new ReadBudgetError();
      return visit(match);
    });
    return undefined;
  } catch (error) {
    if (error instanceof ReadBudgetError) return createBudgetFailure();
    throw error;
  }
};

const visitMatches = (
  matcher: Matcher,
  group: PatternMatch['group'],
  visit: (match: PatternMatch) => boolean,
): void => {
  let lastEnd = -1;
  while (matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    const emptyAfterMatch = start === end && start === lastEnd;
    lastEnd = end;
    if (!emptyAfterMatch && !visit({ start, end, group })) return;
  }
};

/** A piece of a replacement: literal text, or the group to insert. */
export type ReplacementPart = string | { readonly group: number | string };

const GROUP_REFERENCE = /\$(?:\$|(\w+)|\{(\w+)\})/gu;

const toGroupKey = (name: string): number | string => (/^\d+$/.test(name) ? Number(name) : name);

/** Reads a replacement: `$1`, `${1}`, `$name` and `${name}` are groups, `$$` is a dollar sign. `$1x` is the group named `1x`. */
const parseReplacement = (replacement: string): readonly ReplacementPart[] => {
  const parts: ReplacementPart[] = [];
  let at = 0;
  for (const match of replacement.matchAll(GROUP_REFERENCE)) {
    parts.push(replacement.slice(at, match.index));
    const name = match[1] ?? match[2];
    parts.push(name === undefined ? '$' : { group: toGroupKey(name) });
    at = match.index + match[0].length;
  }
  parts.push(replacement.slice(at));
  return parts;
};

/** Returns the texts that replace a match. Groups that did not participate, and unknown groups, are empty. */
const expandReplacement = (
  parts: readonly ReplacementPart[],
  match: PatternMatch,
): readonly string[] =>
  parts.map((part) => (typeof part === 'string' ? part : (match.group(part.group) ?? '')));

const entry = createEntryFactory('Regular expressions');

interface Search {
  readonly pattern: string;
  readonly text: string;
}

const findFirstMatch = (
  search: Search,
  context: FunctionContext,
): string | undefined | FunctionFailure => {
  let first: string | undefined;
  const failure = findMatches(search, context, ({ group }) => {
    first = group(0);
    return false;
  });
  return failure ?? first;
};

/** Returns at most `most` matches; all of them for a negative number. */
const findAllMatches = (
  search: Search,
  most: number,
  context: FunctionContext,
): string[] | FunctionFailure => {
  const matches: string[] = [];
  if (most === 0) return validatePattern(search, context) ?? matches;
  const failure = findMatches(search, context, ({ group }) => {
    matches.push(group(0) ?? '');
    return matches.length !== most;
  });
  return failure ?? matches;
};

const replaceMatches = (
  search: Search,
  by: readonly ReplacementPart[],
  context: FunctionContext,
): string | FunctionFailure => {
  const pieces: string[] = [];
  let at = 0;
  let fits = context.spend(search.text.length);
  const failure = findMatches(search, context, (match) => {
    const replacement = expandReplacement(by, match);
    pieces.push(search.text.slice(at, match.start));
    // Spreading many pieces into one call would overflow the stack.
    for (const piece of replacement) pieces.push(piece);
    at = match.end;
    const size = replacement.reduce((sum, piece) => sum + piece.length + 1, 0);
    fits = context.spend(size) && fits;
    return fits;
  });
  if (failure !== undefined) return failure;
  return fits ? pieces.join('') + search.text.slice(at) : createBudgetFailure();
};

/** Returns the failure of an invalid pattern; called where no match is needed. */
const validatePattern = (search: Search, context: FunctionContext): FunctionFailure | undefined =>
  findMatches(search, context, () => false);

/** Returns at most `most` parts between matches. An empty match at either end of the text does not split. */
const splitByPattern = (
  search: Search,
  most: number,
  context: FunctionContext,
): string[] | FunctionFailure => {
  if (most === 0 || (search.text === '' && search.pattern !== ''))
    return validatePattern(search, context) ?? (most === 0 ? [] : ['']);
  const parts: string[] = [];
  let at = 0;
  let lastStart = 0;
  const failure = findMatches(search, context, ({ start, end }) => {
    if (parts.length === most - 1) return false;
    if (end !== 0) parts.push(search.text.slice(at, start));
    at = end;
    lastStart = start;
    return true;
  });
  if (failure !== undefined) return failure;
  if (lastStart !== search.text.length) parts.push(search.text.slice(at));
  return parts;
};

const META = /[\\.+*?()|[\]{}^$]/gu;

const regexMatch = entry(
  withArguments([readTextArgument, readTextArgument], ([pattern, value], context) => {
    const match = findFirstMatch({ pattern, text: value }, context);
    return match instanceof FunctionFailure ? match : match !== undefined;
  }),
  'regexMatch pattern text',
  'Whether a pattern matches anywhere in a text. All patterns are in RE2 syntax and take linear time.',
  ['{{ regexMatch "^[a-z]+$" "abc" }}', 'true'],
);

const regexFind = entry(
  withArguments(
    [readTextArgument, readTextArgument],
    ([pattern, value], context) => findFirstMatch({ pattern, text: value }, context) ?? '',
  ),
  'regexFind pattern text',
  'The first match, or an empty text.',
  ['{{ regexFind "[0-9]+" "a12b3" }}', '12'],
);

const regexFindAll = entry(
  withArguments(
    [readTextArgument, readTextArgument, readWholeArgument],
    ([pattern, value, most], context) => findAllMatches({ pattern, text: value }, most, context),
  ),
  'regexFindAll pattern text count',
  'The first matches as a list, for a negative count all of them.',
  ['{{ regexFindAll "[0-9]" "a1b2c3" 2 }}', '["1","2"]'],
);

const regexReplaceAll = entry(
  withArguments(
    [readTextArgument, readTextArgument, readTextArgument],
    ([pattern, value, by], context) =>
      replaceMatches({ pattern, text: value }, parseReplacement(by), context),
  ),
  'regexReplaceAll pattern text by',
  'With every match replaced. `${1}` and `${name}` insert groups.',
  ['{{ regexReplaceAll "a(x*)b" "-ab-axxb-" "${1}W" }}', '-W-xxW-'],
);

const regexReplaceAllLiteral = entry(
  withArguments(
    [readTextArgument, readTextArgument, readTextArgument],
    ([pattern, value, by], context) => replaceMatches({ pattern, text: value }, [by], context),
  ),
  'regexReplaceAllLiteral pattern text by',
  'The same, with a text as it is.',
  ['{{ regexReplaceAllLiteral "a(x*)b" "-ab-axxb-" "${1}" }}', '-${1}-${1}-'],
);

const regexSplit = entry(
  withArguments(
    [readTextArgument, readTextArgument, readWholeArgument],
    ([pattern, value, most], context) => splitByPattern({ pattern, text: value }, most, context),
  ),
  'regexSplit pattern text count',
  'The parts between matches as a list, at most so many; for a negative count all of them.',
  ['{{ regexSplit "z+" "pizza" -1 }}', '["pi","a"]'],
);

/** Functions with regular expressions. The engine takes linear time for a match, and every read is charged. */
export const regexFunctions = {
  ...withMustNames({
    regexMatch,
    regexFind,
    regexFindAll,
    regexReplaceAll,
    regexReplaceAllLiteral,
    regexSplit,
  }),
  regexQuoteMeta: entry(
    withArguments([readTextArgument], ([value], context) =>
      makeWithinBudget(context, 2 * value.length, () => value.replace(META, '\\$&')),
    ),
    'regexQuoteMeta text',
    'A pattern that matches just this text.',
    ['{{ regexQuoteMeta "1.2" }}', '1\\.2'],
  ),
} satisfies FunctionEntries;
