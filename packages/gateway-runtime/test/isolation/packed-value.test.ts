import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@gateway/crd-schemas';
import { ValuePacker } from '../../src/isolation/packed-value.ts';
import { ValueUnpacker } from '../../src/isolation/unpacked-value.ts';

const partsOf = (value: JsonValue): string[] => {
  const packer = new ValuePacker(value);
  const parts: string[] = [];
  for (let part = packer.next(); part !== undefined; part = packer.next()) parts.push(part);
  return parts;
};

const restored = (value: JsonValue): JsonValue => {
  const unpacker = new ValueUnpacker();
  for (const part of partsOf(value)) unpacker.add(part);
  return unpacker.value;
};

const nested = (depth: number): JsonValue => {
  let value: JsonValue = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

describe('a packed value', () => {
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
  ])('is restored: %s', (_what, value) => {
    expect(restored(value)).toEqual(value);
  });

  it('has parts of a limited size', () => {
    const parts = partsOf({
      text: 'x'.repeat(2_000_000),
      list: Array.from({ length: 100_000 }, () => 1),
    });
    expect(parts.length).toBeGreaterThan(20);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(250_000);
  });

  it('does not change prototypes', () => {
    restored(JSON.parse('{"__proto__":{"polluted":1}}') as JsonValue);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
