import type { TextBounds } from './text-pattern.ts';
import type { JsonMap } from '@gateway/go-template';
import type { Result } from '@gateway/toolset-grammar';
import type * as z from 'zod/mini';

export interface KeyedMapBounds {
  readonly key: TextBounds;
  readonly maxEntries: number;
  /** A key that is not allowed, and the message that refuses it. */
  readonly reserved?: { readonly key: string; readonly message: string };
}

/** Parses a key that is within its bounds; returns the parsed key or its problem. */
export type ReadKey<Key> = (written: string) => Result<Key, string>;

/** A field as a zod schema. */
export type Field = z.core.$ZodType;

/** The description and bounds of a field that zod cannot express. Schemas are generated from it; parsing never reads it. */
export interface FieldFacts {
  /** The purpose of the field: one line for editors, `kubectl explain` and the reference. */
  readonly about?: string;
  /** Of an object: its name in schemas, types and the reference. */
  readonly name?: string;
  readonly text?: TextBounds;
  readonly map?: { readonly entry: Field; readonly bounds: KeyedMapBounds };
  /** Free-form JSON: any value, or a mapping of any values. */
  readonly json?: 'value' | 'mapping';
  /** For an object: JSON Schema keywords that express a further check. */
  readonly also?: JsonMap;
  /** No value is accepted; the field exists so that its refusal can state the reason. */
  readonly isRefused?: true;
  /** Of a field of `MCPServer.spec`. */
  readonly server?: ServerFieldFacts;
}

/** The kinds of servers: those that run as a process, and those that are reached over HTTP. */
export type ServerKind = 'stdio' | 'remote';

/** The meaning of a field of `MCPServer.spec` besides its values. Everything that treats fields by name follows from it. */
export interface ServerFieldFacts {
  /** The description of the argument of core tools, if it is shorter than that of the field. */
  readonly argument?: string;
  /** The argument of core tools has the whole schema, with bounds and descriptions. */
  readonly isDetailed?: true;
  /** The only kind of servers for which the field has a meaning. */
  readonly kind?: ServerKind;
  /** A server of the other kind that has the field is refused. */
  readonly isRefusedElsewhere?: true;
  /** The value that an absent field means, where it is compared or shown. */
  readonly unset?: string;
  /** A change of the field replaces the connections of servers of this kind, or of all. */
  readonly reconnects?: ServerKind | 'all';
  /** Each value of the map is a secret. */
  readonly isSecret?: true;
  /** File mode replaces placeholders in the texts of the field. */
  readonly hasPlaceholders?: true;
  /** The field does not decide where the values of a server are sent. */
  readonly keepsDestination?: true;
}

const known = new WeakMap<Field, FieldFacts>();

/** Returns the facts of a field; a field derived by further checks has the facts of its parent too. */
export const readFieldFacts = (field: Field): FieldFacts => {
  const { parent } = field._zod;
  return { ...(parent === undefined ? {} : readFieldFacts(parent)), ...known.get(field) };
};

/** Returns the field with further facts. */
export const withFacts = <Known extends z.ZodMiniType>(facts: FieldFacts, field: Known): Known => {
  const copy = field.clone();
  known.set(copy, facts);
  return copy;
};

/** Returns the same field with a description. */
export const describeField = <Known extends z.ZodMiniType>(about: string, field: Known): Known =>
  withFacts({ about }, field);

/** Returns the same field of `MCPServer.spec` with a description and its meaning. */
export const describeServerField = <Known extends z.ZodMiniType>(
  about: string,
  server: ServerFieldFacts,
  field: Known,
): Known => withFacts({ about, server }, field);

/** Returns the same object field with a name. */
export const nameField = <Known extends z.ZodMiniType>(name: string, field: Known): Known =>
  withFacts({ name }, field);

/** Limits a check of a length to texts and lists. The library measures whatever has a member `length`, which can be an object that is no number. */
export const checkMaximumLength = <Check extends z.core.$ZodCheck>(check: Check): Check => {
  check._zod.def.when = ({ value }) => typeof value === 'string' || Array.isArray(value);
  return check;
};
