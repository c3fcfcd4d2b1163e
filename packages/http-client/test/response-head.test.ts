import { describe, expect, it } from 'vitest';
import { parseResponseHead } from '../src/response-head.ts';

const framingOf = (...lines: string[]) =>
  parseResponseHead(['HTTP/1.1 200 OK', ...lines].join('\r\n')).framing;

describe('the head of a response', () => {
  it('has its status and the first header of each name, in any case', () => {
    const head = parseResponseHead('HTTP/1.1 401 No\r\nWWW-Authenticate: a\r\nwww-authenticate: b');
    expect(head.status).toBe(401);
    expect(head.header('www-authenticate')).toBe('a');
    expect(head.header('x-other')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString'])('has no header %s by inheritance', (name) => {
    expect(parseResponseHead('HTTP/1.1 200 OK').header(name.toLowerCase())).toBeUndefined();
    const head = parseResponseHead(`HTTP/1.1 200 OK\r\n${name}: x`);
    expect(head.header(name.toLowerCase())).toBe('x');
  });

  it('needs no reason, and removes blanks around a value', () => {
    const head = parseResponseHead('HTTP/1.1 204\r\nx-a:  b\t');
    expect(head.status).toBe(204);
    expect(head.header('x-a')).toBe('b');
  });

  it('joins a folded line with a blank', () => {
    expect(parseResponseHead('HTTP/1.1 200 OK\r\nx-a: b\r\n  c').header('x-a')).toBe('b c');
  });

  it.each([
    [['content-length: 12'], { kind: 'length', bytes: 12 }],
    [['transfer-encoding: Chunked'], { kind: 'chunked' }],
    [[], { kind: 'connection' }],
  ])('finds the end of the body by %j', (lines, framing) => {
    expect(framingOf(...lines)).toEqual(framing);
  });

  it.each([204, 304, 103])('has no body with status %i', (status) => {
    const { framing } = parseResponseHead(`HTTP/1.1 ${status} x\r\ncontent-length: 5`);
    expect(framing).toEqual({ kind: 'none' });
  });

  it.each([
    ['HTTP/1.1 200 OK\r\ncontent-length: 2', true],
    ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\nConnection: Close', false],
    ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: x, close', false],
    ['HTTP/1.1 200 OK', false],
    ['HTTP/1.0 200 OK\r\ncontent-length: 2', false],
    ['HTTP/1.0 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive', true],
  ])('says whether the connection can be used again: %j', (text, isPersistent) => {
    expect(parseResponseHead(text).isPersistent).toBe(isPersistent);
  });

  it.each([
    ['timeout=5', 5_000],
    ['max=100, timeout=30', 30_000],
    ['max=100', undefined],
    ['timeout=99999999', undefined],
  ])('reads the time of keep-alive: %j', (value, ms) => {
    expect(parseResponseHead(`HTTP/1.1 200 OK\r\nkeep-alive: ${value}`).keepAliveMs).toBe(ms);
  });

  it.each([
    ['another protocol', 'ICY 200 OK', 'it has no status line'],
    ['HTTP/2', 'HTTP/2 200 OK', 'it has no status line'],
    ['a status of two digits', 'HTTP/1.1 20 OK', 'it has no status line'],
    ['a status of four digits', 'HTTP/1.1 2000 OK', 'it has no status line'],
    ['a line without a colon', 'HTTP/1.1 200 OK\r\nabc', 'a header line has no name'],
    ['a blank before the colon', 'HTTP/1.1 200 OK\r\na : b', 'a header line has no name'],
    ['a folded first line', 'HTTP/1.1 200 OK\r\n a: b', 'a header line has no name'],
    [
      'a line feed alone',
      'HTTP/1.1 200 OK\na: b',
      'its head has a character that HTTP does not allow',
    ],
    [
      'a carriage return alone',
      'HTTP/1.1 200 OK\r\na: b\rc',
      'its head has a character that HTTP does not allow',
    ],
    ['a NUL', 'HTTP/1.1 200 OK\r\na: b\0', 'its head has a character that HTTP does not allow'],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2',
      'its length is not one number',
    ],
    [
      'a list of lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1, 1',
      'its length is not one number',
    ],
    ['a signed length', 'HTTP/1.1 200 OK\r\ncontent-length: +1', 'its length is not one number'],
    [
      'a length beyond exact numbers',
      'HTTP/1.1 200 OK\r\ncontent-length: 9999999999999999',
      'its length is not one number',
    ],
    [
      'chunks and a length',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 1',
      'its transfer coding is not "chunked" alone',
    ],
    [
      'another coding',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked',
      'its transfer coding is not "chunked" alone',
    ],
    [
      'an empty coding',
      'HTTP/1.1 200 OK\r\ntransfer-encoding:',
      'its transfer coding is not "chunked" alone',
    ],
    [
      'chunks in HTTP/1.0',
      'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked',
      'its transfer coding is not "chunked" alone',
    ],
  ])('refuses %s', (_what, text, problem) => {
    expect(() => parseResponseHead(text)).toThrow(
      expect.objectContaining({
        code: 'invalid-response',
        message: `the response is not valid HTTP: ${problem}`,
      }),
    );
  });
});
