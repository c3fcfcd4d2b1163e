import type { JsonObject } from '@gateway/call-contract';
import type { Refusal } from '../contract/refusal.ts';

/** The outcome of reading something a caller sent. */
export type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** One argument of a meta-tool: its schema in `tools/list` and the parser of its value. */
export interface Argument<T> {
  /** The JSON Schema of the property. */
  readonly schema: JsonObject;
  readonly required: boolean;
  /** Reads the value of the argument called `name`; `undefined` and `null` mean "not given". */
  readonly read: (value: unknown, name: string) => Read<T>;
}

/** The arguments of one meta-tool by name, in the order in which they are shown and checked. */
export type ArgumentTable = Readonly<Record<string, Argument<unknown>>>;

/** The parsed arguments of a table. */
export type ArgumentsOf<A extends ArgumentTable> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

/** A value that was read. */
export const read = <T>(value: T): Read<T> => ({ ok: true, value });

/** A value that is refused. */
export const refuse = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal,
});
