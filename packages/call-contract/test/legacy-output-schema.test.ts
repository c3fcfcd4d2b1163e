import { describe, expect, it } from 'vitest';
import { toLegacyOutputSchema } from '../src/index.ts';

const wrapped = (result: unknown) => ({
  type: 'object',
  properties: { result },
  required: ['result'],
});
const either = (result: unknown) => ({
  type: 'object',
  anyOf: [
    { $ref: '#/$defs/result' },
    { properties: { result: { $ref: '#/$defs/result' } }, required: ['result'] },
  ],
  $defs: { result },
});

describe('the output schema for the 2025 revisions', () => {
  it.each([
    { type: 'array', items: { type: 'string' } },
    { type: 'string' },
    { type: ['integer', 'null'] },
    { enum: ['a', 1, null] },
    { const: [] },
    { anyOf: [{ type: 'array' }, { type: 'string' }] },
    { allOf: [{}, { type: 'number' }] },
  ])('of %j is an object with the result', (schema) => {
    expect(toLegacyOutputSchema(schema)).toEqual(wrapped(schema));
  });

  it('of objects is the same schema', () => {
    const schema = { type: 'object', properties: { a: {} } };
    expect(toLegacyOutputSchema(schema)).toBe(schema);
  });

  it('without a type and without restrictions gets the type', () => {
    expect(toLegacyOutputSchema({ properties: { a: {} } })).toEqual({
      type: 'object',
      properties: { a: {} },
    });
    expect(toLegacyOutputSchema({})).toEqual({ type: 'object' });
  });

  it.each([
    { type: ['object', 'null'] },
    { oneOf: [{ type: 'object' }, { type: 'array' }] },
    { not: { type: 'string' } },
  ])('of %j accepts an object, and another value as "result"', (schema) => {
    expect(toLegacyOutputSchema(schema)).toEqual(either(schema));
  });

  it('keeps the dialect, and its references', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(
      toLegacyOutputSchema({
        $schema,
        $ref: '#/$defs/list',
        $defs: {
          list: { type: 'array', items: { $ref: '#' }, default: { $ref: '#/data' } },
          $ref: { $ref: 'https://example.org/other#/x' },
        },
      }),
    ).toEqual({
      $schema,
      ...wrapped({
        $schema,
        $ref: '#/properties/result/$defs/list',
        $defs: {
          list: {
            type: 'array',
            items: { $ref: '#/properties/result' },
            default: { $ref: '#/data' },
          },
          $ref: { $ref: 'https://example.org/other#/x' },
        },
      }),
    });
  });

  it('ends for a reference to itself', () => {
    expect(toLegacyOutputSchema({ $ref: '#' })).toEqual(either({ $ref: '#/$defs/result' }));
  });

  it('treats names of members as names', () => {
    const schema = { type: 'array', items: { $ref: '#/__proto__' } };
    expect(toLegacyOutputSchema(schema)).toEqual(
      wrapped({ type: 'array', items: { $ref: '#/properties/result/__proto__' } }),
    );
  });
});
