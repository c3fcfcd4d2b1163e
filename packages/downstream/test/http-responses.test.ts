import { describe, expect, it } from 'vitest';
import { openConnections, send, startRaw } from './harness/raw-socket.ts';
import type { Outcome } from './harness/raw-socket.ts';

/** Returns the outcome of a request that is answered with these parts, after which the server ends the connection. */
const outcomeOf = async (parts: readonly string[]): Promise<Outcome> => {
  const { origin } = await startRaw((socket) => {
    void (async () => {
      for (const part of parts)
        await new Promise((resolve) => socket.write(part, 'latin1', resolve));
      socket.end();
    })();
  });
  return send(await openConnections(), origin);
};

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc';
const CHUNKED =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nx-t: 1\r\n\r\n';
const abc = { status: 200, body: 'abc' };
const ENDED = 'the server closed the connection before the end of its answer';

describe('a response', () => {
  it.each<readonly [string, Outcome]>([
    [OK, abc],
    [CHUNKED, abc],
    ['HTTP/1.1 200 OK\r\n\r\nabc', abc],
    ['HTTP/1.0 200 OK\r\ncontent-length: 3\r\n\r\nabc', abc],
    ['HTTP/1.1 204\r\n\r\n', { status: 204, body: '' }],
    ['HTTP/1.1 304 x\r\ncontent-length: 5\r\n\r\n', { status: 304, body: '' }],
    [`HTTP/1.1 103 Early\r\nlink: x\r\n\r\n${OK}`, abc],
    [OK.replace('OK\r\n', 'OK\r\nx-a: b\r\n__proto__: x\r\nconstructor: y\r\n'), abc],
  ])('is read in one part and byte by byte: %j', async (text, outcome) => {
    expect(await outcomeOf([text])).toEqual(outcome);
    expect(await outcomeOf(Array.from(text))).toEqual(outcome);
  });

  it.each(['HTTP/1.1 200', OK.slice(0, -1), CHUNKED.slice(0, -1)])(
    'that ends too early fails: %j',
    async (text) => {
      expect(await outcomeOf([text])).toEqual({ failure: ENDED });
    },
  );

  it.each([
    ['another protocol', 'ICY 200 OK\r\n\r\n'],
    ['no protocol', 'SSH-2.0-x\r\n\r\n'],
    ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a line without a colon', OK.replace('content', 'abc\r\ncontent')],
    ['a blank before the colon', OK.replace('content', 'a : b\r\ncontent')],
    ['a folded line', OK.replace('content', 'a: b\r\n c\r\ncontent')],
    ['a folded first line', OK.replace('content', ' a: b\r\ncontent')],
    ['a line feed alone', OK.replace('OK\r\n', 'OK\na: b\r\n')],
    ['a carriage return alone', OK.replace('OK\r\n', 'OK\r\na: b\rc\r\n')],
    ['a NUL', OK.replace('OK\r\n', 'OK\r\na: b\0\r\n')],
    ['two lengths', OK.replace('OK\r\n', 'OK\r\ncontent-length: 2\r\n')],
    ['a list of lengths', OK.replace('3', '3, 3')],
    ['a signed length', OK.replace('3', '+3')],
    ['a length beyond all numbers', OK.replace('3', '99999999999999999999999')],
    ['chunks and a length', CHUNKED.replace('OK\r\n', 'OK\r\ncontent-length: 1\r\n')],
    ['another protocol of the connection', 'HTTP/1.1 101 Switch\r\nupgrade: x\r\n\r\n'],
    ['a chunk without a size', CHUNKED.replace('2;x=y', 'zz')],
    ['a chunk of a negative size', CHUNKED.replace('2;x=y', '-2')],
    ['a chunk that is longer than its size', CHUNKED.replace('ab', 'abc')],
    ['a chunk with line feeds alone', CHUNKED.replace('2;x=y\r\n', '2\n')],
    ['a head that is too long', OK.replace('OK\r\n', `OK\r\nx-a: ${'b'.repeat(17_000)}\r\n`)],
    ['a head without an end', `HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(17_000)}`],
    ['trailers that are too long', CHUNKED.replace('x-t: 1', `x-t: ${'b'.repeat(17_000)}`)],
  ])('with %s fails, in one part and byte by byte', async (_what, text) => {
    const failure = expect.stringMatching(/^the response is not valid HTTP: /u) as string;
    expect(await outcomeOf([text])).toEqual({ failure });
    if (text.length < 1_000) expect(await outcomeOf(Array.from(text))).toEqual({ failure });
  });
});
