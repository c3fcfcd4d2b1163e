import type { OutputUnit } from '@cfworker/json-schema';
import { at } from '../values/lenient.ts';

/** Keywords whose errors repeat the error of a nested value. */
const REPEATING: ReadonlySet<string> = new Set([
  '$ref',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'if',
  'items',
  'patternProperties',
  'prefixItems',
  'properties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Decodes a segment of a location, which the library writes as a URI fragment. */
const decoded = (segment: string): string => decodeURIComponent(segment);

const keyOf = (segment: string): string =>
  decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');

/** The maximum number of characters of a key in a path. */
const MAX_KEY_CHARS = 100;

const shownKey = (segment: string): string => {
  const key = decoded(segment);
  return key.length <= MAX_KEY_CHARS ? key : `${key.slice(0, MAX_KEY_CHARS)}…`;
};

const listText = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((item) => String(item)).join(', ');

/** The sentence of a schema keyword with its value. */
const SENTENCES: ReadonlyMap<string, (required: unknown) => string> = new Map([
  ['type', (required) => `must be of type ${listText(required)}`],
  ['enum', (required) => `must be one of ${listText(required)}`],
  ['minLength', (required) => `must have at least ${listText(required)} characters`],
  ['maxLength', (required) => `must have at most ${listText(required)} characters`],
  ['pattern', (required) => `must match ${listText(required)}`],
  ['minimum', (required) => `must be at least ${listText(required)}`],
  ['maximum', (required) => `must be at most ${listText(required)}`],
  ['minItems', (required) => `must have at least ${listText(required)} items`],
  ['maxItems', (required) => `must have at most ${listText(required)} items`],
] satisfies readonly (readonly [string, (required: unknown) => string])[]);

const REQUIRED = /required property "(.*)"\.$/su;

const sentence = (schema: unknown, unit: OutputUnit): string => {
  if (unit.keyword === 'false') return 'is no value of the chart';
  if (unit.keyword === 'required') return `${REQUIRED.exec(unit.error)?.[1] ?? ''} is required`;
  const required = at(schema, ...unit.keywordLocation.split('/').slice(1).map(keyOf));
  // A keyword behind a reference is not found by its location: the message of the library is used.
  return required === undefined
    ? unit.error
    : (SENTENCES.get(unit.keyword)?.(required) ?? unit.error);
};

/** Returns the problem of a validation error as `path: message`; nothing for an error that a nested error repeats. */
export const schemaProblem = (schema: unknown, unit: OutputUnit): readonly string[] => {
  if (REPEATING.has(unit.keyword)) return [];
  const path = unit.instanceLocation
    .split('/')
    .slice(1)
    .map((segment) => `/${shownKey(segment)}`)
    .join('');
  return [`${path === '' ? '(root)' : path}: ${sentence(schema, unit)}`];
};
