import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseParser } from '../src/response-parser.ts';

interface Read {
  readonly events: string[];
  readonly push: (text: string) => void;
  readonly end: () => void;
  readonly expectResponse: () => void;
}

const reader = (maxHeadBytes = 1_000): Read => {
  const events: string[] = [];
  const add = (kind: string, text: string): void => {
    const last = events.at(-1);
    if (kind === 'data' && last?.startsWith('data ') === true)
      events[events.length - 1] = last + text;
    else events.push(`${kind} ${text}`);
  };
  const parser = new ResponseParser(maxHeadBytes, {
    onHead: ({ status }) => add('head', String(status)),
    onData: (bytes) => add('data', bytes.toString('latin1')),
    onEnd: (isPersistent) => add('end', String(isPersistent)),
  });
  return {
    events,
    push: (text) => parser.push(Buffer.from(text, 'latin1')),
    end: () => parser.end(),
    expectResponse: () => parser.expect(),
  };
};

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc';
const CHUNKED =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nx-t: 1\r\n\r\n';

const bytesOf = (text: string): string[] => Array.from(text);

/** Each response, and what is read of it. */
const RESPONSES: readonly (readonly [string, readonly string[]])[] = [
  [OK, ['head 200', 'data abc', 'end true']],
  [CHUNKED, ['head 200', 'data abc', 'end true']],
  ['HTTP/1.1 204 No\r\n\r\n', ['head 204', 'end true']],
  ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', ['head 200', 'end true']],
  [
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: x\r\n\r\n${OK}`,
    ['head 200', 'data abc', 'end true'],
  ],
  [OK.replace('OK\r\n', 'OK\r\nconnection: close\r\n'), ['head 200', 'data abc', 'end false']],
];

describe('a response', () => {
  it.each(RESPONSES)('is read however it arrives: %j', (text, events) => {
    const cuts = fc.array(fc.nat(text.length), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (given) => {
        const read = reader();
        read.expectResponse();
        const places = [0, ...given.toSorted((a, b) => a - b), text.length];
        for (const [index, from] of places.entries())
          read.push(text.slice(from, places[index + 1] ?? from));
        expect(read.events).toEqual(events);
      }),
    );
  });

  it('ends with the connection when it has no length', () => {
    const read = reader();
    read.expectResponse();
    read.push('HTTP/1.1 200 OK\r\n\r\nab');
    read.push('c');
    expect(read.events).toEqual(['head 200', 'data abc']);
    read.end();
    expect(read.events).toEqual(['head 200', 'data abc', 'end false']);
  });

  it('follows another one on the same connection', () => {
    const read = reader();
    for (const text of [OK, CHUNKED, OK]) {
      read.expectResponse();
      read.push(text);
    }
    expect(read.events.filter((event) => event === 'end true')).toHaveLength(3);
  });

  it.each([OK, CHUNKED, 'HTTP/1.1 204 No\r\n\r\n'])(
    'is the last one of its connection when more bytes follow: %j',
    (text) => {
      const read = reader();
      read.expectResponse();
      read.push(`${text}${OK}`);
      expect(read.events.at(-1)).toBe('end false');
      expect(read.events.filter((event) => event.startsWith('head'))).toHaveLength(1);
    },
  );

  it.each([
    ['that nobody asked for', undefined, OK, 'it was not asked for'],
    [
      'with a long head',
      60,
      `HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(60)}\r\n\r\n`,
      'its head is too long',
    ],
    [
      'with an endless head',
      60,
      `HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(90)}`,
      'its head is too long',
    ],
    [
      'with another protocol',
      60,
      'HTTP/1.1 101 Switch\r\n\r\n',
      'it changes to a protocol that was not asked for',
    ],
    [
      'with many interim ones',
      60,
      'HTTP/1.1 100 Go\r\n\r\n'.repeat(17),
      'it has too many interim responses',
    ],
    ['with a chunk without a size', 60, CHUNKED.replace('2;x=y', 'zz'), 'a chunk has no size'],
    ['with a negative size', 60, CHUNKED.replace('2;x=y', '-2'), 'a chunk has no size'],
    ['with a long chunk', 60, CHUNKED.replace('ab', 'abc'), 'a chunk is longer than its size'],
    [
      'with line feeds alone',
      60,
      CHUNKED.replace('2;x=y\r\n', '2\n'),
      'a line of its chunks does not end with CRLF',
    ],
    [
      'with a long size',
      60,
      CHUNKED.replace('x=y', 'x'.repeat(5_000)),
      'a line of its chunks is too long',
    ],
    [
      'with long trailers',
      60,
      CHUNKED.replace('x-t: 1', `x: ${'y'.repeat(90)}\r\n`.repeat(50)),
      'its trailers are too long',
    ],
  ])('%s is refused, in one part and byte by byte', (_what, maxHeadBytes, text, problem) => {
    for (const parts of [[text], bytesOf(text)]) {
      const read = reader(maxHeadBytes);
      if (maxHeadBytes !== undefined) read.expectResponse();
      expect(() => parts.forEach((part) => read.push(part))).toThrow(
        `the response is not valid HTTP: ${problem}`,
      );
    }
  });

  it('with a head of the maximum size is read', () => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx-a: ${'b'.repeat(60)}`;
    for (const parts of [
      [`${head}\r\n\r\n`],
      [...bytesOf(head), '\r\n\r\n'],
      [head, '\r', '\n\r\n'],
    ]) {
      const read = reader(head.length);
      read.expectResponse();
      for (const part of parts) read.push(part);
      expect(read.events).toEqual(['head 200', 'end true']);
    }
  });

  it.each(['', 'HTTP/1.1 200', OK.slice(0, -1), CHUNKED.slice(0, -1)])(
    'that ends too early fails: %j',
    (text) => {
      const read = reader();
      read.expectResponse();
      read.push(text);
      expect(() => read.end()).toThrow(
        'the server closed the connection before the end of its answer',
      );
    },
  );
});
