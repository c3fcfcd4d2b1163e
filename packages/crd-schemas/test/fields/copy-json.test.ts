import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyJson } from '../../src/fields/fields.ts';

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

describe('a copy', () => {
  it('is equal to the original, whatever the JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { value, problems } = copyJson(JSON.parse(text));
        expect(problems).toEqual([]);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
  it('has maps without prototype, so that only own keys are there', () => {
    const { value } = copyJson(JSON.parse('{"__proto__":{"a":1}}'));
    expect(Object.getPrototypeOf(value)).toBe(null);
    expect(Object.keys(value as object)).toEqual(['__proto__']);
  });
  it('never asks a check about a key', () => {
    const asked: string[] = [];
    copyJson({ key: ['text', { other: 'deep' }] }, (text) => {
      asked.push(text);
      return undefined;
    });
    expect(asked).toEqual(['text', 'deep']);
  });
  it('tells where a check found something', () => {
    const { problems } = copyJson({ a: ['fine', 'bad'] }, (text) =>
      text === 'bad' ? 'must be good' : undefined,
    );
    expect(problems).toEqual([{ path: ['a', 1], message: 'must be good' }]);
  });
});

describe('bounds', () => {
  it('64 levels', () => {
    expect(copyJson(nested(64)).problems).toEqual([]);
    expect(copyJson(nested(65)).problems).toEqual([
      { path: [], message: 'must be nested at most 64 levels deep' },
    ]);
  });
  it('50000 values', () => {
    expect(copyJson(Array(49_999).fill(null)).problems).toEqual([]);
    expect(copyJson(Array(50_000).fill(null)).problems).toEqual([
      { path: [], message: 'must consist of at most 50000 values' },
    ]);
  });
  it('1048576 characters of texts and keys', () => {
    expect(copyJson({ ab: 'a'.repeat(1_048_574) }).problems).toEqual([]);
    expect(copyJson({ abc: 'a'.repeat(1_048_574) }).problems).toEqual([
      {
        path: [],
        message: 'must have at most 1048576 characters in all its texts and keys',
      },
    ]);
  });
  it('hold for a value whose parts are shared a billion times', () => {
    let value: unknown = ['lol'];
    for (let level = 0; level < 30; level += 1) value = [value, value];
    expect(copyJson(value).problems).toEqual([
      { path: [], message: 'must consist of at most 50000 values' },
    ]);
  });
  it('are 20 problems', () => {
    expect(copyJson(Array(500).fill(undefined)).problems).toHaveLength(20);
  });
});
