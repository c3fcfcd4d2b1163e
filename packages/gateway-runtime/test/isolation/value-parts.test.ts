import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@gateway/crd-schemas';
import { finish, joinParts, splitValue } from '../../src/isolation/value-parts.ts';

const toParts = (value: JsonValue): Uint8Array[] => finish(splitValue(value));
const restored = (value: JsonValue): JsonValue => finish(joinParts(toParts(value)));

const nested = (depth: number): JsonValue => {
  let value: JsonValue = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

describe('a value in parts', () => {
  it.each<[string, JsonValue]>([
    ['null', null],
    ['scalars', [true, false, 0, -1.5, '', 'text', null]],
    ['empty containers', [[], {}, [[]], { a: {} }]],
    ['members', { a: 1, b: [{ c: 'd' }, []], '': { '': null } }],
    ['names of prototypes', JSON.parse('{"__proto__":{"a":1},"constructor":[1]}') as JsonValue],
    ['numbers that JSON does not have', [Infinity, -Infinity]],
    ['halves of surrogate pairs', ['\ud83d', '\ude00', '😀'.repeat(100_000)]],
    ['a large text', { a: 'é'.repeat(1_000_000), b: 'x'.repeat(200_000) }],
    ['a long key', { ['k'.repeat(300_000)]: 1 }],
    [
      'many members',
      Array.from({ length: 50_000 }, (_unused, id) => ({ id, name: `n${String(id)}` })),
    ],
    ['many levels', nested(1000)],
    [
      'a large list in a map',
      { a: { b: Array.from({ length: 20_000 }, (_unused, id) => id) }, c: 1 },
    ],
    [
      'a large map under the name of a prototype',
      JSON.parse(`{"__proto__":[${'1,'.repeat(9_000)}1]}`) as JsonValue,
    ],
  ])('is restored: %s', (_what, value) => {
    expect(restored(value)).toEqual(value);
  });

  it('has parts of a limited size', () => {
    const parts = toParts({
      text: 'x'.repeat(60_000),
      list: Array.from({ length: 100_000 }, () => ({ id: 1 })),
    });
    expect(parts.length).toBeGreaterThan(20);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(250_000);
  });

  it('does not change prototypes', () => {
    restored(JSON.parse('{"__proto__":{"polluted":1}}') as JsonValue);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
