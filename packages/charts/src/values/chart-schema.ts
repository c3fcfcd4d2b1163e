import { z } from 'zod';
import { configurationSchema } from './configuration-schema.ts';
import { specSchema } from './spec-schema.ts';
import type { ValueSchema } from './value-schema.ts';

type Json = Record<string, unknown>;

/** Converts `anyOf: [X, null]` to one schema with two types. */
const joinNull = (schema: Json): void => {
  const options = schema['anyOf'] as readonly Json[] | undefined;
  const [value, none] = options ?? [];
  if (options?.length !== 2 || typeof value?.['type'] !== 'string') return;
  if (none?.['type'] !== 'null') return;
  delete schema['anyOf'];
  const { enum: allowed, const: only, ...rest } = value;
  const listed = only === undefined ? allowed : [only];
  const own = { ...schema };
  // An enumeration must contain null too.
  if (Array.isArray(listed)) Object.assign(rest, { enum: [...(listed as unknown[]), null] });
  Object.assign(schema, rest, own, { type: [value['type'], 'null'] });
};

const isEmpty = (value: unknown): boolean => JSON.stringify(value) === '{}';

const trim = (schema: Json): void => {
  joinNull(schema);
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  // Keys are always texts.
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}')
    delete schema['propertyNames'];
  // A schema without `additionalProperties` permits any other key.
  if (isEmpty(schema['additionalProperties'])) delete schema['additionalProperties'];
  // An open map lists no values; the values of a group have its defaults.
  if (isEmpty(schema['properties'])) delete schema['properties'];
  if (schema['properties'] !== undefined && isEmpty(schema['default'])) delete schema['default'];
};

/** Reference to a definition in another package: `.meta({ standsFor: … })`. */
const FOREIGN: Readonly<Record<string, () => ValueSchema>> = {
  configuration: configurationSchema,
  MCPServer: () => specSchema('MCPServer'),
  Workflow: () => specSchema('Workflow'),
};

const putInPlace = (schema: Json, isWhole: boolean): void => {
  const { standsFor, description } = schema;
  if (typeof standsFor !== 'string') return;
  delete schema['standsFor'];
  if (standsFor === 'configuration' || isWhole)
    Object.assign(schema, FOREIGN[standsFor]?.(), { description });
};

/**
 * Returns the `values.schema.json` of a chart from the definition of its values. Draft 7, which every Helm 3 reads.
 * Keys with a default are required: Helm validates after it merged the defaults, so only a key that was
 * set to null is missing, and the refusal names it. Optional keys are not required, and their default is to be absent.
 *
 * @param isWhole whether the specs of resources are spelled out, which have a reference of their own
 */
export function chartSchema(values: z.ZodType, isWhole = false): ValueSchema {
  return z.toJSONSchema(values, {
    target: 'draft-7',
    io: 'output',
    override: ({ jsonSchema }) => {
      trim(jsonSchema);
      putInPlace(jsonSchema, isWhole);
    },
  }) as ValueSchema;
}
