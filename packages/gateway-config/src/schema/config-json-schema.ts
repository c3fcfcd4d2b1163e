import { TOOLSET_PRESETS_SCHEMA } from '@gateway/preset-resolver';
import { z } from 'zod';
import { configSchema } from './config-schema.ts';

type Json = Record<string, unknown>;

const removeGroupDefault = (schema: Json): void => {
  // The keys of a group have the defaults.
  if (schema['properties'] !== undefined) delete schema['default'];
};

/**
 * Returns the JSON Schema (2020-12) of `config.yaml`, for editors and charts.
 *
 * @spec §2.2
 */
export function configJsonSchema(): object {
  const schema = z.toJSONSchema(configSchema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      removeGroupDefault(jsonSchema);
    },
  });
  const { $schema, properties, ...rest } = schema;
  const kubernetes = { ...(properties?.['kubernetes'] as Json), type: ['object', 'boolean'] };
  const presets = { ...(properties?.['toolsetPresets'] as Json), ...TOOLSET_PRESETS_SCHEMA };
  return {
    $schema,
    title: 'The configuration of the gateway, config.yaml',
    ...rest,
    properties: { ...properties, kubernetes, toolsetPresets: presets },
  };
}
