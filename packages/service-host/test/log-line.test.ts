import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formatTextLine } from '../src/logger.ts';
import { escapeToJson, escapeToLine, escapeToLines } from '../src/index.ts';

describe('a log line as text', () => {
  it('has time, level, message and facts', () => {
    const line = { time: '2026-01-02T12:30:01.000Z', level: 'info', msg: 'listening', port: 80 };
    expect(formatTextLine(JSON.stringify(line))).toBe('12:30:01 info  listening port=80\n');
  });

  it('has no line end of Unicode', () => {
    expect(escapeToLine('a\u2028b\u2029c')).toBe('a\\u2028b\\u2029c');
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

describe('a log line as JSON', () => {
  const write = async (value: Record<string, unknown>, message: string): Promise<string> => {
    const program = `
      import { createLogger } from '@gateway/service-host';
      const [value, message] = JSON.parse(process.argv[1]);
      createLogger({ format: 'json', level: 'info' }).info(value, message);
    `;
    const options = ['--conditions=@gateway/source', '--input-type=module', '-e', program];
    const args = [...options, JSON.stringify([value, message])];
    const cwd = import.meta.dirname;
    return (await promisify(execFile)(process.execPath, args, { cwd })).stderr;
  };

  it('has line ends of Unicode and controls of the text direction escaped', async () => {
    const line = await write({ tool: 'a\u2028b\u202e' }, 'refused \u2066a\u2069');
    expect(line).toContain('"tool":"a\\u2028b\\u202e","msg":"refused \\u2066a\\u2069"}\n');
  });

  it('has at most 2,048 characters of each text when a peer sends a long one', async () => {
    const long = 'x'.repeat(20_000);
    const line = await write({ tool: long, nested: { a: [long] } }, long);
    expect(line.length).toBeLessThan(7_000);
    expect(JSON.parse(line)).toMatchObject({ level: 'info', msg: `${'x'.repeat(2_048)}…` });
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
