import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  read,
  refuse,
  type Argument,
  type ArgumentTable,
  type ArgumentsOf,
  type Read,
} from './argument.ts';

/** The JSON Schema that `tools/list` shows for a table of arguments. Unknown arguments are refused with the expected one, which says more than a client's own check. */
export const inputSchemaOf = (table: ArgumentTable): JsonObject => {
  const entries = Object.entries(table);
  const required = entries.filter(([, argument]) => argument.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
};

const PLAIN_NAME = /[^a-z0-9]/g;
const plainName = (name: string): string => name.toLowerCase().replace(PLAIN_NAME, '');

/** Returns whether two names resemble each other: `args` and `arguments`, `tool_name` and `name`. */
const resembles = (given: string, expected: string): boolean => {
  const [a, b] = [plainName(given.slice(0, 100)), plainName(expected)];
  return a.length >= 2 && (a.includes(b) || b.includes(a) || a.slice(0, 3) === b.slice(0, 3));
};

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
};

/** Returns the argument that an unknown one stands for: one that is not given, has the type of the value, and resembles it or is alone. */
const findMeant = (
  entries: readonly (readonly [string, Argument<unknown>])[],
  source: JsonObject,
  unknown: string,
): readonly string[] => {
  const type = typeOf(source[unknown]);
  const free = entries.filter(
    ([name, { schema }]) => !Object.hasOwn(source, name) && schema['type'] === type,
  );
  const required = free.filter(([, argument]) => argument.required);
  const resembling = free.filter(([name]) => resembles(unknown, name));
  const meant = [resembling, required, free].find((some) => some.length === 1) ?? entries;
  return meant.map(([name]) => name);
};

/**
 * Returns the parser of a request's arguments by their table, in its order; the first problem is the refusal. An argument that is not in
 * the table is one, because a call without it would do something else than the caller expects. A tool without arguments ignores those that
 * clients make up.
 */
export const argumentReader = <A extends ArgumentTable>(
  table: A,
): ((given: unknown) => Read<ArgumentsOf<A>>) => {
  const entries = Object.entries(table);
  const findUnknown = (source: JsonObject): string | undefined =>
    Object.keys(source).find((name) => !Object.hasOwn(table, name) && source[name] !== null);
  return (given) => {
    const source = given ?? {};
    if (!isJsonObject(source)) {
      return refuse({ code: 'argument.type', argument: 'arguments', expected: 'a JSON object' });
    }
    const unknown = entries.length === 0 ? undefined : findUnknown(source);
    if (unknown !== undefined) {
      const expected = findMeant(entries, source, unknown);
      return refuse({ code: 'argument.unknown', argument: unknown, expected });
    }
    const values: Record<string, unknown> = {};
    for (const [name, argument] of entries) {
      const value = argument.read(Object.hasOwn(source, name) ? source[name] : undefined, name);
      if (!value.ok) return value;
      values[name] = value.value;
    }
    return read(values as ArgumentsOf<A>);
  };
};
