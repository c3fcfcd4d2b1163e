import { threadCpuUsage } from 'node:process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextFinder } from '../src/text-finder.ts';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '😀'), maxLength: 200 });

describe('a text finder', () => {
  it('has the result of indexOf', () =>
    fc.assert(
      fc.property(letters, letters, fc.nat({ max: 250 }), (text, part, from) => {
        expect(createTextFinder(part)(text, from)).toBe(text.indexOf(part, from));
      }),
    ));

  it('finds a long part at its first place', () =>
    fc.assert(
      fc.property(letters, letters, letters, (head, part, tail) => {
        const text = `${head}${part}${tail}${part}`;
        expect(createTextFinder(part)(text)).toBe(text.indexOf(part));
      }),
    ));

  it.each([
    ['a'.repeat(500_000) + 'b' + 'a'.repeat(500_000), 'a'.repeat(2_000_000)],
    ['a'.repeat(500_000) + 'b', 'a'.repeat(2_000_000)],
    ['ab'.repeat(250_000) + 'b' + 'ab'.repeat(250_000), 'ab'.repeat(1_000_000)],
  ])(
    'takes less than two seconds of processor time for a part of up to a million characters (case %#)',
    (part, text) => {
      const before = threadCpuUsage();
      expect(createTextFinder(part)(text)).toBe(-1);
      const { user, system } = threadCpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(2_000);
    },
  );
});
