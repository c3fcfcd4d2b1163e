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
