import type { JsonObject } from '@gateway/call-contract';
import {
  problemInField,
  problemInItem,
  missingProblem,
  unknownFieldProblem,
  wrongTypeProblem,
  type ArgumentProblem,
} from './argument-problem.ts';

/** The test of each JSON type. */
export interface ValueKind {
  /** The first thing that is wrong with a value, in the order in which it is written. */
  readonly problem: (value: unknown) => ArgumentProblem | undefined;
  /** A value without problems, less the fields that are `null`. */
  readonly take: (value: unknown) => unknown;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const isText = (text: string): boolean => !LONE_SURROGATE.test(text);

/** Returns whether a value is a JSON object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asIs = (value: unknown): unknown => value;

const NOT_TEXT = wrongTypeProblem('a string');
// No encoding of Unicode carries half a character: it would be written as another one than was given.
const HALF_TEXT = wrongTypeProblem('a string without lone surrogates');

/** A text. */
export const TEXT: ValueKind = {
  problem: (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return isText(value) ? undefined : HALF_TEXT;
  },
  take: asIs,
};

const NOT_BOOLEAN = wrongTypeProblem('a boolean');

/** `true` or `false`. */
export const BOOLEAN: ValueKind = {
  problem: (value) => (typeof value === 'boolean' ? undefined : NOT_BOOLEAN),
  take: asIs,
};

const NOT_ARRAY = wrongTypeProblem('an array');

/** A list of such items. */
export const listOf = (item: ValueKind): ValueKind => ({
  problem: (value) => {
    if (!Array.isArray(value)) return NOT_ARRAY;
    let index = 0;
    for (const entry of value) {
      const problem = item.problem(entry);
      if (problem !== undefined) return problemInItem(index, problem);
      index += 1;
    }
    return undefined;
  },
  take: (value) => (value as readonly unknown[]).map(item.take),
});

const NOT_OBJECT = wrongTypeProblem('an object');
const HALF_KEYS = wrongTypeProblem('an object whose keys are without lone surrogates');

/** Texts by key. Keys are open, `__proto__` among them. `null` is no text, as no key is optional. */
export const TEXT_MAP: ValueKind = {
  problem: (value) => {
    if (!isJsonObject(value)) return NOT_OBJECT;
    for (const key of Object.keys(value)) {
      if (!isText(key)) return HALF_KEYS;
      const problem = TEXT.problem(value[key]);
      if (problem !== undefined) return problemInField(key, problem);
    }
    return undefined;
  },
  take: asIs,
};

/** Fields of an object by their names, and which of them must be there. */
export interface Fields {
  readonly kinds: ReadonlyMap<string, ValueKind>;
  readonly required: readonly string[];
}

const isAbsent = (value: JsonObject, field: string): boolean =>
  !Object.hasOwn(value, field) || value[field] === null || value[field] === undefined;

const fieldsProblem = ({ kinds, required }: Fields, value: JsonObject) => {
  for (const field of Object.keys(value)) {
    const kind = kinds.get(field);
    if (kind === undefined) return unknownFieldProblem(field);
    const entry = value[field];
    if (entry === null || entry === undefined) continue;
    const problem = kind.problem(entry);
    if (problem !== undefined) return problemInField(field, problem);
  }
  const absent = required.find((field) => isAbsent(value, field));
  return absent === undefined ? undefined : problemInField(absent, missingProblem);
};

/** An object of these fields and no others. */
export const objectOf = (fields: Fields): ValueKind => ({
  problem: (value) => (isJsonObject(value) ? fieldsProblem(fields, value) : NOT_OBJECT),
  take: (value) => {
    const taken: Record<string, unknown> = {};
    for (const [field, entry] of Object.entries(value as JsonObject))
      if (entry !== null && entry !== undefined)
        taken[field] = fields.kinds.get(field)?.take(entry);
    return taken;
  },
});
