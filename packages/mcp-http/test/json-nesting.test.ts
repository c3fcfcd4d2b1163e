import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNestedDeeper } from '../src/http/json-nesting.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

describe('the nesting of JSON text', () => {
  it.each([
    ['1', 0, false],
    ['[]', 0, true],
    ['[]', 1, false],
    ['[[]]', 1, true],
    ['{"a":[{}]}', 3, false],
    ['{"a":[{}]}', 2, true],
    ['"[[[["', 0, false],
    ['"\\"[[[["', 0, false],
    ['["\\\\",[]]', 1, true],
    ['[],[],[]', 1, false],
    ['"[[', 0, false],
    [']]]]', 0, false],
  ])('of %j, compared with %i', (text, limit, deeper) => {
    expect(isNestedDeeper(bytes(text), limit)).toBe(deeper);
  });

  it('is that of the parsed value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 0, max: 10 }), (text, limit) => {
        expect(isNestedDeeper(bytes(text), limit)).toBe(depthOf(JSON.parse(text)) > limit);
      }),
    );
  });
});
