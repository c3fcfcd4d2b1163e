import { describe, expect, it } from 'vitest';
import { hasMissingField, toFormSchema } from '../src/form/form-schema.ts';

const objectWith = (name: string, schema: object): Record<string, unknown> => ({
  type: 'object',
  properties: { [name]: schema },
});

describe('the schema of a form', () => {
  it('has the names of values as titles', () => {
    const pet = { type: 'string', enum: ['a', 'b'], enumNames: ['Cats'] };
    const oneOf = [
      { const: 'a', title: 'Cats' },
      { const: 'b', title: 'b' },
    ];
    const titled = objectWith('pet', { type: 'string', oneOf });
    expect(toFormSchema(objectWith('pet', pet))).toEqual(titled);
  });

  it('has a list of choices as one field', () => {
    const choices = [{ anyOf: [{ const: 'a', title: 'A' }] }, { enum: ['a'] }];
    for (const items of choices)
      expect(toFormSchema(objectWith('list', { type: 'array', items }))).toEqual(
        objectWith('list', { type: 'array', items, uniqueItems: true }),
      );
  });

  it('is otherwise the same', () => {
    const items = { anyOf: [{ type: 'string' }, { const: 1 }] };
    for (const schema of [
      objectWith('list', { type: 'array', items, description: 'enumNames' }),
      { type: 'object', properties: 7 },
    ])
      expect(toFormSchema(schema)).toEqual(schema);
  });

  it('keeps properties with the names of inherited ones', () => {
    const schema = objectWith('__proto__', { type: 'string' });
    const { properties } = toFormSchema(schema);
    expect(Object.keys(properties ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
  });
});

it.each([
  [objectWith('__proto__', {}), true],
  [objectWith('a', { items: objectWith('__proto__', {}) }), true],
  [objectWith('constructor', { type: 'string' }), false],
  [{}, false],
])('a property that a form has no field for is found at any depth: %#', (schema, isMissing) => {
  expect(hasMissingField(schema)).toBe(isMissing);
});
