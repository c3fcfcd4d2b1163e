import { describe, expect, it } from 'vitest';
import { hasMissingField, toFormSchema } from '../src/form/form-schema.ts';

const objectWith = (name: string, schema: object): Record<string, unknown> => ({
  type: 'object',
  properties: { [name]: schema },
});

describe('the schema of a form', () => {
  it('has the names of values as titles', () => {
    const pet = { type: 'string', enum: ['a', 'b'], enumNames: ['Cats'] };
    expect(toFormSchema(objectWith('pet', pet))).toEqual(
      objectWith('pet', {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'Cats' },
          { const: 'b', title: 'b' },
        ],
      }),
    );
  });

  it('has a list of choices as one field', () => {
    const choices = [{ anyOf: [{ const: 'a', title: 'A' }] }, { enum: ['a'] }];
    for (const items of choices)
      expect(toFormSchema(objectWith('list', { type: 'array', items }))).toEqual(
        objectWith('list', { type: 'array', items, uniqueItems: true }),
      );
  });

  it('is otherwise the same', () => {
    const schema = objectWith('list', {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { const: 1 }] },
      description: 'enumNames',
    });
    expect(toFormSchema(schema)).toEqual(schema);
    expect(toFormSchema({ type: 'object', properties: 7 })).toEqual({
      type: 'object',
      properties: 7,
    });
  });

  it('keeps properties with the names of inherited ones', () => {
    const schema = objectWith('__proto__', { type: 'string' });
    const { properties } = toFormSchema(schema);
    expect(Object.keys(properties ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
  });
});

describe('a property that a form has no field for', () => {
  it('is found at any depth', () => {
    expect(hasMissingField(objectWith('__proto__', {}))).toBe(true);
    expect(hasMissingField(objectWith('a', { items: objectWith('__proto__', {}) }))).toBe(true);
    expect(hasMissingField(objectWith('constructor', { type: 'string' }))).toBe(false);
    expect(hasMissingField({})).toBe(false);
  });
});
