import { describe, expect, it } from 'vitest';
import { reasonOf, sanitisedLine } from '../src/reason.ts';

describe('a reason', () => {
  it('is one line of at most 300 characters', () => {
    expect(sanitisedLine('a\n\tb\u2028c\u0000')).toBe('a b c');
    expect(sanitisedLine('x'.repeat(300))).toHaveLength(300);
    expect(sanitisedLine('x'.repeat(301))).toBe(`${'x'.repeat(297)}...`);
  });

  it.each([
    ['Authorization: Bearer abc.def-1', 'Authorization: Bearer [redacted]'],
    ['Basic dXNlcjpw failed', 'Basic [redacted] failed'],
    ['api_key=12345 is wrong', 'api_key=[redacted] is wrong'],
    ['{"password":"pw1"}', '{"password":"[redacted]"}'],
    ['GET https://user:pw@host/path?token=1#x failed', 'GET https://host/path failed'],
    ['the token expired', 'the token expired'],
    ['spawn /opt/server ENOENT', 'spawn /opt/server ENOENT'],
  ])('hides credentials in %j', (text, line) => {
    expect(sanitisedLine(text)).toBe(line);
  });

  it('hides the given values, but no short words', () => {
    expect(sanitisedLine('key s3cr3t! in true', ['s3cr3t!', 'true'])).toBe(
      'key [redacted] in true',
    );
  });

  it('names what caused an error, without repeats', () => {
    const error = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    expect(reasonOf(error)).toBe('fetch failed: connect ECONNREFUSED');
    expect(reasonOf(new Error('a b', { cause: new Error('b') }))).toBe('a b');
    expect(reasonOf('text')).toBe('text');
    expect(reasonOf(new Error(''))).toBe('unknown error');
  });
});
