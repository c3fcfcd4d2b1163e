import { isMapping } from '../fields/is-mapping.ts';
import { memberOf } from '../resource/resource-identity.ts';
import type { ReadSet } from './record-reads.ts';

/**
 * Represents a value that is not the mapping that it should be: it is not an empty mapping, and the fields report the problem.
 */
const NO_MAPPING: ReadonlyMap<string, null> = new Map([['', null]]);

/** Returns a `Map` at every level, because a key of an object could be confused with a JavaScript member. */
const celFieldsOf = (value: object, { fields }: ReadSet): ReadonlyMap<string, unknown> => {
  const seen = new Map<string, unknown>();
  for (const [field, reading] of fields) {
    const member = celValueOf(memberOf(value, field), reading);
    if (member !== undefined) seen.set(field, member);
  }
  return seen;
};

/** No rule distinguishes longer lists, and no resource has one. */
const MAX_LISTED_ITEMS = 65_536;

const shapeOf = (value: object): unknown =>
  Array.isArray(value)
    ? Array.from({ length: Math.min(value.length, MAX_LISTED_ITEMS) }, () => null)
    : new Map(Object.keys(value).map((key) => [key, null]));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const JSON_SCALARS: ReadonlySet<string> = new Set(['string', 'boolean', 'number']);

/** A value that JSON does not have is present, and equal to nothing. */
const scalarOf = (value: unknown): unknown => (JSON_SCALARS.has(typeof value) ? value : null);

/** More items, more fields of an item and longer texts are refused by the fields, so that an evaluation is short. */
const MAX_ENTRIES = 64;
const MAX_ENTRY_FIELDS = 16;
const MAX_ENTRY_CHARS = 512;

/** An item with its texts. Other members are absent: the fields report the problem. */
const entryOf = (item: unknown): ReadonlyMap<string, string> =>
  new Map(
    isMapping(item)
      ? Object.keys(item)
          .slice(0, MAX_ENTRY_FIELDS)
          .flatMap((key) => {
            const member = memberOf(item, key);
            return typeof member === 'string' ? [[key, member.slice(0, MAX_ENTRY_CHARS)]] : [];
          })
      : [],
  );

const celValueAs: Readonly<Record<ReadSet['as'], (value: unknown) => unknown>> = {
  presence: () => null,
  mapping: (value) => (isMapping(value) ? shapeOf(value) : NO_MAPPING),
  entries: (value) => (Array.isArray(value) ? value.slice(0, MAX_ENTRIES).map(entryOf) : undefined),
  value: (value) => (isObject(value) ? shapeOf(value) : scalarOf(value)),
};

/**
 * Returns the view of a value that an expression evaluates, with JSON types only: the fields that it reads, lists and mappings
 * without their contents, and null for fields whose presence it tests. Null is absent, because the API server removes it before
 * it evaluates rules. A value that is not a mapping is absent for an
 * expression that reads its fields: the fields of the resource report the problem.
 */
export function celValueOf(value: unknown, reading: ReadSet): unknown {
  if (value === undefined || value === null) return undefined;
  if (reading.fields.size === 0) return celValueAs[reading.as](value);
  return isMapping(value) ? celFieldsOf(value, reading) : undefined;
}
