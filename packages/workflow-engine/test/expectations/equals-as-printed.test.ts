import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@gateway/crd-schemas';
import { isPrintedEqual } from '../../src/expectations/expectations.ts';
import { anyJson, fc, test } from '../fast-check.ts';

describe('equal as printed', () => {
  const equal: readonly (readonly [JsonValue, JsonValue])[] = [
    [5, 5],
    [5, '5'],
    [1.5, '1.5'],
    [0, -0],
    [1e21, '1e+21'],
    [true, 'true'],
    [null, 'null'],
    [null, null],
    ['', ''],
    [
      [1, 'a'],
      [1, 'a'],
    ],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [[1, 'é'], '[1,"é"]'],
    [{ a: 1 }, '{"a":1}'],
  ];

  it.each(equal)('%j and %j are', (left, right) => {
    expect(isPrintedEqual(left, right)).toBe(true);
    expect(isPrintedEqual(right, left)).toBe(true);
  });

  const different: readonly (readonly [JsonValue, JsonValue])[] = [
    [5, 6],
    [5, '5.0'],
    [5, ' 5'],
    [5, [5]],
    [true, 1],
    [true, 'True'],
    [null, ''],
    [null, 0],
    [null, false],
    [null, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: null }, { b: null }],
    [['5'], [5]],
    [{ a: 1, b: 2 }, '{"b":2,"a":1}'],
    ['a', 'A'],
  ];

  it.each(different)('%j and %j are not', (left, right) => {
    expect(isPrintedEqual(left, right)).toBe(false);
    expect(isPrintedEqual(right, left)).toBe(false);
  });

  it('says nothing of prototypes', () => {
    expect(isPrintedEqual({}, JSON.parse('{"__proto__":{}}') as JsonValue)).toBe(false);
    expect(isPrintedEqual({ toString: 1 }, { valueOf: 1 })).toBe(false);
  });

  test('is symmetric', fc.tuple(anyJson, anyJson), ([left, right]) => {
    expect(isPrintedEqual(left, right)).toBe(isPrintedEqual(right, left));
  });

  test('holds between a value and its copy, and between a value and its text', anyJson, (value) => {
    expect(isPrintedEqual(value, structuredClone(value))).toBe(true);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(isPrintedEqual(value, text)).toBe(true);
  });
});
