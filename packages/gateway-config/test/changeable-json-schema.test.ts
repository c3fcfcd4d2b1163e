import { describe, expect, it } from 'vitest';
import { createChangeableJsonSchema, createConfigJsonSchema } from '../src/index.ts';

type Schema = Readonly<Record<string, unknown>>;

describe('the schema of the keys that commands can change', () => {
  it('has the same rules for them as the schema of the file', () => {
    const { http, toolsetPresets } = (createConfigJsonSchema() as { properties: Schema })
      .properties;
    expect(createChangeableJsonSchema()).toEqual({
      type: 'object',
      properties: { http, toolsetPresets },
      additionalProperties: false,
    });
    expect(toolsetPresets).toHaveProperty('additionalProperties.properties.include');
  });
});
