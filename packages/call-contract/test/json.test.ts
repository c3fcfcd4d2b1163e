import { describe, expect, it } from 'vitest';
import { escapeInvisible } from '../src/index.ts';

describe('a JSON text without invisible characters', () => {
  it.each([
    ['line ends of Unicode', 'a\u2028b\u2029c\u0085d', '"a\\u2028b\\u2029c\\u0085d"'],
    [
      'embeddings and overrides',
      '\u202aa\u202b\u202c\u202d\u202e',
      '"\\u202aa\\u202b\\u202c\\u202d\\u202e"',
    ],
    ['isolates', '\u2066\u2067\u2068\u2069', '"\\u2066\\u2067\\u2068\\u2069"'],
    ['marks of the direction', '\u200e\u200f\u061c', '"\\u200e\\u200f\\u061c"'],
    ['controls', '\u007f\u009b2J', '"\\u007f\\u009b2J"'],
    ['characters of no width', 'a\u200bb\ufeff\u2060', '"a\\u200bb\\ufeff\\u2060"'],
    ['tags', 'a\u{e0041}\u{e007f}', '"a\\udb40\\udc41\\udb40\\udc7f"'],
  ])('has %s escaped, and parses to the same value', (_kind, value, text) => {
    expect(escapeInvisible(JSON.stringify(value))).toBe(text);
    expect(JSON.parse(text)).toBe(value);
  });

  it('keeps letters of all languages, emoji and escapes as they are', () => {
    const text = '{"größe":"漢字 👩‍👩‍👧 שלום \\u2028\\n"}';
    expect(escapeInvisible(text)).toBe(text);
  });
});
