import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { toRe2Pattern } from '../../src/schema/structural-schema.ts';
import * as facts from '../../src/fields/field-facts.ts';

const { LABEL_KEY, ...others } = facts;
const portable = Object.entries(others).flatMap(([name, value]) =>
  typeof value === 'object' ? [[name, value] as const] : [],
);

/** Characters that the patterns treat in a way of their own, or that the two languages could see differently. */
const describeText = fc.string({
  unit: fc.constantFrom(
    ...Array.from(
      'aZ09-_./:?#@ =%"\\\t\n\r\v\f\0\x1f\x7f\x80\xa0\xff\u0100\u1680\u2003\u2028\u2029\u202f\u3000\ufeff😀é',
    ),
    'https://',
    'a.',
  ),
  maxLength: 8,
});

describe.each(portable)('the pattern %s', (_name, { regex }) => {
  it('accepts the same texts under RE2', () => {
    const re2 = RE2JS.compile(toRe2Pattern(regex));
    fc.assert(
      fc.property(
        fc.oneof(
          describeText,
          describeText.map((rest) => `https://${rest}`),
        ),
        (candidate) => {
          expect(re2.matcher(candidate).find()).toBe(regex.test(candidate));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('re2Pattern', () => {
  it('writes out what RE2 reads otherwise', () => {
    expect(toRe2Pattern(/^a\/[^\s/]$/)).toBe(
      '^a/[^\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}/]$',
    );
    expect(toRe2Pattern(/^.[.]\./)).toBe('^[^\\n\\r\\x{2028}\\x{2029}][.]\\.');
    expect(toRe2Pattern(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)).toBe('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$');
  });

  it.each([LABEL_KEY.regex, /(?<!a)b/, /(a)\1/, /\bword/, /\u00e9/, /\d+/])(
    'refuses %s, which RE2 has not or reads otherwise',
    (regex) => {
      expect(() => toRe2Pattern(regex)).toThrow('RE2 cannot run the pattern');
    },
  );
});
