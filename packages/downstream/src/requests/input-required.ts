import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { isServerRequest } from './server-request.ts';
import type { ServerRequest } from './server-request.ts';

/** The input that a 2026-07-28 server requires before it continues. */
export interface InputRequired {
  /** The requests by the names that the server chose; none when the server only requires a retry. */
  readonly questions: readonly (readonly [string, ServerRequest])[];
  /** Returned to the server unchanged; `undefined` when it sent none. */
  readonly requestState: string | undefined;
}

/** Maximum number of requests per result; the next result may contain more. */
const MAX_QUESTIONS = 32;

const questionOf = (entry: unknown): ServerRequest | undefined => {
  if (!isJsonObject(entry)) return undefined;
  const { method, params = {} } = entry;
  return typeof method === 'string' && isServerRequest(method) && isJsonObject(params)
    ? { method, params }
    : undefined;
};

const questionsOf = (requests: unknown): InputRequired['questions'] | undefined => {
  if (requests === undefined) return [];
  if (!isJsonObject(requests)) return undefined;
  const entries = Object.entries(requests);
  if (entries.length > MAX_QUESTIONS) return undefined;
  const questions: (readonly [string, ServerRequest])[] = [];
  for (const [name, entry] of entries) {
    const question = questionOf(entry);
    if (question === undefined) return undefined;
    questions.push([name, question]);
  }
  return questions;
};

/** Parses an `input_required` result; `undefined` when it contains no request, an unknown request or too many. */
export const readInputRequired = (result: JsonObject): InputRequired | undefined => {
  const questions = questionsOf(result['inputRequests']);
  const state = result['requestState'];
  if (questions === undefined || (state !== undefined && typeof state !== 'string'))
    return undefined;
  if (questions.length === 0 && state === undefined) return undefined;
  return { questions, requestState: state };
};
