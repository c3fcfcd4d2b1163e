import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { checkArguments, formatSignature } from '../src/index.ts';

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

/** A schema with one argument, `a`, that is not required. */
const withArgument = (schema: unknown, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { a: schema },
  ...more,
});

describe('a signature', () => {
  it('has the required arguments first, and ? after the others', () => {
    const properties = { tail: { type: 'integer' }, path: { type: 'string' } };
    expect(formatSignature({ properties, required: ['path'] })).toBe(
      'path: string, tail?: integer',
    );
    expect(formatSignature({ properties, required: ['path', 'more'] })).toBe(
      'path: string, more: any, tail?: integer',
    );
  });

  it.each([
    [{ type: 'boolean' }, 'boolean'],
    [{ type: ['string', 'null'] }, 'string|null'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a"|"b"'],
    [{ enum: [1, null] }, '1|null'],
    [{ const: 'only' }, '"only"'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a"|"b")[]'],
    [{ type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'number[][]'],
    [{ type: 'array' }, 'any[]'],
    [{ type: 'object', properties: { deep: { type: 'string' } } }, 'object'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string|null'],
    [{ oneOf: [{ type: 'string', format: 'uri' }, { type: 'string' }] }, 'string'],
    [{}, 'any'],
    [true, 'any'],
    [false, 'any'],
    [null, 'any'],
    [{ $ref: 'https://example.com/schema' }, 'any'],
  ])('shows %j as %s', (schema, type) =>
    expect(formatSignature(withArgument(schema))).toBe(`a?: ${type}`),
  );

  it('follows a reference to a definition once', () => {
    const $defs = {
      Mode: { enum: ['r', 'w'] },
      'a/b': { type: 'integer' },
      Loop: { type: 'array', items: { $ref: '#/$defs/Loop' } },
      Self: { $ref: '#/$defs/Self' },
    };
    const typeOf = (schema: JsonObject) => formatSignature(withArgument(schema, { $defs }));
    expect(typeOf({ $ref: '#/$defs/Mode' })).toBe('a?: "r"|"w"');
    expect(typeOf({ $ref: '#/$defs/a~1b' })).toBe('a?: integer');
    expect(typeOf({ type: 'array', items: { $ref: '#/$defs/Mode' } })).toBe('a?: ("r"|"w")[]');
    expect(typeOf({ $ref: '#/$defs/Loop' })).toBe('a?: any[]');
    expect(typeOf({ $ref: '#/$defs/Self' })).toBe('a?: any');
    expect(typeOf({ $ref: '#/$defs/toString' })).toBe('a?: any');
    const definitions = { All: { properties: { b: { type: 'string' } }, required: ['b'] } };
    expect(formatSignature({ $ref: '#/definitions/All', definitions })).toBe('b: string');
  });

  it.each([
    [{ type: 'object' }, ''],
    [{ type: 'object', properties: {} }, ''],
    [{ type: 'object', anyOf: [{ required: ['a'] }] }, '…'],
    [{ $ref: '#/$defs/None' }, '…'],
    [{ properties: 5, required: 'a' }, ''],
  ])('of %j is %j', (schema, signature) => expect(formatSignature(schema)).toBe(signature));

  it('shows an argument with a default as one that can be absent', () => {
    const schema = withArgument({ type: 'integer', default: 1 }, { required: ['a'] });
    expect(formatSignature(schema)).toBe('a?: integer');
  });

  it('shows names of any kind', () => {
    const names = parse('{"__proto__":{"type":"string"},"two words":{},"\\u202eb":{}}');
    expect(formatSignature({ properties: names })).toBe(
      '__proto__?: string, "two words"?: any, "\\u202eb"?: any',
    );
  });

  it('ends with … after about 200 characters', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => [
      `name${index}`,
      { type: 'string' },
    ]);
    const signature = formatSignature({ properties: Object.fromEntries(names) as JsonObject });
    expect(signature).toMatch(/^name0\?: string, .*, name11\?: string, …$/);
    expect(signature.length).toBeLessThan(210);
    const long = 'x'.repeat(1e6);
    expect(formatSignature(withArgument({ enum: [long, 'b'] }))).toBe(
      `a?: "${'x'.repeat(30)}…|"b"`,
    );
    expect(formatSignature({ properties: { [long]: {} } })).toBe(`${'x'.repeat(63)}…?: any`);
    const values = Array.from({ length: 1000 }, (_, index) => index);
    expect(formatSignature(withArgument({ enum: values }))).toMatch(/^a\?: 0\|1\|.*\|…$/);
  });
});

describe('arguments', () => {
  const problems = (schema: unknown, a: unknown, more?: JsonObject) =>
    checkArguments(withArgument(schema, more), { a });

  it('must have what is required', () => {
    const schema = withArgument({ type: 'string' }, { required: ['a', 'b'] });
    expect(checkArguments(schema, {})).toEqual(['a is required', 'b is required']);
    expect(checkArguments(schema, { a: '', b: null })).toEqual([]);
    const own = parse('{"required":["__proto__","toString"]}');
    expect(checkArguments(own, {})).toEqual(['__proto__ is required', 'toString is required']);
    expect(checkArguments(own, parse('{"__proto__":1,"toString":1}'))).toEqual([]);
  });

  it('need no value where the schema has a default', () =>
    expect(checkArguments(withArgument({ default: 1 }, { required: ['a'] }), {})).toEqual([]));

  it.each([
    [{ type: 'string' }, 1, 'a must be string, not integer'],
    [{ type: 'integer' }, 1.5, 'a must be integer, not number'],
    [{ type: 'integer' }, '5', 'a must be integer, not string'],
    [{ type: 'boolean' }, 'true', 'a must be boolean, not string'],
    [{ type: 'object' }, [], 'a must be object, not array'],
    [{ type: 'array', items: { type: 'string' } }, 'x', 'a must be string[], not string'],
    [{ type: 'string' }, null, 'a must be string, not null'],
    [{ type: ['string', 'null'] }, {}, 'a must be string|null, not object'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'a must be string|null, not integer'],
    [{ enum: ['x', 'y'], type: 'string' }, 1, 'a must be "x"|"y", not integer'],
  ])('of %j cannot be %j', (schema, value, problem) =>
    expect(problems(schema, value)).toEqual([problem]),
  );

  it.each([
    [{ type: 'integer' }, 5.0],
    [{ type: 'integer' }, Infinity],
    [{ type: 'number' }, 5],
    [{ type: ['string', 'null'] }, null],
    [{ type: 'string', nullable: true }, null],
    [{ type: 'string', enum: ['x'] }, 'other'],
    [{ type: 'array', items: { type: 'string' } }, [1]],
    [{ anyOf: [{ type: 'string' }, {}] }, 1],
    [{ anyOf: [{ type: 'string' }, { $ref: '#/$defs/None' }] }, 1],
    [{ anyOf: [{ type: 'string' }, true] }, 1],
    [{ anyOf: [] }, 1],
    [{ type: [] }, 1],
    [{ type: 'text' }, 1],
    [{ type: ['string', 'text'] }, 1],
    [{ allOf: [{ type: 'string' }] }, 1],
    [{ $ref: '#/$defs/None', type: 'string' }, 1],
    [true, 1],
    [false, 1],
  ])('of %j may be %j', (schema, value) => expect(problems(schema, value)).toEqual([]));

  it('are checked by definitions, whose references are not followed', () => {
    const $defs = {
      Point: { type: 'object' },
      Other: { $ref: '#/$defs/Point' },
    };
    const optional = { anyOf: [{ $ref: '#/$defs/Point' }, { type: 'null' }] };
    expect(problems(optional, 'x', { $defs })).toEqual(['a must be object|null, not string']);
    expect(problems({ $ref: '#/$defs/Other' }, 'x', { $defs })).toEqual([]);
  });

  it('may be unknown to the schema, and inherit nothing from it', () => {
    expect(checkArguments(withArgument({ type: 'string' }), { b: 1, toString: 2 })).toEqual([]);
    const schema = parse('{"properties":{"__proto__":{"type":"string"}}}');
    expect(checkArguments(schema, parse('{"__proto__":1}'))).toEqual([
      '__proto__ must be string, not integer',
    ]);
  });

  it('have at most three problems', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const missing = ['n0 is required', 'n1 is required', 'n2 is required'];
    expect(checkArguments({ properties, required: names }, {})).toEqual(missing);
    const args = Object.fromEntries(names.map((name) => [name, 1]));
    expect(checkArguments({ properties }, args)).toHaveLength(3);
  });

  it('are compiled in less than two seconds for references to a union of 10,000 types', () => {
    const branches = Array.from({ length: 10_000 }, (_, index) => ({
      type: 'string',
      title: index,
    }));
    const names = Array.from({ length: 10_000 }, (_, index) => [
      `n${index}`,
      { $ref: '#/$defs/A' },
    ]);
    const properties = Object.fromEntries(names) as JsonObject;
    const start = process.cpuUsage();
    expect(checkArguments({ properties, $defs: { A: { anyOf: branches } } }, {})).toEqual([]);
    expect(process.cpuUsage(start).user).toBeLessThan(2e6);
  });
});
