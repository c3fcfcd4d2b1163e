import { defineRequirements } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { toDocument, refusalOf, remote, serverOf, stdio } from '../documents.ts';

const requirement = defineRequirements(requirements);
const own = (text: string): unknown => JSON.parse(text);

requirement('2.6/type', () => {
  it('refuses a spec without type', () => {
    expect(refusalOf(toDocument({}))).toEqual(['spec.type: type is required']);
  });
  it.each(['http', 'STDIO', '', 'streamable_http'])('refuses the type %j', (type) => {
    expect(refusalOf(toDocument({ type }))).toEqual([
      'spec.type: must be one of stdio, streamable-http, sse',
    ]);
  });
  it('accepts stdio, streamable-http and sse', () => {
    expect(serverOf(stdio()).spec.type).toBe('stdio');
    expect(serverOf(remote()).spec.type).toBe('streamable-http');
    expect(serverOf(remote({ type: 'sse' })).spec.type).toBe('sse');
  });
});

requirement('2.6/command', () => {
  it('keeps the command as written', () => {
    expect(serverOf(stdio({ command: '/opt/my server' })).spec).toEqual({
      type: 'stdio',
      command: '/opt/my server',
      args: [],
      env: {},
      autoStart: false,
      timeout: 30,
    });
  });
  it('refuses a command that is no string or holds a NUL character', () => {
    expect(refusalOf(stdio({ command: ['npx'] }))).toEqual([
      'spec.command: must be a string, not a list',
    ]);
    expect(refusalOf(stdio({ command: 'a\0b' }))).toEqual([
      'spec.command: must not contain a NUL character',
    ]);
  });
  it('accepts 4096 characters and refuses 4097', () => {
    expect(refusalOf(stdio({ command: 'c'.repeat(4096) }))).toEqual([]);
    expect(refusalOf(stdio({ command: 'c'.repeat(4097) }))).toEqual([
      'spec.command: must be at most 4096 characters',
    ]);
  });
});

requirement('2.6/args', () => {
  it('keeps arguments in order, the empty one and those with spaces too', () => {
    expect(serverOf(stdio({ args: ['-c', '', 'a b', '-c'] })).spec).toMatchObject({
      args: ['-c', '', 'a b', '-c'],
    });
  });
  it('names every entry that is no string', () => {
    expect(refusalOf(stdio({ args: ['a', 8080, true, null] }))).toEqual([
      'spec.args[1]: must be a string, not a number',
      'spec.args[2]: must be a string, not a boolean',
      'spec.args[3]: must be a string, not null',
    ]);
  });
  it('refuses a string in place of the list, and nothing at all in place of it', () => {
    expect(refusalOf(stdio({ args: '-v' }))).toEqual(['spec.args: must be a list, not a string']);
    expect(refusalOf(stdio({ args: null }))).toEqual(['spec.args: must be a list, not null']);
  });
  it('accepts 1024 arguments and refuses 1025', () => {
    expect(refusalOf(stdio({ args: Array(1024).fill('a') }))).toEqual([]);
    expect(refusalOf(stdio({ args: Array(1025).fill('a') }))).toEqual([
      'spec.args: must have at most 1024 entries',
    ]);
  });
});

describe('startTimeout of a stdio server', () => {
  it('is a number of seconds, and absent when the document has none', () => {
    expect(serverOf(stdio({ startTimeout: 90 })).spec).toMatchObject({ startTimeout: 90 });
    expect(serverOf(stdio()).spec).not.toHaveProperty('startTimeout');
  });
  it('accepts 1 and 600 and refuses 0, 601 and fractions', () => {
    expect(refusalOf(stdio({ startTimeout: 1 }))).toEqual([]);
    expect(refusalOf(stdio({ startTimeout: 600 }))).toEqual([]);
    expect(refusalOf(stdio({ startTimeout: 0 }))).toEqual([
      'spec.startTimeout: must be at least 1',
    ]);
    expect(refusalOf(stdio({ startTimeout: 601 }))).toEqual([
      'spec.startTimeout: must be at most 600',
    ]);
    expect(refusalOf(stdio({ startTimeout: 1.5 }))).toHaveLength(1);
  });
});

describe('cwd of a stdio server', () => {
  it('is kept as written, relative or absolute, and absent when the document has none', () => {
    expect(serverOf(stdio({ cwd: './servers/my files' })).spec).toMatchObject({
      cwd: './servers/my files',
    });
    expect(serverOf(stdio({ cwd: '/srv' })).spec).toMatchObject({ cwd: '/srv' });
    expect(serverOf(stdio()).spec).not.toHaveProperty('cwd');
  });
  it('refuses what is no string, is empty or holds a NUL character', () => {
    expect(refusalOf(stdio({ cwd: null }))).toEqual(['spec.cwd: must be a string, not null']);
    expect(refusalOf(stdio({ cwd: '' }))).toEqual(['spec.cwd: must not be empty']);
    expect(refusalOf(stdio({ cwd: 'a\0b' }))).toEqual([
      'spec.cwd: must not contain a NUL character',
    ]);
  });
  it('accepts 4096 characters and refuses 4097', () => {
    expect(refusalOf(stdio({ cwd: 'c'.repeat(4096) }))).toEqual([]);
    expect(refusalOf(stdio({ cwd: 'c'.repeat(4097) }))).toEqual([
      'spec.cwd: must be at most 4096 characters',
    ]);
  });
});

requirement('2.6/url', () => {
  it.each([
    'http://127.0.0.1:3000/mcp',
    'https://example.com',
    'https://example.com/mcp?a=b#c',
    'http://[::1]:8080/mcp',
    'http://kubernetes.default.svc/mcp',
  ])('accepts %s', (url) => {
    expect(serverOf(remote({ url })).spec).toMatchObject({ url });
  });
  it.each([
    'ftp://example.com',
    'example.com/mcp',
    'https://',
    'https:///mcp',
    'https://exa mple.com',
    'https://example.com/a b',
    'HTTPS://example.com',
    'http://[::1',
    'http://example.com:99999/',
  ])('refuses %j', (url) => {
    expect(refusalOf(remote({ url }))).toEqual(['spec.url: must be an http:// or https:// URL']);
  });

  it.each([
    'https://user:secret@example.com/mcp',
    'http://user@example.com',
    'https://:secret@example.com/mcp',
    'https://@example.com/mcp',
    'https://user:se@cret@example.com/',
  ])('refuses the user in %j with the remedy', (url) => {
    expect(refusalOf(remote({ url }))).toEqual([
      'spec.url: must not contain a user or a password: send them in headers, from a Secret with headersFrom',
    ]);
  });

  it.each(['https://example.com/@user/mcp', 'https://example.com/?mail=a@b', 'https://h/#@'])(
    'accepts %j, which has no user',
    (url) => expect(refusalOf(remote({ url }))).toEqual([]),
  );
  it('refuses the empty string', () => {
    expect(refusalOf(remote({ url: '' }))).toEqual(['spec.url: must not be empty']);
  });
});

requirement('2.6/env', () => {
  it('keeps variables, empty values too', () => {
    expect(serverOf(stdio({ env: { HOME: '/root', EMPTY: '' } })).spec.env).toEqual({
      HOME: '/root',
      EMPTY: '',
    });
  });
  it('names every variable that is no string, and never shows a value', () => {
    expect(refusalOf(stdio({ env: { PORT: 8080, DEBUG: true, 'A=B': 's3cret' } }))).toEqual([
      'spec.env[*]: must be a string, not a number',
      'spec.env[*]: must be a string, not a boolean',
      'spec.env[*]: the key must not contain "=" or a NUL character',
    ]);
  });
  it('takes __proto__ and constructor for names like any other', () => {
    const { env } = serverOf(stdio({ env: own('{"__proto__":"a","constructor":"b"}') })).spec;
    expect(Object.entries(env)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(env)).toBe(null);
  });
  it('refuses a list and more than 1024 variables', () => {
    expect(refusalOf(stdio({ env: ['A=1'] }))).toEqual(['spec.env: must be a mapping, not a list']);
    const env = Object.fromEntries(Array.from({ length: 1025 }, (_, n) => [`V${String(n)}`, '']));
    expect(refusalOf(stdio({ env }))).toEqual(['spec.env: must have at most 1024 entries']);
  });
});

requirement('2.6/headers', () => {
  it('keeps headers as written', () => {
    const headers = { 'X-Team': 'a, b', authorization: 'Bearer x' };
    expect(serverOf(remote({ headers })).spec).toMatchObject({ headers });
  });
  it('refuses what would split a request', () => {
    expect(refusalOf(remote({ headers: { 'X-A': 'a\r\nX-B: b', 'X Y': 'a', '': 'a' } }))).toEqual([
      'spec.headers[*]: must be an HTTP header value: no line breaks, no control characters, no characters above U+00FF',
      'spec.headers[*]: the key must be an HTTP header name',
      'spec.headers[*]: the key must not be empty',
    ]);
  });
  it('takes __proto__ for a name like any other', () => {
    const { spec } = serverOf(remote({ headers: own('{"__proto__":"a"}') }));
    expect(spec).toHaveProperty('headers');
    expect('headers' in spec && Object.entries(spec.headers)).toEqual([['__proto__', 'a']]);
  });
});

requirement('2.6/tool-prefix-field', () => {
  it.each(['a', 'k8s', 'My_prefix-2'])('accepts %j', (toolPrefix) => {
    expect(serverOf(stdio({ toolPrefix })).spec.toolPrefix).toBe(toolPrefix);
  });
  it.each(['8k', '_a', 'a.b', 'a b', 'é'])('refuses %j', (toolPrefix) => {
    expect(refusalOf(stdio({ toolPrefix }))).toEqual([
      'spec.toolPrefix: must start with a letter and contain only letters, digits, "_" and "-"',
    ]);
  });
  it('refuses the empty prefix', () => {
    expect(refusalOf(stdio({ toolPrefix: '' }))).toEqual(['spec.toolPrefix: must not be empty']);
  });
});

requirement('2.6/family-field', () => {
  it('accepts a family with its argument', () => {
    const family = { name: 'kube-netes_2', instanceArg: 'management_cluster' };
    expect(serverOf(stdio({ family })).spec.family).toEqual(family);
  });
  it('requires name and instanceArg', () => {
    expect(refusalOf(stdio({ family: {} }))).toEqual([
      'spec.family.name: name is required',
      'spec.family.instanceArg: instanceArg is required',
    ]);
  });
  it('refuses a hyphen in instanceArg, which name may have', () => {
    expect(refusalOf(stdio({ family: { name: 'a-b', instanceArg: 'a-b' } }))).toEqual([
      'spec.family.instanceArg: must start with a letter and contain only letters, digits and "_"',
    ]);
  });
  it('refuses a digit at the start of the name', () => {
    expect(refusalOf(stdio({ family: { name: '8k', instanceArg: 'a' } }))).toEqual([
      'spec.family.name: must start with a letter and contain only letters, digits, "_" and "-"',
    ]);
  });
});

const descriptions = (): void => {
  it('accepts 500 characters and refuses 501', () => {
    expect(refusalOf(stdio({ description: 'd'.repeat(500) }))).toEqual([]);
    expect(refusalOf(stdio({ description: 'd'.repeat(501) }))).toEqual([
      'spec.description: must be at most 500 characters',
    ]);
  });
  it('counts characters, not UTF-16 units', () => {
    expect(refusalOf(stdio({ description: '😀'.repeat(500) }))).toEqual([]);
    expect(refusalOf(stdio({ description: '😀'.repeat(501) }))).toEqual([
      'spec.description: must be at most 500 characters',
    ]);
  });
  it('keeps the text, the empty one too', () => {
    expect(serverOf(stdio({ description: '' })).spec.description).toBe('');
    expect('description' in serverOf(stdio()).spec).toBe(false);
  });
};
requirement('2.6/description', descriptions);
requirement('8/server-description', descriptions);

const autoStart = (): void => {
  it('is false unless set', () => {
    expect(serverOf(stdio()).spec.autoStart).toBe(false);
    expect(serverOf(stdio({ autoStart: true })).spec.autoStart).toBe(true);
    expect(serverOf(remote()).spec.autoStart).toBe(false);
  });
  it('refuses the string "true"', () => {
    expect(refusalOf(stdio({ autoStart: 'true' }))).toEqual([
      'spec.autoStart: must be a boolean, not a string',
    ]);
  });
};
requirement('2.6/auto-start-field', autoStart);
requirement('8/server-auto-start', autoStart);

const timeouts = (): void => {
  it('is 30 unless set', () => {
    expect(serverOf(remote()).spec.timeout).toBe(30);
  });
  it.each([1, 300])('accepts %d', (timeout) => {
    expect(serverOf(remote({ timeout })).spec.timeout).toBe(timeout);
  });
  it.each([
    [0, 'must be at least 1'],
    [-5, 'must be at least 1'],
    [301, 'must be at most 300'],
    [1.5, 'must be an integer'],
    [Number.NaN, 'must be an integer'],
    ['30', 'must be an integer, not a string'],
    [null, 'must be an integer, not null'],
  ])('refuses %j: %s', (timeout, reason) => {
    expect(refusalOf(remote({ timeout }))).toEqual([`spec.timeout: ${reason}`]);
  });
};
requirement('2.6/timeout-field', timeouts);
requirement('8/server-timeout', timeouts);

describe('fields that mean nothing for the type', () => {
  it('accepts and drops url of a stdio server and command of a remote one', () => {
    expect('url' in serverOf(stdio({ url: 'https://example.com' })).spec).toBe(false);
    expect('command' in serverOf(remote({ command: 'run' })).spec).toBe(false);
  });
});
