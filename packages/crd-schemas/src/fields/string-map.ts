import * as z from 'zod';
import { textProblem, type TextBounds } from './bounded-text.ts';
import { kindOf } from './kind-of.ts';

/** What a map of strings must satisfy. */
export interface StringMapBounds {
  readonly key: TextBounds;
  readonly value: TextBounds;
  readonly maxEntries: number;
}

interface EntryIssue {
  readonly path: readonly string[];
  readonly message: string;
}

const entryIssues = (
  [key, value]: readonly [string, unknown],
  bounds: StringMapBounds,
): readonly EntryIssue[] => {
  const issues: EntryIssue[] = [];
  const keyProblem = textProblem(key, { min: 1, ...bounds.key });
  if (keyProblem !== undefined) issues.push({ path: [key], message: `the key ${keyProblem}` });
  if (typeof value !== 'string') {
    issues.push({ path: [key], message: `must be a string, not ${kindOf(value)}` });
    return issues;
  }
  const valueProblem = textProblem(value, bounds.value);
  if (valueProblem !== undefined) issues.push({ path: [key], message: valueProblem });
  return issues;
};

const mapIssues = (input: unknown, bounds: StringMapBounds): readonly EntryIssue[] => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return [{ path: [], message: `must be a mapping, not ${kindOf(input)}` }];
  }
  const entries = Object.entries(input);
  if (entries.length > bounds.maxEntries) {
    return [{ path: [], message: `must have at most ${String(bounds.maxEntries)} entries` }];
  }
  return entries.flatMap((entry) => entryIssues(entry, bounds));
};

/**
 * A map from names that others choose to strings. The result is frozen and has no prototype, so that `__proto__`
 * and `constructor` are keys like any other.
 */
export const stringMap = (bounds: StringMapBounds) =>
  z.unknown().transform((input, context): Readonly<Record<string, string>> => {
    const issues = mapIssues(input, bounds);
    for (const { path, message } of issues) {
      context.issues.push({ code: 'custom', input, path: [...path], message });
    }
    const map: Record<string, string> = Object.create(null) as Record<string, string>;
    if (issues.length === 0) Object.assign(map, input);
    return Object.freeze(map);
  });
