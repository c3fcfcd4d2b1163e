import { FunctionFailure, type FunctionContext } from '../../values/template-value.ts';
import { withArguments, text, whole } from '../definition/arguments.ts';
import { makeWithinBudget, tooLarge } from '../definition/budget.ts';
import { entryIn, sameAs, type FunctionEntries } from '../definition/function-entry.ts';
import { expanded, replacementParts, type ReplacementPart } from './expand-replacement.ts';
import { findMatches } from './find-matches.ts';

const entry = entryIn('Regular expressions');

interface Search {
  readonly pattern: string;
  readonly text: string;
}

const found = (search: Search, context: FunctionContext): string | undefined | FunctionFailure => {
  let first: string | undefined;
  const failure = findMatches(search, context, ({ group }) => {
    first = group(0);
    return false;
  });
  return failure ?? first;
};

/** Returns at most `most` matches; all of them for a negative number. */
const allFound = (
  search: Search,
  most: number,
  context: FunctionContext,
): string[] | FunctionFailure => {
  const matches: string[] = [];
  if (most === 0) return brokenPattern(search, context) ?? matches;
  const failure = findMatches(search, context, ({ group }) => {
    matches.push(group(0) ?? '');
    return matches.length !== most;
  });
  return failure ?? matches;
};

const replaced = (
  search: Search,
  by: readonly ReplacementPart[],
  context: FunctionContext,
): string | FunctionFailure => {
  const pieces: string[] = [];
  let at = 0;
  let fits = context.spend(search.text.length);
  const failure = findMatches(search, context, (match) => {
    const replacement = expanded(by, match);
    pieces.push(search.text.slice(at, match.start));
    // Spread into one call, many pieces would not fit on the stack.
    for (const piece of replacement) pieces.push(piece);
    at = match.end;
    const size = replacement.reduce((sum, piece) => sum + piece.length + 1, 0);
    fits = context.spend(size) && fits;
    return fits;
  });
  if (failure !== undefined) return failure;
  return fits ? pieces.join('') + search.text.slice(at) : tooLarge();
};

/** A broken pattern fails even where its matches do not count. */
const brokenPattern = (search: Search, context: FunctionContext): FunctionFailure | undefined =>
  findMatches(search, context, () => false);

/** Returns the parts between matches, at most `most` of them. An empty match at an end of the text splits nothing off. */
const splitBy = (
  search: Search,
  most: number,
  context: FunctionContext,
): string[] | FunctionFailure => {
  if (most === 0 || (search.text === '' && search.pattern !== ''))
    return brokenPattern(search, context) ?? (most === 0 ? [] : ['']);
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
  withArguments([text, text], ([pattern, value], context) => {
    const match = found({ pattern, text: value }, context);
    return match instanceof FunctionFailure ? match : match !== undefined;
  }),
  'regexMatch pattern text',
  'Whether a pattern matches anywhere in a text. All patterns are in RE2 syntax and take linear time.',
  ['{{ regexMatch "^[a-z]+$" "abc" }}', 'true'],
);

const regexFind = entry(
  withArguments(
    [text, text],
    ([pattern, value], context) => found({ pattern, text: value }, context) ?? '',
  ),
  'regexFind pattern text',
  'The first match, or an empty text.',
  ['{{ regexFind "[0-9]+" "a12b3" }}', '12'],
);

const regexFindAll = entry(
  withArguments([text, text, whole], ([pattern, value, most], context) =>
    allFound({ pattern, text: value }, most, context),
  ),
  'regexFindAll pattern text count',
  'The first matches as a list, for a negative count all of them.',
  ['{{ regexFindAll "[0-9]" "a1b2c3" 2 }}', '["1","2"]'],
);

const regexReplaceAll = entry(
  withArguments([text, text, text], ([pattern, value, by], context) =>
    replaced({ pattern, text: value }, replacementParts(by), context),
  ),
  'regexReplaceAll pattern text by',
  'With every match replaced. `${1}` and `${name}` insert groups.',
  ['{{ regexReplaceAll "a(x*)b" "-ab-axxb-" "${1}W" }}', '-W-xxW-'],
);

const regexReplaceAllLiteral = entry(
  withArguments([text, text, text], ([pattern, value, by], context) =>
    replaced({ pattern, text: value }, [by], context),
  ),
  'regexReplaceAllLiteral pattern text by',
  'With every match replaced by a text as it is.',
  ['{{ regexReplaceAllLiteral "a(x*)b" "-ab-axxb-" "${1}" }}', '-${1}-${1}-'],
);

const regexSplit = entry(
  withArguments([text, text, whole], ([pattern, value, most], context) =>
    splitBy({ pattern, text: value }, most, context),
  ),
  'regexSplit pattern text count',
  'The parts between matches as a list, at most so many; for a negative count all of them.',
  ['{{ regexSplit "z+" "pizza" -1 }}', '["pi","a"]'],
);

/** Functions with regular expressions. The engine takes linear time for a match, and every read is charged. */
export const regexFunctions = {
  regexMatch,
  mustRegexMatch: sameAs(regexMatch, 'regexMatch', 'mustRegexMatch'),
  regexFind,
  mustRegexFind: sameAs(regexFind, 'regexFind', 'mustRegexFind'),
  regexFindAll,
  mustRegexFindAll: sameAs(regexFindAll, 'regexFindAll', 'mustRegexFindAll'),
  regexReplaceAll,
  mustRegexReplaceAll: sameAs(regexReplaceAll, 'regexReplaceAll', 'mustRegexReplaceAll'),
  regexReplaceAllLiteral,
  mustRegexReplaceAllLiteral: sameAs(
    regexReplaceAllLiteral,
    'regexReplaceAllLiteral',
    'mustRegexReplaceAllLiteral',
  ),
  regexSplit,
  mustRegexSplit: sameAs(regexSplit, 'regexSplit', 'mustRegexSplit'),
  regexQuoteMeta: entry(
    withArguments([text], ([value], context) =>
      makeWithinBudget(context, 2 * value.length, () => value.replace(META, '\\$&')),
    ),
    'regexQuoteMeta text',
    'A pattern that matches just this text.',
    ['{{ regexQuoteMeta "1.2" }}', '1\\.2'],
  ),
} satisfies FunctionEntries;
