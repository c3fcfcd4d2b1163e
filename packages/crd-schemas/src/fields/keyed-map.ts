import * as z from 'zod/mini';
import type { ValidationIssue } from '../validation-issue.ts';
import { textProblem } from './bounded-text.ts';
import { withFacts } from './field-facts.ts';
import { isMapping } from './is-mapping.ts';
import { issuesOfZod } from './issues-of-zod.ts';
import type { KeyedMapBounds } from './keyed-map-bounds.ts';
import { kindOf } from './kind-of.ts';

const keyProblem = (
  key: string,
  { key: bounds, reserved, checkKey }: KeyedMapBounds,
): string | undefined => {
  const outOfBounds = textProblem(key, { min: 1, ...bounds });
  if (outOfBounds !== undefined) return `the key ${outOfBounds}`;
  return key === reserved?.key ? reserved.message : checkKey?.(key);
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
export const keyedMap = <Value>(entry: z.ZodMiniType<Value>, bounds: KeyedMapBounds) =>
  withFacts(
    { map: { entry, bounds } },
    z.pipe(
      z.unknown(),
      z.transform((input, context): Readonly<Record<string, Value>> => {
        const map = Object.create(null) as Record<string, Value>;
        const issues = [...mapIssues(input, bounds)];
        for (const [key, value] of issues.length > 0 ? [] : Object.entries(input as object)) {
          const problem = keyProblem(key, bounds);
          if (problem !== undefined) issues.push({ path: [key], message: problem });
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
      }),
    ),
  );
