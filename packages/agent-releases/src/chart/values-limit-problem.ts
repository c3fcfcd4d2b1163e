import { MAX_VALUES_DEPTH, TOO_DEEP } from '../values/depth.ts';
import type { Json } from '../store/objects.ts';

/** The maximum number of values. Keys and items count separately. */
const MAX_VALUES = 10_000;
/** The maximum length of all strings and keys together, in characters. */
const MAX_VALUES_CHARS = 2_097_152;

const LONE_SURROGATE = /\p{Surrogate}/u;
/** The character that Helm writes without an escape and cannot read again. */
const DELETE = '\u007f';

const isUnreadable = (value: unknown): boolean =>
  typeof value === 'string' && value.includes(DELETE);

interface Budget {
  values: number;
  chars: number;
}

/** Subtracts one value from the budget. Returns the exceeded limit. */
const spend = (budget: Budget, key: string, value: unknown): string | undefined => {
  budget.values -= 1;
  budget.chars -= key.length + (typeof value === 'string' ? value.length : 0);
  if (budget.values < 0) return `must have at most ${MAX_VALUES} values`;
  if (budget.chars < 0) return `must have at most ${MAX_VALUES_CHARS} characters`;
  if (isUnreadable(key) || isUnreadable(value))
    return 'must not have the character U+007F, which Helm cannot read';
  return LONE_SURROGATE.test(key) ? 'must have keys without lone surrogates' : undefined;
};

const walk = (value: unknown, levels: number, budget: Budget): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return TOO_DEEP;
  for (const [key, inner] of Object.entries(value)) {
    const problem = spend(budget, key, inner) ?? walk(inner, levels - 1, budget);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** Returns which limit the values exceed, before they are validated; undefined for none. Takes bounded time. */
export const valuesLimitProblem = (values: Json): string | undefined =>
  walk(values, MAX_VALUES_DEPTH, { values: MAX_VALUES, chars: MAX_VALUES_CHARS });
