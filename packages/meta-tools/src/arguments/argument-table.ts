import type { JsonObject } from '@gateway/call-contract';
import { isJsonObject } from './argument-kinds.ts';
import { read, refuse, type ArgumentTable, type ArgumentsOf, type Read } from './argument.ts';

/** The JSON Schema that `tools/list` shows for a table of arguments. Unknown arguments are allowed and ignored. */
export const inputSchemaOf = (table: ArgumentTable): JsonObject => {
  const entries = Object.entries(table);
  const required = entries.filter(([, argument]) => argument.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
};

/** Returns the parser of a request's arguments by their table, in its order; the first problem is the refusal. */
export const argumentReader = <A extends ArgumentTable>(
  table: A,
): ((given: unknown) => Read<ArgumentsOf<A>>) => {
  const entries = Object.entries(table);
  return (given) => {
    const source = given ?? {};
    if (!isJsonObject(source)) {
      return refuse({ code: 'argument.type', argument: 'arguments', expected: 'a JSON object' });
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
