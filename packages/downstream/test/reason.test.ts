import { describe, expect, it } from 'vitest';
import {
  formatIndentedLine,
  formatReason,
  formatSafeLine,
  withoutFolders,
} from '../src/wire/reason.ts';
import { listSecrets } from '../src/wire/referenced-values.ts';
import { defineServer } from './harness/servers.ts';

describe('a line of a log', () => {
  it.each([
    ['    at read (server.js:1:2)  ', '    at read (server.js:1:2)'],
    ['\tat read', '    at read'],
    [' \t x\ty\u0007', '      x y'],
    ['no indentation', 'no indentation'],
    [`${' '.repeat(50)}x`, `${' '.repeat(40)}x`],
    ['  token=s3cret!', '  token=[redacted]'],
    ['  got s3cret!', '  got [redacted]'],
    ['   ', ''],
    ['\n  x', 'x'],
  ])('%j is %j', (text, line) => {
    expect(formatIndentedLine(text, ['s3cret!'])).toBe(line);
  });

  it('has at most 300 characters with its indentation', () => {
    expect(formatIndentedLine(`  ${'x'.repeat(298)}`, [])).toBe(`  ${'x'.repeat(298)}`);
    expect(formatIndentedLine(`  ${'x'.repeat(299)}`, [])).toBe(`  ${'x'.repeat(295)}...`);
  });
});

describe('a reason', () => {
  it('is one line of at most 300 characters', () => {
    expect(formatSafeLine('a\n\tb\u2028c\u0000')).toBe('a b c');
    expect(formatSafeLine('x'.repeat(300))).toHaveLength(300);
    expect(formatSafeLine('x'.repeat(301))).toBe(`${'x'.repeat(297)}...`);
  });

  it('has no indentation', () => {
    expect(formatSafeLine('    at read (server.js:1:2)  ')).toBe('at read (server.js:1:2)');
  });

  it.each([
    ['Authorization: Bearer abc.def-1', 'Authorization: Bearer [redacted]'],
    ['Basic dXNlcjpw failed', 'Basic [redacted] failed'],
    ['api_key=12345 is wrong', 'api_key=[redacted] is wrong'],
    ['{"password":"pw1"}', '{"password":"[redacted]"}'],
    ['GET https://user:pw@host/path?token=1#x failed', 'GET https://host/path failed'],
    ['the token expired', 'the token expired'],
    ['spawn /opt/server ENOENT', 'spawn /opt/server ENOENT'],
    [`got ${'aB3_'.repeat(11)}== back`, 'got [redacted] back'],
    [`got ${'0a1b'.repeat(11)} back`, 'got [redacted] back'],
    [`got ${'aB3_'.repeat(10)} back`, `got ${'aB3_'.repeat(10)} back`],
    [`no tool x_files_${'list_'.repeat(9)}1`, `no tool x_files_${'list_'.repeat(9)}1`],
  ])('hides credentials in %j', (text, line) => {
    expect(formatSafeLine(text)).toBe(line);
  });

  it.each([
    ['spawn /srv/team-1/bin/server.js ENOENT', 'spawn [path]/server.js ENOENT'],
    ['at "/srv/a.b/c"', 'at "[path]/c"'],
    ['spawn /server ENOENT', 'spawn /server ENOENT'],
    ['to http://127.0.0.1:80/a/b/c not', 'to http://127.0.0.1:80/a/b/c not'],
    ['read/write and either/or/both', 'read/write and either/or/both'],
  ])('leaves out the folders in %j for a status', (text, line) => {
    expect(withoutFolders(text)).toBe(line);
  });

  it('hides the given values everywhere', () => {
    const line = formatSafeLine('key s3cr3t! in as3cr3t!b', ['s3cr3t!']);
    expect(line).toBe('key [redacted] in a[redacted]b');
  });

  it.each([
    ['the pin is 4711.', '4711', 'the pin is [redacted].'],
    ['pin=4711', '4711', 'pin=[redacted]'],
    ['port 47110', '4711', 'port 47110'],
    ['a device in dev', 'dev', 'a device in [redacted]'],
    ['x_dev and dévé', 'dev', 'x_dev and dévé'],
    ['über at rübe über', 'über', '[redacted] at rübe [redacted]'],
    ['a$.*b and a$.*', '$.*', 'a[redacted]b and a[redacted]'],
    ['on and 1', 'on', 'on and 1'],
    ['on and 1', '1', 'on and 1'],
    ['nothing', '', 'nothing'],
  ])('hides in %j the short value %j where it is a word', (text, secret, line) => {
    expect(formatSafeLine(text, [secret])).toBe(line);
  });

  it('hides a value that has another as its part', () => {
    expect(formatSafeLine('key abc-defgh', ['abc', 'abc-defgh'])).toBe('key [redacted]');
  });

  it('hides values that are longer than a line', () => {
    const secret = 'k'.repeat(5_000);
    expect(formatSafeLine(`key ${secret} ends`, [secret])).toBe('key [redacted] ends');
  });

  it('names what caused an error, without repeats', () => {
    const error = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    expect(formatReason(error)).toBe('fetch failed: connect ECONNREFUSED');
    expect(formatReason(new Error('a b', { cause: new Error('b') }))).toBe('a b');
    expect(formatReason('text')).toBe('text');
    const both = new AggregateError([new Error('REFUSED ::1'), new Error('REFUSED 127.0.0.1')]);
    expect(formatReason(both)).toBe('REFUSED ::1, REFUSED 127.0.0.1');
    expect(formatReason(new Error(''))).toBe('unknown error');
  });

  it('names the member in place of the text of a schema library', () => {
    const path = ['serverInfo', 'version'];
    const problem = { expected: 'string', code: 'invalid_type', path, message: 'x' };
    const problems = JSON.stringify([problem], null, 2);
    const text = `Invalid result for initialize: ZodError: ${problems}`;
    const member = 'has a missing or wrong "serverInfo.version"';
    expect(formatReason(new Error(text))).toBe(`the answer to initialize ${member}`);
    expect(formatReason(new Error(problems))).toBe(`a message ${member}`);
    expect(formatReason(new Error('[1]'))).toBe('[1]');
  });
});

const VALUE = '{\r\n  "user": "plain-user-17",\r\n  "word": "plain-word-42"\n}\n';

it('secrets are the values of a definition and each line of them', () => {
  const server = defineServer('crm', { type: 'stdio', command: 'crm', env: { KEY: VALUE } });
  const secrets = listSecrets(server);
  expect(secrets).toEqual([VALUE, '"user": "plain-user-17",', '"word": "plain-word-42"']);
  expect(formatSafeLine(`got ${VALUE.split('\r\n')[2] ?? ''}`, secrets)).toBe('got [redacted] }');
});

it('secrets are the lines of values that were read', () => {
  const server = defineServer('crm', { type: 'stdio', command: 'crm' });
  const referenced = { values: { A: 'first-line\nsecond-line' }, parts: ['third-line\nshort'] };
  const secrets = listSecrets({ ...server, referenced });
  for (const line of ['first-line', 'second-line', 'third-line'])
    expect(formatSafeLine(`key ${line}`, secrets)).toBe('key [redacted]');
});
