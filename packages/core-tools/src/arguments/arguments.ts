import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { argumentProblem } from './argument-problem.ts';
import type { CoreArgument, CoreArguments } from './core-argument.ts';

interface ValueByType {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly array: readonly unknown[];
  readonly object: JsonObject;
}

/** The checked arguments of a call. */
export type ValuesOf<A extends CoreArguments> = {
  readonly [K in keyof A]:
    | ValueByType[A[K]['type']]
    | (A[K]['nullable'] extends true ? null : never)
    | (A[K]['required'] extends true ? never : undefined);
};

/** The checked arguments, or the sentence that refuses them. */
export type CheckedArguments<A extends CoreArguments> =
  | { readonly ok: true; readonly values: ValuesOf<A> }
  | { readonly ok: false; readonly text: string };

const shown = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}...` : name);

const unknownText = (given: JsonObject, table: CoreArguments): string | undefined => {
  const aliases = new Set(Object.values(table).map(({ alias }) => alias));
  const unknown = Object.keys(given).filter(
    (name) => !Object.hasOwn(table, name) && !aliases.has(name),
  );
  if (unknown.length === 0) return undefined;
  const allowed = Object.keys(table).join(', ');
  return `unknown args: [${unknown.slice(0, 10).map(shown).join(', ')}]. Allowed args: [${allowed}]`;
};

/** Returns the arguments that are given in both spellings, because the intended one is unknown. */
const doubledText = (given: JsonObject, table: CoreArguments): string | undefined => {
  for (const [name, { alias }] of Object.entries(table)) {
    if (alias === undefined || !Object.hasOwn(given, alias)) continue;
    if (Object.hasOwn(given, name)) return `set ${name} or ${alias}, not both`;
  }
  return undefined;
};

/** Returns the value under the argument's name, or else under its alias. */
const givenValue = (given: JsonObject, name: string, { alias }: CoreArgument): unknown => {
  if (Object.hasOwn(given, name)) return given[name];
  return alias !== undefined && Object.hasOwn(given, alias) ? given[alias] : undefined;
};

const isPresent = ({ nullable }: CoreArgument, value: unknown): boolean =>
  value !== undefined && (nullable === true || (value !== null && value !== ''));

/** Checks the arguments of a call: unknown ones first, then each in the order of the table. */
export const checkArguments = <A extends CoreArguments>(
  table: A,
  given: unknown,
): CheckedArguments<A> => {
  const source = given ?? {};
  if (!isJsonObject(source)) return { ok: false, text: 'arguments must be a JSON object' };
  const refused = unknownText(source, table) ?? doubledText(source, table);
  if (refused !== undefined) return { ok: false, text: refused };
  const values: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(table)) {
    const value = givenValue(source, name, argument);
    const problem = argumentProblem(name, argument, value);
    if (problem !== undefined) return { ok: false, text: problem };
    if (isPresent(argument, value)) values[name] = value;
  }
  return { ok: true, values: values as ValuesOf<A> };
};
