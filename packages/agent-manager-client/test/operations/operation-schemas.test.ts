import { describe, expect, it } from 'vitest';
import { toInputSchema, OPERATIONS, toOutputSchema, type OperationName } from '../../src/index.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Every object schema with named fields, at any depth. */
const objectsIn = (schema: unknown): readonly Readonly<Record<string, unknown>>[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.values(schema).flatMap(objectsIn);
  return 'properties' in schema && typeof schema.properties === 'object' && 'type' in schema
    ? [schema, ...inside]
    : inside;
};

describe('the schema of an input', () => {
  it('is plain JSON', () =>
    expect(toInputSchema('delete_agent')).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the agent.' },
        namespace: {
          type: 'string',
          description: 'Namespace of the agent. Left out: the default one; see get_info.',
        },
        force: {
          type: 'boolean',
          description:
            'Write although a Git repository or a suspended release would undo or ignore it.',
        },
      },
      required: ['name'],
      additionalProperties: false,
    }));
  it.each(NAMES)('of %s is closed, at every depth', (name) => {
    const objects = objectsIn(toInputSchema(name));
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter((schema) => schema['additionalProperties'] !== false)).toEqual([]);
  });
  it('accepts any key in labels', () =>
    expect(toInputSchema('create_agent')['properties']).toMatchObject({
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      annotations: { type: 'object', additionalProperties: { type: 'string' } },
    }));
  it('states the syntax of a new name', () =>
    expect(toInputSchema('create_agent')['properties']).toMatchObject({
      name: { maxLength: 63, pattern: '^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$' },
      toolset: { minItems: 1, maxItems: 32 },
    }));
  it('is created once', () =>
    expect(toInputSchema('create_agent')).toBe(toInputSchema('create_agent')));
});

describe('the schema of an output', () => {
  it.each(NAMES)('of %s is open', (name) => {
    const schema = toOutputSchema(name);
    expect(schema).toMatchObject({ type: 'object' });
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
    expect(toOutputSchema(name)).toBe(schema);
  });
});
