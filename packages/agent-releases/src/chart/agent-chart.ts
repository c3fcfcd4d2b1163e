import { isJsonObject } from '@gateway/call-contract';
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

/** Returns the limit that the values exceed; undefined for none. Takes bounded time. */
const validateValueLimits = (values: Json): string | undefined =>
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
const decodeLocationSegment = (segment: string): string => decodeURIComponent(segment);

const toSchemaKey = (segment: string): string =>
  decodeLocationSegment(segment).replaceAll('~1', '/').replaceAll('~0', '~');

/** The maximum number of characters of a key in a path. */
const MAX_KEY_CHARS = 100;

const formatPathKey = (segment: string): string => {
  const key = decodeLocationSegment(segment);
  return key.length <= MAX_KEY_CHARS ? key : `${key.slice(0, MAX_KEY_CHARS)}…`;
};

const formatKeywordValue = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((item) => String(item)).join(', ');

/** The error message of each schema keyword, by the value of the keyword. */
const SENTENCES: ReadonlyMap<string, (required: unknown) => string> = new Map([
  ['type', (required) => `must be of type ${formatKeywordValue(required)}`],
  ['enum', (required) => `must be one of ${formatKeywordValue(required)}`],
  ['minLength', (required) => `must have at least ${formatKeywordValue(required)} characters`],
  ['maxLength', (required) => `must have at most ${formatKeywordValue(required)} characters`],
  ['pattern', (required) => `must match ${formatKeywordValue(required)}`],
  ['minimum', (required) => `must be at least ${formatKeywordValue(required)}`],
  ['maximum', (required) => `must be at most ${formatKeywordValue(required)}`],
  ['minItems', (required) => `must have at least ${formatKeywordValue(required)} items`],
  ['maxItems', (required) => `must have at most ${formatKeywordValue(required)} items`],
] satisfies readonly (readonly [string, (required: unknown) => string])[]);

const REQUIRED = /required property "(.*)"\.$/su;

const formatSchemaError = (schema: unknown, unit: OutputUnit): string => {
  if (unit.keyword === 'false') return 'is no value of the chart';
  if (unit.keyword === 'required') return `${REQUIRED.exec(unit.error)?.[1] ?? ''} is required`;
  const required = readNestedValue(
    schema,
    ...unit.keywordLocation.split('/').slice(1).map(toSchemaKey),
  );
  // A keyword behind a reference is not found by its location: the message of the library is used.
  return required === undefined
    ? unit.error
    : (SENTENCES.get(unit.keyword)?.(required) ?? unit.error);
};

/** Returns a validation error as `path: message`; empty when a nested error repeats it. */
const formatSchemaProblem = (schema: unknown, unit: OutputUnit): readonly string[] => {
  if (REPEATING.has(unit.keyword)) return [];
  const path = unit.instanceLocation
    .split('/')
    .slice(1)
    .map((segment) => `/${formatPathKey(segment)}`)
    .join('');
  return [`${path === '' ? '(root)' : path}: ${formatSchemaError(schema, unit)}`];
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

const detectDraft = (schema: Json): '7' | '2020-12' =>
  String(readNestedValue(schema, '$schema')).includes('2020-12') ? '2020-12' : '7';

/**
 * Returns a function that validates values merged over the chart defaults, in bounded time. When an older chart has no `toolset`,
 * it is not validated: declaring a toolset does not depend on the chart version.
 */
export const createValuesValidator = ({
  defaults,
  schema,
}: ChartFacts): ((values: Json) => readonly string[]) => {
  const validator = new Validator(structuredClone(schema), detectDraft(schema), false);
  const knowsToolset = readNestedValue(schema, 'properties', 'toolset') !== undefined;
  return (values) => {
    const exceeded = validateValueLimits(values);
    if (exceeded !== undefined) return [`(root): ${exceeded}`];
    const validated = knowsToolset ? values : without(values, 'toolset');
    const { errors } = validator.validate(mergeDefaults(defaults, validated));
    return [...new Set(errors.flatMap((unit) => formatSchemaProblem(schema, unit)))].sort();
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
