import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createChartSchema } from '../../src/chart-schema.ts';

/** The schema of one value. */
const schemaOf = (value: z.ZodType): unknown =>
  createChartSchema(z.strictObject({ value })).properties?.['value'];

describe('values.schema.json', () => {
  it('is a closed draft 7 schema that requires keys with a default', () =>
    expect(
      createChartSchema(
        z.strictObject({
          replicas: z.int().min(0).default(1).meta({ description: 'Number of pods.' }),
          tag: z.string().optional(),
          image: z
            .strictObject({ name: z.string().default('app'), digest: z.string().optional() })
            .prefault({}),
        }),
      ),
    ).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        replicas: { type: 'integer', minimum: 0, default: 1, description: 'Number of pods.' },
        tag: { type: 'string' },
        image: {
          type: 'object',
          properties: { name: { type: 'string', default: 'app' }, digest: { type: 'string' } },
          required: ['name'],
          additionalProperties: false,
        },
      },
      required: ['replicas', 'image'],
      additionalProperties: false,
    }));

  it.each([
    ['a text or null', z.string().nullable().optional(), { type: ['string', 'null'] }],
    [
      'a described list or null',
      z.array(z.string()).nullable().optional().meta({ description: 'A list.' }),
      { type: ['array', 'null'], items: { type: 'string' }, description: 'A list.' },
    ],
    [
      'one of some texts or null',
      z.enum(['a', 'b']).nullable().default('a'),
      { type: ['string', 'null'], enum: ['a', 'b', null], default: 'a' },
    ],
    [
      'one text or null',
      z.literal('a').nullable().default(null),
      { type: ['string', 'null'], enum: ['a', null], default: null },
    ],
    [
      'one of some texts',
      z.enum(['a', 'b']).default('a'),
      { type: 'string', enum: ['a', 'b'], default: 'a' },
    ],
    [
      'an integer or a text',
      z.union([z.int().min(1), z.string()]).default(1),
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }], default: 1 },
    ],
    [
      'a map of texts',
      z.record(z.string(), z.string()).default({}),
      { type: 'object', additionalProperties: { type: 'string' }, default: {} },
    ],
    [
      'a map with names of a form',
      z.record(z.string().regex(/^[a-z]+$/u), z.boolean()).default({}),
      {
        type: 'object',
        propertyNames: { type: 'string', pattern: '^[a-z]+$' },
        additionalProperties: { type: 'boolean' },
        default: {},
      },
    ],
    [
      'a map of anything',
      z.record(z.string(), z.unknown()).default({}),
      { type: 'object', default: {} },
    ],
    [
      'a structure that is passed on',
      z.looseObject({}).default({}),
      { type: 'object', default: {} },
    ],
    [
      'a list of such',
      z.array(z.looseObject({})).default([]),
      { type: 'array', items: { type: 'object' }, default: [] },
    ],
    [
      'a group that may have more',
      z.looseObject({ a: z.string().optional() }).default({}),
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    ['a number', z.number().max(1).default(0.5), { type: 'number', maximum: 1, default: 0.5 }],
  ])('says of %s no more than it is', (_what, value, schema) =>
    expect(schemaOf(value)).toEqual(schema),
  );

  it('has of the configuration only what differs in a pod when asked so', () => {
    const values = z.strictObject({
      muster: z.looseObject({}).meta({ standsFor: 'configuration' }),
    });
    const { properties } = createChartSchema(values, 'differences').properties?.['muster'] ?? {};
    expect(Object.keys(properties?.['http']?.properties ?? {}).toSorted()).toEqual([
      'allowedHosts',
      'host',
      'port',
    ]);
    expect(Object.keys(properties?.['audit']?.properties ?? {})).toEqual(['file']);
    expect(properties).not.toHaveProperty('events');
  });
});
