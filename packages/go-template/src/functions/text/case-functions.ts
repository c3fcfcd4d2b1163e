import { text, withArguments } from '../definition/arguments.ts';
import { makeWithinBudget } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import {
  initialsOf,
  joinedWords,
  pascalCase,
  swappedCase,
  titleCase,
  untitleCase,
} from './letter-case.ts';

const entry = entryIn('Letters and names');

/** Finding words costs more per letter than copying. */
const UNITS_PER_LETTER = 16;

const changing = (change: (value: string) => string, units = UNITS_PER_LETTER) =>
  withArguments([text], ([value], context) =>
    makeWithinBudget(context, units * value.length, () => change(value)),
  );

/** Functions that change letters between capital and small, and names between conventions. */
export const caseFunctions = {
  upper: entry(
    changing((value) => value.toUpperCase(), 1),
    'upper text',
    'All letters in capitals.',
    ['{{ upper "hello" }}', 'HELLO'],
  ),
  lower: entry(
    changing((value) => value.toLowerCase(), 1),
    'lower text',
    'All letters small.',
    ['{{ lower "HELLO" }}', 'hello'],
  ),
  title: entry(changing(titleCase), 'title text', 'The first letter of every word in capitals.', [
    '{{ title "hello world" }}',
    'Hello World',
  ]),
  untitle: entry(changing(untitleCase), 'untitle text', 'The first letter of every word small.', [
    '{{ untitle "Hello World" }}',
    'hello world',
  ]),
  swapcase: entry(
    changing(swappedCase),
    'swapcase text',
    'Capitals become small letters, and the other way round.',
    ['{{ swapcase "Hello" }}', 'hELLO'],
  ),
  initials: entry(changing(initialsOf), 'initials text', 'The first letters of all words.', [
    '{{ initials "First Try" }}',
    'FT',
  ]),
  snakecase: entry(
    changing((value) => joinedWords(value, '_')),
    'snakecase text',
    'A name of any convention as `snake_case`.',
    ['{{ snakecase "HTTPServer" }}', 'http_server'],
  ),
  kebabcase: entry(
    changing((value) => joinedWords(value, '-')),
    'kebabcase text',
    'A name of any convention as `kebab-case`.',
    ['{{ kebabcase "FirstName" }}', 'first-name'],
  ),
  camelcase: entry(
    changing(pascalCase),
    'camelcase text',
    'A name of words with spaces, hyphens or underscores between them as `CamelCase`.',
    ['{{ camelcase "http_server" }}', 'HttpServer'],
  ),
} satisfies FunctionEntries;
