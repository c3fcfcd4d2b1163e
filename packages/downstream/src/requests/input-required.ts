import { isServerRequest } from './server-request.ts';
import type { ServerRequest } from './server-request.ts';

type OpenRecord = Readonly<Record<string, unknown>>;

/** What a 2026-07-28 server wants before it goes on. */
export interface InputRequired {
  /** Its questions by the names that it gave them; none when it only wants to be asked again. */
  readonly questions: readonly (readonly [string, ServerRequest])[];
  /** Goes back to it as it is; `undefined` when it gave none. */
  readonly requestState: string | undefined;
}

/** Questions of one result; the server may ask more in the next one. */
const MAX_QUESTIONS = 32;

const isRecord = (value: unknown): value is OpenRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const questionOf = (entry: unknown): ServerRequest | undefined => {
  if (!isRecord(entry)) return undefined;
  const { method, params = {} } = entry;
  return typeof method === 'string' && isServerRequest(method) && isRecord(params)
    ? { method, params }
    : undefined;
};

const questionsOf = (requests: unknown): InputRequired['questions'] | undefined => {
  if (requests === undefined) return [];
  if (!isRecord(requests)) return undefined;
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

/** Reads an `input_required` result; `undefined` when it asks nothing, asks what no server may, or asks too much at once. */
export const readInputRequired = (result: OpenRecord): InputRequired | undefined => {
  const questions = questionsOf(result['inputRequests']);
  const state = result['requestState'];
  if (questions === undefined || (state !== undefined && typeof state !== 'string'))
    return undefined;
  if (questions.length === 0 && state === undefined) return undefined;
  return { questions, requestState: state };
};
