import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@gateway/crd-schemas';
import { canFitBytes, countJsonBytes } from '../../src/model/json-size.ts';
import { anyJson, fc, test } from '../fast-check.ts';

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

describe('the bytes of JSON', () => {
  const sizes: readonly (readonly [JsonValue, number])[] = [
    [null, 4],
    [-0, 1],
    [1e21, 5],
    ['', 2],
    ['é', 4],
    ['😀', 6],
    ['\ud800', 8],
    ['"\\\n\u0000', 14],
    [[], 2],
    [[1, 2], 5],
    [{}, 2],
    [{ a: 1, b: [] }, 14],
  ];

  it.each(sizes)('of %j are %d', (value, bytes) => {
    expect(countJsonBytes(value, NO_LIMIT)).toBe(bytes);
  });

  test('are those that are written', anyJson, (value) => {
    expect(countJsonBytes(value, NO_LIMIT)).toBe(Buffer.byteLength(JSON.stringify(value)));
  });

  test(
    'are more than a limit exactly when they are',
    fc.tuple(anyJson, fc.nat(60)),
    ([value, limit]) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect(canFitBytes(value, limit)).toBe(bytes <= limit);
      expect(countJsonBytes(value, limit)).toBe(Math.min(bytes, limit + 1));
    },
  );

  it('of what nests too deeply are too many, and what is counted can be written', () => {
    const nested = (levels: number): JsonValue =>
      JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as JsonValue;
    expect(countJsonBytes(nested(2001), NO_LIMIT)).toBe(4002);
    expect(JSON.stringify(nested(2001))).toHaveLength(4002);
    expect(canFitBytes(nested(2002), NO_LIMIT)).toBe(false);
    expect(canFitBytes(nested(100_000), NO_LIMIT)).toBe(false);
  });
});
