import { isMapping } from '../fields/is-mapping.ts';
import { memberOf } from '../resource/resource-identity.ts';
import type { ReadSet } from './record-reads.ts';

/** Stands for a free-form mapping that is none: it is not an empty one, and the fields say what is wrong with it. */
const NO_MAPPING: ReadonlyMap<string, null> = new Map([['', null]]);

/** `Map`s throughout, since a key of an object might be taken for a part of JavaScript. */
const celFieldsOf = (value: object, { fields }: ReadSet): ReadonlyMap<string, unknown> => {
  const seen = new Map<string, unknown>();
  for (const [field, reading] of fields) {
    const member = celValueOf(memberOf(value, field), reading);
    if (member !== undefined) seen.set(field, member);
  }
  return seen;
};

/** No rule tells longer lists apart, and no resource has one. */
const MAX_LISTED_ITEMS = 65_536;

const shapeOf = (value: object): unknown =>
  Array.isArray(value)
    ? Array.from({ length: Math.min(value.length, MAX_LISTED_ITEMS) }, () => null)
    : new Map(Object.keys(value).map((key) => [key, null]));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const JSON_SCALARS: ReadonlySet<string> = new Set(['string', 'boolean', 'number']);

/** Null is not there, as in the API server; what JSON does not have is there, and equal to nothing. */
const scalarOf = (value: unknown): unknown => {
  if (value === null) return undefined;
  return JSON_SCALARS.has(typeof value) ? value : null;
};

const celValueAs: Readonly<Record<ReadSet['as'], (value: unknown) => unknown>> = {
  presence: () => null,
  mapping: (value) => (isMapping(value) ? shapeOf(value) : NO_MAPPING),
  value: (value) => (isObject(value) ? shapeOf(value) : scalarOf(value)),
};

/**
 * What an expression may see of a value of any kind, made of nothing but what JSON has: the fields that it reads, lists and
 * mappings without their contents, null for what it only asks to be there. What is no mapping is not there for an expression
 * that reads its fields: the fields of the resource say what is wrong with it.
 */
export function celValueOf(value: unknown, reading: ReadSet): unknown {
  if (value === undefined) return undefined;
  if (reading.fields.size === 0) return celValueAs[reading.as](value);
  return isMapping(value) ? celFieldsOf(value, reading) : undefined;
}
