import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import { FunctionFailure, type TemplateFunction } from '../../values/template-value.ts';
import { sprint, sprintln } from './sprint.ts';
import { sprintf } from './sprintf.ts';

const printf: TemplateFunction = ([format = null, ...values], context) =>
  typeof format === 'string'
    ? sprintf(format, values, context)
    : new FunctionFailure('the format must be a string');

const entry = entryIn('Printing');

/** Go's functions that print. */
export const PRINTING_FUNCTIONS = {
  print: entry(
    sprint,
    'print value…',
    'The values one after the other, with a blank between two that are no texts.',
    ['{{ print "a" 1 2 }}', 'a1 2'],
  ),
  printf: entry(
    printf,
    'printf format value…',
    'The values in the places of the verbs of the format: `%v %s %d %f %e %g %x %o %b %c %q %t %U %T %%` with flags, width and precision.',
    ['{{ printf "%s-%03d" "a" 7 }}', 'a-007'],
  ),
  println: entry(
    sprintln,
    'println value…',
    'The values with blanks between them, and the end of the line.',
    ['{{ println "a" 1 | trim }}', 'a 1'],
  ),
} as const satisfies FunctionEntries;
