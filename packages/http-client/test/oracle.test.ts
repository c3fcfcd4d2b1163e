import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Agent } from 'undici';
import { poolOf, POST, send, startRaw } from './raw-server.ts';

/** The answer of undici: its status and body, or a failure. */
const sendByUndici = async (agent: Agent, origin: string) => {
  try {
    const { path, body = null } = POST;
    const answer = await agent.request({ origin, path, method: 'POST', body });
    return { status: answer.statusCode, body: await answer.body.text() };
  } catch {
    return 'failure';
  }
};

const text = fc.string({ unit: fc.constantFrom('a', '{', ' ', '\r\n', '\n', ':', '0', '5', 'é') });
const headerLine = fc.oneof(
  fc.constantFrom(
    'content-length: 5',
    'content-length: 0',
    'Content-Length: 12',
    'content-length: x',
  ),
  fc.constantFrom('transfer-encoding: chunked', 'Transfer-Encoding: Chunked', 'connection: close'),
  fc.constantFrom('keep-alive: timeout=5', 'x-a: b', 'x-a:', 'content-type: application/json'),
  fc.constantFrom('x a: b', ': b', 'x-a : b', 'x-a: b\0', 'date: today'),
);
const chunked = fc
  .array(fc.constantFrom('a', 'ab', 'abcdefghijklmnop'), { maxLength: 4 })
  .map((parts) =>
    [...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join(''),
  );
const status = fc.constantFrom(
  'HTTP/1.1 200 OK',
  'HTTP/1.1 404',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 99 No',
);
// undici refuses 100 (Continue), which RFC 9110 §15.2 allows at any time.
const interim = fc.constantFrom('', '', '', 'HTTP/1.1 103 Early\r\nlink: a\r\n\r\n');
const response = fc
  .record({
    interim,
    status,
    lines: fc.array(headerLine, { maxLength: 4 }),
    body: fc.oneof(text, chunked),
  })
  .map((made) => `${made.interim}${[made.status, ...made.lines].join('\r\n')}\r\n\r\n${made.body}`);

const withHeader = (line: string, body = 'ok'): string =>
  `HTTP/1.1 200 OK\r\n${line}\r\n\r\n${body}`;
const withChunks = (body: string): string => withHeader('transfer-encoding: chunked', body);

describe('a response that two readers could understand in two ways', () => {
  it.each([
    withHeader('content-length: 2\u00a0'),
    withHeader('content-length:\r\n 2'),
    withHeader('transfer-encoding: chunked\u00a0', '2\r\nok\r\n0\r\n\r\n'),
    withHeader('transfer-encoding: \u00a0chunked', '2\r\nok\r\n0\r\n\r\n'),
    withHeader('transfer-encoding: ,chunked,', '2\r\nok\r\n0\r\n\r\n'),
    'HTTP/1.1 204 No\r\ncontent-length: x\r\n\r\n',
    withChunks('2 \r\nok\r\n0\r\n\r\n'),
    withChunks('2 ;a\r\nok\r\n0\r\n\r\n'),
    withChunks('2;\r\nok\r\n0\r\n\r\n'),
    withChunks('2;a\0b\r\nok\r\n0\r\n\r\n'),
    withChunks('2\r\nok\r\n0\r\nno trailer\r\n\r\n'),
    withChunks('2\r\nok\r\n0\r\na: b\rc\r\n\r\n'),
  ])('is refused: %j', async (bytes) => {
    const { origin } = await startRaw((socket) => socket.end(bytes, 'latin1'));
    expect(await send(poolOf(origin))).toEqual({
      failure: expect.stringMatching(/^invalid-response: /u) as string,
    });
  });

  it.each([
    withChunks('2;a\r\nok\r\n0\r\n\r\n'),
    withChunks('2;a=b;c="d e"\r\nok\r\n0;z\r\n\r\n'),
    withChunks('2\r\nok\r\n0\r\nx-sum: 1 2\r\n\r\n'),
    withHeader('content-length:  2 '),
  ])('is accepted when undici reads the same: %j', async (bytes) => {
    const { origin } = await startRaw((socket) => socket.end(bytes, 'latin1'));
    const agent = new Agent();
    const ok = { status: 200, body: 'ok' };
    expect(await send(poolOf(origin))).toEqual(ok);
    expect(await sendByUndici(agent, origin)).toEqual(ok);
    await agent.destroy();
  });
});

describe('the response of a server', () => {
  it('is accepted only if undici accepts it, and has the same status and body', async () => {
    let bytes = '';
    const { origin } = await startRaw((socket) => socket.end(bytes, 'latin1'));
    const agent = new Agent({ pipelining: 0 });
    const accepted: unknown[] = [];
    await fc.assert(
      fc.asyncProperty(response, async (given) => {
        bytes = given;
        const outcome = await send(poolOf(origin));
        if ('failure' in outcome) return;
        accepted.push(outcome);
        expect(outcome).toEqual(await sendByUndici(agent, origin));
      }),
      { numRuns: 400 },
    );
    await agent.destroy();
    expect(accepted.length).toBeGreaterThan(20);
  });
});
