import { TOOLSET_PRESETS_SCHEMA } from '@gateway/preset-resolver';
import { z } from 'zod';
import { CHANGEABLE_KEYS, configSchema } from './config-schema.ts';

type Json = Record<string, unknown>;

const removeGroupDefault = (schema: Json): void => {
  // The keys of a group have the defaults.
  if (schema['properties'] !== undefined) delete schema['default'];
};

const createJsonSchema = (schema: z.ZodType): z.core.JSONSchema.BaseSchema =>
  z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      removeGroupDefault(jsonSchema);
    },
  });

/** Returns the schema of the presets, which the preset resolver parses. */
const toPresets = (properties: Json | undefined): Json => ({
  ...(properties?.['toolsetPresets'] as Json),
  ...TOOLSET_PRESETS_SCHEMA,
});

/**
 * Returns the JSON Schema (2020-12) of `config.yaml`, for editors and charts.
 *
 * @spec §2.2
 */
export function createConfigJsonSchema(): object {
  const { $schema, properties, ...rest } = createJsonSchema(configSchema);
  const kubernetes = { ...(properties?.['kubernetes'] as Json), type: ['object', 'boolean'] };
  return {
    $schema,
    title: 'The configuration of the gateway, config.yaml',
    ...rest,
    properties: { ...properties, kubernetes, toolsetPresets: toPresets(properties) },
  };
}

/** Returns the JSON Schema (2020-12) of the keys that commands can change, without `$schema`. */
export function createChangeableJsonSchema(): Json {
  const { properties } = createJsonSchema(configSchema);
  const changeable = Object.entries({ ...properties, toolsetPresets: toPresets(properties) });
  return {
    type: 'object',
    properties: Object.fromEntries(changeable.filter(([key]) => CHANGEABLE_KEYS.includes(key))),
    additionalProperties: false,
  };
}
