import type * as z from 'zod';
import type { ValidationIssue } from '../validation-issue.ts';
import { kindOf } from './kind-of.ts';

type Path = ValidationIssue['path'];

const nouns: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'a boolean',
  int: 'an integer',
  number: 'a number',
  object: 'a mapping',
  string: 'a string',
};

/** The value that the path leads to in the document, or undefined. */
const valueAt = (document: unknown, path: Path): unknown => {
  let value = document;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return value;
};

const requiredText = (path: Path): string => {
  const key = path.at(-1);
  return typeof key === 'string' ? `${key} is required` : 'must not be empty';
};

const typeText = (expected: string, value: unknown): string => {
  const noun = nouns[expected] ?? expected;
  return expected === 'int' && typeof value === 'number'
    ? `must be ${noun}`
    : `must be ${noun}, not ${kindOf(value)}`;
};

const sizeText = (origin: string, word: 'least' | 'most', bound: number | bigint): string =>
  origin === 'array'
    ? `must have at ${word} ${String(bound)} entries`
    : `must be at ${word} ${String(bound)}`;

const messageOf = (issue: z.core.$ZodIssue, value: unknown, path: Path): string => {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? requiredText(path) : typeText(issue.expected, value);
    case 'invalid_value':
      return value === undefined
        ? requiredText(path)
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return sizeText(issue.origin, 'least', issue.minimum);
    case 'too_big':
      return sizeText(issue.origin, 'most', issue.maximum);
    case 'unrecognized_keys':
      return 'unknown field';
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return issue.message;
  }
};

/** What zod found in the document, in plain words: one issue per problem, one per unknown key. */
export const issuesOfZod = (error: z.ZodError, document: unknown): readonly ValidationIssue[] =>
  error.issues.flatMap((issue): ValidationIssue[] => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown field' }));
    }
    return [{ path, message: messageOf(issue, valueAt(document, path), path) }];
  });
