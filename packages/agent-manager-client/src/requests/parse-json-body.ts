import { isJsonObject } from '@gateway/call-contract';
import { type ClientOutcome, formatQuotedName, refuse } from '../refusals/refusal.ts';

/** Maximum nesting depth; deeper than any body of an operation. */
const MAX_DEPTH = 64;

/** A problem of a JSON text that is not a syntax error. */
type JsonTextProblem =
  | { readonly code: 'json.repeated-field'; readonly field: string }
  | { readonly code: 'json.too-deep'; readonly maximum: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Returns the index of the end of the string that starts at an index; past the end of the text when it is not closed. */
const findStringEnd = (json: string, opening: number): number => {
  let index = opening + 1;
  while (index < json.length && json.charCodeAt(index) !== QUOTE)
    index += json.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
};

/** Returns the value of a string literal, given without its quotes. A literal with an invalid escape is returned unchanged. */
const resolveEscapes = (literal: string): string => {
  if (!literal.includes('\\')) return literal;
  try {
    return JSON.parse(`"${literal}"`) as string;
  } catch {
    return literal;
  }
};

/** Scans a JSON text for deep nesting and repeated names. Records the names of every open object. */
class JsonScanner {
  readonly #json: string;
  readonly #open: (Set<string> | undefined)[] = [];
  /** The last string: a name, if a colon follows. */
  #opening = 0;
  #closing = 0;

  constructor(json: string) {
    this.#json = json;
  }

  /** Scans one token. @returns a problem, or the index of the next token */
  take(index: number): JsonTextProblem | number {
    switch (this.#json.charCodeAt(index)) {
      case QUOTE:
        this.#opening = index;
        this.#closing = findStringEnd(this.#json, index);
        return this.#closing + 1;
      case COLON:
        return this.#name() ?? index + 1;
      case 0x7b: // {
        return this.#enter(new Set()) ?? index + 1;
      case 0x5b: // [
        return this.#enter(undefined) ?? index + 1;
      case 0x7d: // }
      case 0x5d: // ]
        this.#open.pop();
        return index + 1;
      default:
        return index + 1;
    }
  }

  #enter(names: Set<string> | undefined): JsonTextProblem | undefined {
    this.#open.push(names);
    return this.#open.length > MAX_DEPTH
      ? { code: 'json.too-deep', maximum: MAX_DEPTH }
      : undefined;
  }

  #name(): JsonTextProblem | undefined {
    const field = resolveEscapes(this.#json.slice(this.#opening + 1, this.#closing));
    const names = this.#open.at(-1);
    if (names?.has(field) === true) return { code: 'json.repeated-field', field };
    names?.add(field);
    return undefined;
  }
}

/**
 * Returns a problem on which JSON parsers disagree, or `undefined`: excessive nesting, or an object with a duplicate name
 * (RFC 8259 §4). Call it before the text is parsed, because deep nesting is slow to parse. The result for text that is
 * not JSON is undefined behaviour.
 */
const validateJsonText = (json: string): JsonTextProblem | undefined => {
  const objects = new JsonScanner(json);
  let index = 0;
  while (index < json.length) {
    const next = objects.take(index);
    if (typeof next !== 'number') return next;
    index = next;
  }
  return undefined;
};

const formatBodyProblem = (problem: JsonTextProblem): string => {
  switch (problem.code) {
    case 'json.repeated-field':
      return `the body repeats the field ${formatQuotedName(problem.field)}`;
    case 'json.too-deep':
      return `the body is nested deeper than ${problem.maximum} levels`;
  }
};

const refuseRequest = (reason: string) => refuse('invalid_request', reason);

const decodeBody = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
};

const parseText = (text: string): ClientOutcome<unknown> => {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return refuseRequest('invalid JSON: the body does not parse');
  }
};

/**
 * Parses the JSON object in the body of a request. Refuses an empty body, bytes that are not UTF-8, invalid JSON, a repeated field,
 * excessive nesting, and a value that is not an object.
 */
export const parseJsonBody = (
  body: Uint8Array,
): ClientOutcome<Readonly<Record<string, unknown>>> => {
  const text = decodeBody(body);
  if (text === undefined) return refuseRequest('invalid JSON: the body is not UTF-8');
  if (text.trim() === '') return refuse('invalid_request', 'a JSON body is required');
  const problem = validateJsonText(text);
  if (problem?.code === 'json.too-deep') return refuseRequest(formatBodyProblem(problem));
  const json = parseText(text);
  if (!json.ok) return json;
  if (problem !== undefined) return refuseRequest(formatBodyProblem(problem));
  return isJsonObject(json.value)
    ? { ok: true, value: json.value }
    : refuseRequest('the body must be an object');
};
