import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';
import type { ServerProblem } from './import-problem.ts';

/** A value that another program replaces, such as `${input:token}` and `${env:TOKEN}`. */
const PLACEHOLDER = /\$\{[^{}]{1,200}\}/;

/** Returns whether a value is a list of texts. */
export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const valueProblem = (field: string, value: unknown): readonly ServerProblem[] => {
  if (typeof value !== 'string') return [{ code: 'wrong-value', field, rule: 'a text' }];
  const placeholder = PLACEHOLDER.exec(value)?.[0];
  return placeholder === undefined ? [] : [{ code: 'placeholder', field, placeholder }];
};

/** Returns the problems of a field whose value is an object with texts, such as `env`. */
export const textMapProblems = (
  server: JsonObject,
  field: 'env' | 'headers',
): readonly ServerProblem[] => {
  const map = server[field];
  if (map === undefined) return [];
  if (!isJsonObject(map)) return [{ code: 'wrong-value', field, rule: 'an object with texts' }];
  return Object.entries(map).flatMap(([name, value]) => valueProblem(`${field}.${name}`, value));
};
