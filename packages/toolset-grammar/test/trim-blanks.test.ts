import { describe, expect, it } from 'vitest';
import { trimBlanks } from '../src/trim-blanks.ts';
import { requirement } from './requirement.ts';

requirement('4.1/trimmed', () => {
  it.each([
    ['a', 'a'],
    ['  a', 'a'],
    ['a\t \t', 'a'],
    [' a b ', 'a b'],
    ['', ''],
    [' \t ', ''],
  ])('trims %j to %j', (text, trimmed) => expect(trimBlanks(text)).toBe(trimmed));
  it.each(['\na', 'a\r\n', '\u00a0a', 'a\u3000', '\va', '\ufeffa'])('leaves %j alone', (text) =>
    expect(trimBlanks(text)).toBe(text),
  );
});

describe('long runs of blanks', () => {
  it('takes a million blanks inside a text', () => {
    const text = `a${' '.repeat(1_000_000)}b`;
    expect(trimBlanks(` ${text} `)).toBe(text);
  });
});
