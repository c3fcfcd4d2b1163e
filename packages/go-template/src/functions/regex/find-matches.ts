import { MatcherInput, RE2JS, RE2JSException, type Matcher } from 're2js';
import { FunctionFailure, type FunctionContext } from '../../values/template-value.ts';
import { tooLarge } from '../definition/budget.ts';
import { MeteredText, OutOfReads } from './metered-text.ts';

/** Longer patterns are refused: repetitions multiply the size of a pattern. */
const MAX_PATTERN_CHARS = 1000;
/** Instructions of a compiled pattern. `[a-z]{500}` has about five hundred. */
const MAX_PATTERN_STEPS = 10_000;

/**
 * For each character the engine runs up to all instructions of the pattern; each multiple of this number adds one unit to a
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
  /** The text of a group by number or name; nothing for a group that took no part and for one that does not exist. */
  readonly group: (key: number | string) => string | undefined;
}

const compiled = (pattern: string, context: FunctionContext): RE2JS | FunctionFailure => {
  if (pattern.length > MAX_PATTERN_CHARS)
    return new FunctionFailure(`the pattern is longer than ${MAX_PATTERN_CHARS} characters`);
  if (!context.spend(pattern.length * UNITS_PER_PATTERN_CHAR)) return tooLarge();
  try {
    const expression = RE2JS.compile(pattern);
    if (!context.spend(expression.programSize() * UNITS_PER_STEP)) return tooLarge();
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

const groupReader = (
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
export const findMatches = (
  { pattern, text }: { readonly pattern: string; readonly text: string },
  context: FunctionContext,
  visit: (match: PatternMatch) => boolean,
): FunctionFailure | undefined => {
  const expression = compiled(pattern, context);
  if (expression instanceof FunctionFailure) return expression;
  const weight = UNITS_PER_READ + Math.ceil(expression.programSize() / STEPS_PER_UNIT);
  const metered = new MeteredText(text, (reads) => context.spend(reads * weight));
  const matcher = expression.matcher(MatcherInput.utf16(metered));
  const group = groupReader(expression, matcher);
  try {
    visitAll(matcher, group, (match) => {
      if (!context.spend(UNITS_PER_MATCH)) throw new OutOfReads();
      return visit(match);
    });
    return undefined;
  } catch (error) {
    if (error instanceof OutOfReads) return tooLarge();
    throw error;
  }
};

const visitAll = (
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
