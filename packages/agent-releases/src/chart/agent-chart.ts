import { isJsonObject } from '@gateway/files';
import { type OutputUnit, Validator } from '@cfworker/json-schema';
import type { Json } from '../store/agent-store.ts';
import { readNestedValue, MAX_VALUES_DEPTH, TOO_DEEP, without } from '../values/lenient.ts';
import { EMBEDDED_CHART } from './embedded-chart.ts';

/** The maximum number of values. Keys and items count separately. */
const MAX_VALUES = 10_000;
/** The maximum length of all strings and keys together, in characters. */
const MAX_VALUES_CHARS = 2_097_152;

const LONE_SURROGATE = /\p{Surrogate}/u;
/** The character that Helm writes without an escape and cannot read again. */
const DELETE = '\u007f';

const isUnreadable = (value: unknown): boolean =>
  typeof value === 'string' && value.includes(DELETE);

interface Budget {
  values: number;
  chars: number;
}

/** Subtracts one value from the budget. Returns the exceeded limit. */
const spend = (budget: Budget, key: string, value: unknown): string | undefined => {
  budget.values -= 1;
  budget.chars -= key.length + (typeof value === 'string' ? value.length : 0);
  if (budget.values < 0) return `must have at most ${MAX_VALUES} values`;
  if (budget.chars < 0) return `must have at most ${MAX_VALUES_CHARS} characters`;
  if (isUnreadable(key) || isUnreadable(value))
    return 'must not have the character U+007F, which Helm cannot read';
  return LONE_SURROGATE.test(key) ? 'must have keys without lone surrogates' : undefined;
};

const walk = (value: unknown, levels: number, budget: Budget): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return TOO_DEEP;
  for (const [key, inner] of Object.entries(value)) {
    const problem = spend(budget, key, inner) ?? walk(inner, levels - 1, budget);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** Returns which limit the values exceed, before they are validated; undefined for none. Takes bounded time. */
const valuesLimitProblem = (values: Json): string | undefined =>
  walk(values, MAX_VALUES_DEPTH, { values: MAX_VALUES, chars: MAX_VALUES_CHARS });

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
  const required = readNestedValue(schema, ...unit.keywordLocation.split('/').slice(1).map(keyOf));
  // A keyword behind a reference is not found by its location: the message of the library is used.
  return required === undefined
    ? unit.error
    : (SENTENCES.get(unit.keyword)?.(required) ?? unit.error);
};

/** Returns the problem of a validation error as `path: message`; nothing for an error that a nested error repeats. */
const schemaProblem = (schema: unknown, unit: OutputUnit): readonly string[] => {
  if (REPEATING.has(unit.keyword)) return [];
  const path = unit.instanceLocation
    .split('/')
    .slice(1)
    .map((segment) => `/${shownKey(segment)}`)
    .join('');
  return [`${path === '' ? '(root)' : path}: ${sentence(schema, unit)}`];
};

/**
 * Returns values merged with the defaults of a chart, by the rules of Helm: maps are merged, any other value replaces the default, and null
 * removes it. Values have a bounded number of levels.
 */
export const mergeDefaults = (defaults: Json, values: Json): Json => {
  const merged = new Map(Object.entries(defaults));
  for (const [key, value] of Object.entries(values)) {
    const before = merged.get(key);
    if (value === null && before !== undefined) merged.delete(key);
    else
      merged.set(
        key,
        isJsonObject(before) && isJsonObject(value) ? mergeDefaults(before, value) : value,
      );
  }
  return Object.fromEntries(merged);
};

/** The defaults and the schema of a chart. */
interface ChartFacts {
  readonly defaults: Json;
  readonly schema: Json;
}

const draftOf = (schema: Json): '7' | '2020-12' =>
  String(readNestedValue(schema, '$schema')).includes('2020-12') ? '2020-12' : '7';

/**
 * Validates values merged over the defaults of a chart, in bounded time. A chart from before toolsets does not know `toolset`, which
 * is then left out: what is declared does not depend on the version that is validated by.
 */
export const createValuesValidator = ({
  defaults,
  schema,
}: ChartFacts): ((values: Json) => readonly string[]) => {
  const validator = new Validator(structuredClone(schema), draftOf(schema), false);
  const knowsToolset = readNestedValue(schema, 'properties', 'toolset') !== undefined;
  return (values) => {
    const obstacle = valuesLimitProblem(values);
    if (obstacle !== undefined) return [`(root): ${obstacle}`];
    const validated = knowsToolset ? values : without(values, 'toolset');
    const { errors } = validator.validate(mergeDefaults(defaults, validated));
    return [...new Set(errors.flatMap((unit) => schemaProblem(schema, unit)))].sort();
  };
};

/** The agent chart; each agent is a release of it. */
export interface AgentChart {
  /** Name of the chart and of its source: `agent`. */
  readonly name: string;
  /** The URL of the chart: `oci://registry/charts/agent`. */
  readonly ociUrl: string;
  /** The range of versions that Flux installs. */
  readonly semver: string;
  /** The version of the embedded schema, and its origin. */
  readonly schemaVersion: string;
  readonly schemaSource: 'registry' | 'embedded';
  /** Returns the problems of values as `path: message`, sorted; `(root)` for the whole. Never throws. */
  readonly problems: (values: Json) => readonly string[];
}

/** The URL of the chart and the accepted versions. */
type ChartSource = Pick<AgentChart, 'ociUrl' | 'semver'>;

/** Returns the agent chart of this version, which validates values by its embedded schema. */
export const createAgentChart = ({ ociUrl, semver }: ChartSource): AgentChart => ({
  name: EMBEDDED_CHART.name,
  ociUrl,
  semver,
  schemaVersion: EMBEDDED_CHART.version,
  schemaSource: 'embedded',
  problems: createValuesValidator(EMBEDDED_CHART),
});
