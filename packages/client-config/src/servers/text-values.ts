import { isJsonObject, type JsonObject } from '../reading/json-object.ts';
import { placeholderIn } from './placeholders.ts';
import type { ServerProblem } from './import-problem.ts';

/** Returns whether a value is a list of texts. */
export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Returns the problem of a text that its client would replace in part. */
export const placeholderProblems = (field: string, text: unknown): readonly ServerProblem[] => {
  const placeholder = typeof text === 'string' ? placeholderIn(text) : undefined;
  return placeholder === undefined ? [] : [{ code: 'placeholder', field, placeholder }];
};

const valueProblem = (field: string, value: unknown): readonly ServerProblem[] =>
  typeof value === 'string'
    ? placeholderProblems(field, value)
    : [{ code: 'wrong-value', field, rule: 'a text' }];

/** A program cannot receive a variable with a blank or "=" in its name, and RFC 9110 §5.1 defines the names of headers. */
export const isName = (field: 'env' | 'headers', name: string): boolean =>
  (field === 'env' ? /^[A-Za-z_][\w.-]*$/u : /^[\w!#$%&'*+.^`|~-]+$/u).test(name);

/** Returns the problems of a field whose value is an object with texts, such as `env`. */
export const textMapProblems = (
  server: JsonObject,
  field: 'env' | 'headers',
): readonly ServerProblem[] => {
  const map = server[field];
  if (map === undefined) return [];
  if (!isJsonObject(map)) return [{ code: 'wrong-value', field, rule: 'an object with texts' }];
  return Object.entries(map).flatMap(([name, value]) => [
    ...(isName(field, name) ? [] : [{ code: 'wrong-name', field, name } as const]),
    ...valueProblem(`${field}.${name}`, value),
  ]);
};
