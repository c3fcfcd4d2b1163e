import type { OutputUnit } from '@cfworker/json-schema';
import { at } from '../values/lenient.ts';

/** Keywords that only repeat that something inside is wrong. */
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

/** The library writes places as fragments of addresses. */
const decoded = (segment: string): string => decodeURIComponent(segment);

const keyOf = (segment: string): string =>
  decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');

/** The most characters of a key that a path shows. */
const MAX_KEY_CHARS = 100;

const shownKey = (segment: string): string => {
  const key = decoded(segment);
  return key.length <= MAX_KEY_CHARS ? key : `${key.slice(0, MAX_KEY_CHARS)}…`;
};

const words = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((item) => String(item)).join(', ');

/** Returns the requirement of a schema keyword. */
const SENTENCES: ReadonlyMap<string, (asked: unknown) => string> = new Map([
  ['type', (asked) => `must be of type ${words(asked)}`],
  ['enum', (asked) => `must be one of ${words(asked)}`],
  ['minLength', (asked) => `must have at least ${words(asked)} characters`],
  ['maxLength', (asked) => `must have at most ${words(asked)} characters`],
  ['pattern', (asked) => `must match ${words(asked)}`],
  ['minimum', (asked) => `must be at least ${words(asked)}`],
  ['maximum', (asked) => `must be at most ${words(asked)}`],
  ['minItems', (asked) => `must have at least ${words(asked)} items`],
  ['maxItems', (asked) => `must have at most ${words(asked)} items`],
] satisfies readonly (readonly [string, (asked: unknown) => string])[]);

const REQUIRED = /required property "(.*)"\.$/su;

const sentence = (schema: unknown, unit: OutputUnit): string => {
  if (unit.keyword === 'false') return 'is no value of the chart';
  if (unit.keyword === 'required') return `${REQUIRED.exec(unit.error)?.[1] ?? ''} is required`;
  const asked = at(schema, ...unit.keywordLocation.split('/').slice(1).map(keyOf));
  // What a schema refers to is not found by its place: then the library's own words do.
  return asked === undefined ? unit.error : (SENTENCES.get(unit.keyword)?.(asked) ?? unit.error);
};

/** What a schema does not take, as `path: message`; nothing where it is told again further inside. */
export const schemaProblem = (schema: unknown, unit: OutputUnit): readonly string[] => {
  if (REPEATING.has(unit.keyword)) return [];
  const path = unit.instanceLocation
    .split('/')
    .slice(1)
    .map((segment) => `/${shownKey(segment)}`)
    .join('');
  return [`${path === '' ? '(root)' : path}: ${sentence(schema, unit)}`];
};
