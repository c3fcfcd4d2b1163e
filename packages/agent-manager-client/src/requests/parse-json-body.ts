import { isJsonObject } from '../arguments/value-kind.ts';
import { refused, type Answer } from '../refusals/refusal.ts';
import { formatShown } from '../refusals/shown.ts';
import { jsonTextProblem, type JsonTextProblem } from './json-text-problem.ts';

const problemText = (problem: JsonTextProblem): string => {
  switch (problem.code) {
    case 'json.repeated-field':
      return `the body repeats the field ${formatShown(problem.field)}`;
    case 'json.too-deep':
      return `the body is nested deeper than ${problem.maximum} levels`;
  }
};

const invalid = (reason: string) => refused('invalid_request', reason);

const decodeBody = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
};

const parseText = (text: string): Answer<unknown> => {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return invalid('invalid JSON: the body does not parse');
  }
};

/**
 * Parses the JSON object in the body of a request. Refuses an empty body, bytes that are not UTF-8, invalid JSON, a repeated field,
 * excessive nesting, and a value that is not an object.
 */
export const parseJsonBody = (body: Uint8Array): Answer<Readonly<Record<string, unknown>>> => {
  const text = decodeBody(body);
  if (text === undefined) return invalid('invalid JSON: the body is not UTF-8');
  if (text.trim() === '') return refused('invalid_request', 'a JSON body is required');
  const problem = jsonTextProblem(text);
  if (problem?.code === 'json.too-deep') return invalid(problemText(problem));
  const json = parseText(text);
  if (!json.ok) return json;
  if (problem !== undefined) return invalid(problemText(problem));
  return isJsonObject(json.value)
    ? { ok: true, value: json.value }
    : invalid('the body must be an object');
};
