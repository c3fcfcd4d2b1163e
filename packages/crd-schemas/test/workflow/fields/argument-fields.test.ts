import { defineRequirements } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../../spec.requirements.ts';
import { isArgumentValue, type ArgumentType } from '../../../src/index.ts';
import { ARGUMENT_TYPES } from '../../../src/workflow/workflow.ts';
import { refusalOf, withSpec, workflowOf } from '../workflows.ts';

const requirement = defineRequirements(requirements);
const withArg = (definition: unknown): unknown => withSpec({ args: { a: definition } });

requirement('2.7/args', () => {
  it('keeps the definitions by name, in the order of the document', () => {
    const args = { name: { type: 'string' }, 'dry-run': { type: 'boolean' } };
    const parsed = workflowOf(withSpec({ args })).spec.args;
    expect(Object.entries(parsed)).toEqual([
      ['name', { type: 'string', required: false }],
      ['dry-run', { type: 'boolean', required: false }],
    ]);
  });
  it('refuses a list', () => {
    expect(refusalOf(withSpec({ args: [{ type: 'string' }] }))).toEqual([
      'spec.args: must be a mapping, not a list',
    ]);
  });
  it('takes __proto__ and constructor for names like any other', () => {
    const args = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"array"}}',
    ) as unknown;
    const parsed = workflowOf(withSpec({ args })).spec.args;
    expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(parsed)).toBe(null);
    expect(parsed['toString']).toBe(undefined);
  });
  it('refuses the name of the switch for details, an empty name and one of 129 characters', () => {
    const args = { _debug: { type: 'boolean' }, '': { type: 'string' }, ['n'.repeat(129)]: {} };
    expect(refusalOf(withSpec({ args })).slice(0, 3)).toEqual([
      'spec.args._debug: is taken: it asks a run for its details',
      'spec.args[""]: the key must not be empty',
      `spec.args["${'n'.repeat(128)}..."]: the key must be at most 128 characters`,
    ]);
  });
  it('has at most 256 entries', () => {
    const args = (count: number): unknown =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`a${String(index)}`, { type: 'string' }]),
      );
    expect(refusalOf(withSpec({ args: args(256) }))).toEqual([]);
    expect(refusalOf(withSpec({ args: args(257) }))).toEqual([
      'spec.args: must have at most 256 entries',
    ]);
  });
});

requirement('2.7/argument-type', () => {
  it.each(['string', 'integer', 'boolean', 'number', 'object', 'array'])('accepts %s', (type) => {
    expect(workflowOf(withArg({ type })).spec.args['a']).toEqual({ type, required: false });
  });
  it('refuses a definition without type', () => {
    expect(refusalOf(withArg({ required: true }))).toEqual(['spec.args.a.type: type is required']);
  });
  it.each(['int', 'String', 'null', '', 'any', 3, null])('refuses %j', (type) => {
    expect(refusalOf(withArg({ type }))).toEqual([
      'spec.args.a.type: must be one of string, integer, boolean, number, object, array',
    ]);
  });
});

requirement('2.7/argument-required-field', () => {
  it('is false unless the document says otherwise', () => {
    expect(workflowOf(withArg({ type: 'string' })).spec.args['a']?.required).toBe(false);
    expect(workflowOf(withArg({ type: 'string', required: true })).spec.args['a']?.required).toBe(
      true,
    );
  });
  it('refuses what is no boolean', () => {
    expect(refusalOf(withArg({ type: 'string', required: 'yes' }))).toEqual([
      'spec.args.a.required: must be a boolean, not a string',
    ]);
  });
});

requirement('2.7/argument-default-field', () => {
  it.each([
    ['string', ''],
    ['string', '{{ not a template here'],
    ['integer', 3],
    ['integer', -0],
    ['boolean', false],
    ['number', 1.5],
    ['number', 2],
    ['object', {}],
    ['object', { a: [null] }],
    ['array', []],
    ['array', [1, 'a', null]],
  ])('of the type %s may be %j', (type, value) => {
    expect(workflowOf(withArg({ type, default: value })).spec.args['a']?.default).toEqual(value);
  });
  it.each([
    ['integer', 1.5, 'must be an integer, the type of the argument'],
    ['integer', '3', 'must be an integer, the type of the argument, not a string'],
    ['number', '1.5', 'must be a number, the type of the argument, not a string'],
    ['string', 3, 'must be a string, the type of the argument, not a number'],
    ['boolean', 'true', 'must be a boolean, the type of the argument, not a string'],
    ['object', [], 'must be a mapping, the type of the argument, not a list'],
    ['array', {}, 'must be a list, the type of the argument, not a mapping'],
  ])('of the type %s may not be %j', (type, value, message) => {
    expect(refusalOf(withArg({ type, default: value }))).toEqual([
      `spec.args.a.default: ${message}`,
    ]);
  });
  it.each(ARGUMENT_TYPES)('of the type %s may not be null', (type) => {
    expect(refusalOf(withArg({ type, default: null }))).toHaveLength(1);
    expect(isArgumentValue(type, null)).toBe(false);
  });
  it('may not be what JSON cannot say', () => {
    expect(refusalOf(withArg({ type: 'number', default: NaN }))).toEqual([
      'spec.args.a.default: must be a finite number',
    ]);
  });
  it('is absent when the document has none', () => {
    expect(workflowOf(withArg({ type: 'string' })).spec.args['a']).not.toHaveProperty('default');
  });
});

requirement('2.7/argument-description', () => {
  it('accepts 500 characters', () => {
    const definition = { type: 'string', description: 'ü'.repeat(500) };
    expect(workflowOf(withArg(definition)).spec.args['a']?.description).toBe('ü'.repeat(500));
  });
  it('refuses 501', () => {
    expect(refusalOf(withArg({ type: 'string', description: 'a'.repeat(501) }))).toEqual([
      'spec.args.a.description: must be at most 500 characters',
    ]);
  });
});

describe('whether a value is of a type', () => {
  const values = ['a', 3, 1.5, true, {}, [], null];
  const fitting: Readonly<Record<ArgumentType, readonly unknown[]>> = {
    string: ['a'],
    integer: [3],
    boolean: [true],
    number: [3, 1.5],
    object: [{}],
    array: [[]],
  };
  it.each(ARGUMENT_TYPES)('is strict for %s', (type) => {
    expect(values.filter((value) => isArgumentValue(type, value))).toEqual(fitting[type]);
  });
});
