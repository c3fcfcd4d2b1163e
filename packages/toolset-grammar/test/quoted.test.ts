import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteText } from '../src/index.ts';

describe('quoted', () => {
  it.each([
    ['', '""'],
    ['server:a', '"server:a"'],
    ['say "hi"', String.raw`"say \"hi\""`],
    ['a\\b', String.raw`"a\\b"`],
    ['\u0007\b\f\n\r\t\v', String.raw`"\a\b\f\n\r\t\v"`],
    ['\0\u001b\u007f', String.raw`"\x00\x1b\x7f"`],
    ['\u0085\u00a0\u00ad', String.raw`"\u0085\u00a0\u00ad"`],
    ['\u2028\u202e\ufeff', String.raw`"\u2028\u202e\ufeff"`],
    ['\u{e0001}\u{10ffff}', String.raw`"\U000e0001\U0010ffff"`],
    ['\ud800', String.raw`"\ud800"`],
    ['grün 部署 🚀 e\u0301', '"grün 部署 🚀 e\u0301"'],
    ["<b>&'", `"<b>&'"`],
  ])('quotes %j as %s', (text, expected) => expect(quoteText(text)).toBe(expected));

  it('is JSON for printable ASCII', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(quoteText(text)).toBe(JSON.stringify(text));
      }),
    ));
});
