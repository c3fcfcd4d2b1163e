import type { RJSFSchema } from '@rjsf/utils';
import { expect, it } from 'vitest';
import { schemaValidator } from '../src/form/schema-validator.ts';

const SCHEMA: RJSFSchema = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 }, count: { $ref: '#/$defs/count' } },
  required: ['name'],
  $defs: { count: { type: 'integer' } },
};

const fieldsOf = (value: unknown): readonly (string | undefined)[] =>
  schemaValidator.validateFormData(value, SCHEMA).errors.map(({ property }) => property);

it('accepts an object that its schema describes', () => {
  expect(fieldsOf({ name: 'ab', count: 1 })).toEqual([]);
});

it('names the field that is wrong', () => {
  expect(fieldsOf({ name: 'a' })).toContain('.name');
  expect(fieldsOf({ name: 'ab', count: 1.5 })).toContain('.count');
  expect(fieldsOf({})).toEqual(['.name']);
  expect(fieldsOf({ count: 1.5 })).toEqual(expect.arrayContaining(['.name', '.count']));
});

it('names the cause alone', () => {
  const { errors } = schemaValidator.validateFormData({ name: 'ab', count: 'one' }, SCHEMA);
  expect(errors.map(({ property, message }) => [property, message])).toEqual([
    ['.count', 'Instance type "string" is invalid. Expected "integer".'],
  ]);
});

it('names fields with dots, slashes and names of inherited properties', () => {
  const names = ['a.b', 'c/d~e', 'f g%', 'constructor'];
  const schema: RJSFSchema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
    required: ['e.f'],
  };
  const value = Object.fromEntries(names.map((name) => [name, 'text']));
  const { errorSchema } = schemaValidator.validateFormData(value, schema);
  expect(Object.keys(errorSchema).toSorted()).toEqual([...names, 'e.f'].toSorted());
  expect(errorSchema['e.f']).toEqual({ __errors: ['The field is required.'] });
});

it('finds the definitions of the whole schema for a part of it', () => {
  const part: RJSFSchema = { $ref: '#/$defs/count' };
  expect(schemaValidator.isValid(part, 1, SCHEMA)).toBe(true);
  expect(schemaValidator.isValid(part, 'one', SCHEMA)).toBe(false);
});

it('does not fail on a schema that is none', () => {
  const wrong: RJSFSchema = { type: 'object', properties: { a: { $ref: '#/nowhere' } } };
  expect(schemaValidator.isValid(wrong, { a: 1 }, wrong)).toBe(false);
  expect(schemaValidator.validateFormData({ a: 1 }, wrong).errors).toEqual([]);
});
