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
