import * as z from 'zod';
import type { ValidationIssue } from '../validation-issue.ts';
import { textProblem, type TextBounds } from './bounded-text.ts';
import { isMapping } from './is-mapping.ts';
import { issuesOfZod } from './issues-of-zod.ts';
import { kindOf } from './kind-of.ts';

/** What a map must satisfy. */
export interface KeyedMapBounds {
  readonly key: TextBounds;
  readonly maxEntries: number;
  /** What is wrong with a key that is within its bounds, or undefined. */
  readonly checkKey?: (key: string) => string | undefined;
}

const keyIssues = (key: string, { key: bounds, checkKey }: KeyedMapBounds): ValidationIssue[] => {
  const outOfBounds = textProblem(key, { min: 1, ...bounds });
  if (outOfBounds !== undefined) return [{ path: [key], message: `the key ${outOfBounds}` }];
  const problem = checkKey?.(key);
  return problem === undefined ? [] : [{ path: [key], message: problem }];
};

const mapIssues = (input: unknown, bounds: KeyedMapBounds): readonly ValidationIssue[] => {
  if (!isMapping(input)) {
    return [{ path: [], message: `must be a mapping, not ${kindOf(input)}` }];
  }
  return Object.keys(input).length > bounds.maxEntries
    ? [{ path: [], message: `must have at most ${String(bounds.maxEntries)} entries` }]
    : [];
};

/**
 * A map from names that others choose to values of one kind. The result is frozen and has no prototype, so that
 * `__proto__` and `constructor` are keys like any other.
 */
export const keyedMap = <Value>(entry: z.ZodType<Value>, bounds: KeyedMapBounds) =>
  z.unknown().transform((input, context): Readonly<Record<string, Value>> => {
    const map = Object.create(null) as Record<string, Value>;
    const issues = [...mapIssues(input, bounds)];
    for (const [key, value] of issues.length > 0 ? [] : Object.entries(input as object)) {
      issues.push(...keyIssues(key, bounds));
      const parsed = entry.safeParse(value);
      if (parsed.success) map[key] = parsed.data;
      else {
        for (const { path, message } of issuesOfZod(parsed.error, value)) {
          issues.push({ path: [key, ...path], message });
        }
      }
    }
    for (const { path, message } of issues) {
      context.issues.push({ code: 'custom', input, path: [...path], message });
    }
    return Object.freeze(map);
  });
