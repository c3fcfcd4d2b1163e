import type { JsonObject } from '@gateway/catalog';

/** The most characters of a text argument: no name that a tool takes is longer. */
const MAX_TEXT_ARGUMENT_CHARS = 1024;

/** One argument of a core tool. */
export interface CoreArgument {
  readonly type: 'string' | 'boolean';
  readonly required: boolean;
  readonly description: string;
}

/** The arguments of a core tool by name. Any other is refused. */
export type CoreArguments = Readonly<Record<string, CoreArgument>>;

/** What the arguments are once checked. */
export type ValuesOf<A extends CoreArguments> = {
  readonly [K in keyof A]: Value<A[K]>;
};

type Value<A extends CoreArgument> =
  | (A['type'] extends 'string' ? string : boolean)
  | (A['required'] extends true ? never : undefined);

/** The checked arguments, or the sentence that refuses them. */
export type CheckedArguments<A extends CoreArguments> =
  | { readonly ok: true; readonly values: ValuesOf<A> }
  | { readonly ok: false; readonly text: string };

/** The JSON Schema of a tool's arguments. */
export const inputSchemaOf = (table: CoreArguments): JsonObject => {
  const required = Object.keys(table).filter((name) => table[name]?.required);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(table).map(([name, { type, description }]) => [name, { type, description }]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const problemOf = (
  name: string,
  { type, required }: CoreArgument,
  value: unknown,
): string | undefined => {
  if (value === undefined || value === null || value === '') {
    return required ? `${name} argument is required` : undefined;
  }
  if (typeof value !== type) return `${name} must be a ${type}`;
  if (typeof value === 'string' && value.length > MAX_TEXT_ARGUMENT_CHARS) {
    return `${name} must be at most ${String(MAX_TEXT_ARGUMENT_CHARS)} characters`;
  }
  return undefined;
};

const shown = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}...` : name);

const unknownText = (given: JsonObject, table: CoreArguments): string | undefined => {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(table, name));
  if (unknown.length === 0) return undefined;
  const allowed = Object.keys(table).join(', ');
  return `unknown args: [${unknown.slice(0, 10).map(shown).join(', ')}]. Allowed args: [${allowed}]`;
};

/** Checks the arguments of a call: unknown ones first, then each in the order of the table. */
export const checkArguments = <A extends CoreArguments>(
  table: A,
  given: unknown,
): CheckedArguments<A> => {
  const source = given ?? {};
  if (!isObject(source)) return { ok: false, text: 'arguments must be a JSON object' };
  const unknown = unknownText(source, table);
  if (unknown !== undefined) return { ok: false, text: unknown };
  const values: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(table)) {
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    const problem = problemOf(name, argument, value);
    if (problem !== undefined) return { ok: false, text: problem };
    if (value !== null && value !== '') values[name] = value;
  }
  return { ok: true, values: values as ValuesOf<A> };
};
