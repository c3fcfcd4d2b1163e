import { describe, expect, it } from 'vitest';
import { formatTextLine } from '../src/log/create-logger.ts';
import { escapeToJson, escapeToLine, escapeToLines } from '../src/index.ts';

describe('a log line as text', () => {
  it('has time, level, message and facts', () => {
    const line = { time: '2026-01-02T12:30:01.000Z', level: 'info', msg: 'listening', port: 80 };
    expect(formatTextLine(JSON.stringify(line))).toBe('12:30:01 info  listening port=80\n');
  });

  it('escapes control characters, so that it cannot control a terminal', () => {
    const line = {
      time: '2026-01-02T10:00:00.000Z',
      level: 'warn',
      msg: 'a\n\u001b[2J',
      b: '\u009b2J\u202e',
    };
    expect(formatTextLine(JSON.stringify(line))).toBe(
      '10:00:00 warn  a\\n\\u001b[2J b="\\u009b2J\\u202e"\n',
    );
  });
});

describe('text for a terminal', () => {
  it('keeps letters of all languages and emoji', () => {
    expect(escapeToLine('größe 漢字 👍🏽')).toBe('größe 漢字 👍🏽');
  });

  it('keeps line breaks and tabs only where there may be several lines', () => {
    expect(escapeToLine('a\n\tb')).toBe('a\\n\\tb');
    expect(escapeToLines('a\n\tb\u0007')).toBe('a\n\tb\\u0007');
  });

  it('writes JSON that parses to the same value', () => {
    const text = escapeToJson({ a: '\u009b2J\u202e\n' });
    expect(text).toBe('{"a":"\\u009b2J\\u202e\\n"}');
    expect(JSON.parse(text)).toEqual({ a: '\u009b2J\u202e\n' });
  });
});
