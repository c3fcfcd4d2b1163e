import type { FunctionEntries } from '../definition/function-entry.ts';
import { COMPARISON_FUNCTIONS } from './comparison.ts';
import { ESCAPING_FUNCTIONS } from './escaping.ts';
import { INDEXING_FUNCTIONS } from './indexing.ts';
import { LOGIC_FUNCTIONS } from './logic.ts';
import { PRINTING_FUNCTIONS } from './printing.ts';

/** The functions that belong to Go's `text/template` itself. */
export const GO_FUNCTIONS = {
  ...LOGIC_FUNCTIONS,
  ...COMPARISON_FUNCTIONS,
  ...INDEXING_FUNCTIONS,
  ...PRINTING_FUNCTIONS,
  ...ESCAPING_FUNCTIONS,
} as const satisfies FunctionEntries;
