import { describe, expect, it } from 'vitest';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { DownstreamOptions } from '../src/index.ts';
import { eventually, failed } from './harness/downstream.ts';
import { answerOf, call, connected, fine, once } from './harness/http-connection.ts';
import type { Answer } from './harness/http-connection.ts';
import { EVENTS, JSON_TYPE } from './harness/raw-http.ts';

/** Returns the outcome of a call with this answer. The next call gets a valid answer. */
const outcomeOf = async (answer: Answer, options: Partial<DownstreamOptions> = {}) => {
  const { raw, downstream } = await connected({}, options);
  once(raw, answer);
  const outcome = await downstream.callTool(call);
  expect(await downstream.callTool(call)).toEqual(fine);
  return outcome;
};

const lost = (reason: string) => failed('server.connection-lost', { reason });
const invalid = (reason: string) => failed('response.invalid', { reason });
const CLOSED = 'the server closed the connection before the end of its answer';
const INCOMPLETE = 'the answer ended before it was complete';
const HANG = { server: 'raw', tool: 'hang' };

describe('an interrupted HTTP answer', () => {
  it.each([
    ['of JSON', { ...JSON_TYPE, 'content-length': '1000' }, '{"jsonrpc":"2.0","id"'],
    ['of an event', EVENTS, 'data: {"jso'],
    ['behind a field', EVENTS, 'event: message\n'],
    ['behind a comment', EVENTS, ': nothing yet\n\n'],
  ])('fails the call once in the middle %s', async (_what, headers, text) => {
    const outcome = await outcomeOf((_id, response) => {
      response.writeHead(200, headers).write(text);
      setTimeout(() => response.destroy(), 20);
    });
    expect(outcome).toEqual(lost(CLOSED));
  });

  it('fails the call when the events end without an answer', async () => {
    const outcome = await outcomeOf((_id, response) => {
      response.writeHead(200, EVENTS).end('data: {"jsonrpc":"2.0","method":"x"}\n\n');
    });
    expect(outcome).toEqual(lost(INCOMPLETE));
  });

  it.each([
    ['with its id while the stream stays open', false, (id: number) => `"id":${id},`, 34],
    ['without its id when the stream ends', true, () => '', 18],
  ])('fails the call when an event is not JSON: %s', async (_what, isEnded, formatId, byte) => {
    const outcome = await outcomeOf((id, response) => {
      response.writeHead(200, EVENTS).write(`data: {${formatId(id)}"result":{"mean":NaN}}\n\n`);
      if (isEnded) response.end();
    });
    const reason = `the answer is not JSON: unexpected character at byte ${byte}`;
    expect(outcome).toEqual(invalid(reason));
  });

  it('is fetched again from behind the last event, when there is one with an id', async () => {
    const { raw, downstream } = await connected();
    const asked: (string | string[] | undefined)[] = [];
    once(raw, (id, response) => {
      raw.setIntercept((request, resumed) => {
        if (request.method !== 'GET') return false;
        asked.push(request.headers['last-event-id']);
        resumed.writeHead(200, EVENTS);
        resumed.end(asked.length < 3 ? '' : `id: e2\ndata: ${answerOf(id)}\n\n`);
        return true;
      });
      response.writeHead(200, EVENTS).end('retry: 60\nid: e1\ndata:\n\n');
    });
    const began = performance.now();
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 60 - 5);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(asked).toEqual(['e1', 'e1', 'e1']);
  });

  it('fails the call when the server cannot go on with it', async () => {
    const { raw, downstream } = await connected();
    once(raw, (_id, response) => {
      response.writeHead(200, EVENTS).end('retry: 50\nid: e1\ndata:\n\n');
    });
    expect(await downstream.callTool(call)).toEqual(lost('HTTP 405'));
  });
});

describe('an answer to something else', () => {
  it.each([
    ['no id', '{"jsonrpc":"2.0","result":{}}', 'a JSON-RPC answer without "id"'],
    ['nothing in it', '{"jsonrpc":"2.0"}', 'a value that is no JSON-RPC message'],
    ['no object', '7', 'a value that is no JSON-RPC message'],
  ])('is refused: %s', async (_what, text, problem) => {
    const outcome = await outcomeOf((_id, response) => {
      response.writeHead(200, JSON_TYPE).end(text);
    });
    expect(outcome).toEqual(invalid(`tools/call was answered with ${problem}`));
    const streamed = await outcomeOf((_id, response) => {
      response.writeHead(200, EVENTS).end(`data: ${text}\n\n`);
    });
    expect(streamed).toEqual(lost(INCOMPLETE));
  });

  it.each([
    ['JSON', JSON_TYPE, (text: string) => text],
    ['events', EVENTS, (text: string) => `data: ${text}\n\n`],
  ])('ends the call when no request had its id: %s', async (_what, type, body) => {
    const outcome = await outcomeOf((_id, response) => {
      response.writeHead(200, type).end(body('{"jsonrpc":"2.0","id":7000000000,"result":{}}'));
    });
    const reason = 'the server answered a request that was not sent (id 7000000000)';
    expect(outcome).toEqual(invalid(reason));
  });

  it('is left out when the right one follows, and so is a second one', async () => {
    const outcome = await outcomeOf((id, response) => {
      const wrong = JSON.stringify({ jsonrpc: '2.0', result: { wrong: 1 } });
      const second = JSON.stringify({ jsonrpc: '2.0', id, result: { second: 1 } });
      response.writeHead(200, EVENTS);
      response.end([wrong, answerOf(id), second].map((text) => `data: ${text}\n\n`).join(''));
    });
    expect(outcome).toEqual(fine);
  });

  it('is found in a batch', async () => {
    const outcome = await outcomeOf((id, response) => {
      const notice = '{"jsonrpc":"2.0","method":"notifications/x"}';
      response.writeHead(200, JSON_TYPE).end(`[${notice},${answerOf(id)}]`);
    });
    expect(outcome).toEqual(fine);
  });

  it.each([200, 400])('may be an error that names no request, with HTTP %i', async (status) => {
    const outcome = await outcomeOf((_id, response) => {
      const text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"odd"}}';
      response.writeHead(status, JSON_TYPE).end(text);
    });
    expect(outcome).toEqual(failed('request.refused', { rpcCode: -32600, message: 'odd' }));
  });

  it('is none when it comes after the deadline', async () => {
    const { raw, downstream } = await connected({}, { timeouts: { requestMs: 100 } });
    once(raw, (id, response) => {
      setTimeout(() => response.writeHead(200, JSON_TYPE).end(answerOf(id)), 300);
    });
    expect(await downstream.callTool(call)).toMatchObject({ error: { code: 'request.timeout' } });
    expect(await downstream.callTool(call)).toEqual(fine);
  });
});

describe('an invalid body', () => {
  it.each([
    ['application/json', '<html>'],
    ['application/json', '{"jsonrpc":"1.0"}'],
    ['text/html', 'hello'],
  ])('of type %s is refused: %s', async (type, body) => {
    const outcome = await outcomeOf((_id, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    expect(outcome).toMatchObject({ error: { code: 'response.invalid' } });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('is read although %s was not requested', async (coding, compress) => {
    for (const type of [JSON_TYPE, EVENTS]) {
      const outcome = await outcomeOf((id, response, request) => {
        expect(request.headers['accept-encoding']).toBe('identity');
        const text = type === EVENTS ? `data: ${answerOf(id)}\n\n` : answerOf(id);
        response.writeHead(200, { ...type, 'content-encoding': coding }).end(compress(text));
      });
      expect(outcome).toEqual(fine);
    }
  });

  it('is bounded by what comes out of it', async () => {
    const answer: Answer = (_id, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(50_000_000, 0x20)));
    };
    const outcome = await outcomeOf(answer, { bounds: { maxMessageBytes: 100_000 } });
    expect(outcome).toEqual(invalid('a message is larger than 100000 bytes'));
  });

  it.each([
    ['zip', 'it is encoded as "zip"'],
    ['gzip', 'it cannot be decoded: incorrect header check'],
  ])('is refused in a coding that cannot be read: %s', async (coding, reason) => {
    const outcome = await outcomeOf((id, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': coding }).end(answerOf(id));
    });
    expect(outcome).toEqual(invalid(reason));
  });

  it('has U+FFFD for what is no UTF-8, and the same in the text that is handed on', async () => {
    const outcome = await outcomeOf((id, response) => {
      response.writeHead(200, JSON_TYPE).write(`\ufeff{"jsonrpc":"2.0","id":${id},"result":{"a":"`);
      response.end(Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('"}}')]));
    });
    expect(outcome).toEqual({ ok: true, result: { a: '\ufffd\ufffd' } });
  });

  it.each([false, true])('is bounded (events: %s)', async (events) => {
    const { downstream } = await connected({ events }, { bounds: { maxMessageBytes: 100_000 } });
    const ask = (bytes: number) =>
      downstream.callTool({ server: 'raw', tool: 'big', arguments: { bytes } });
    expect((await ask(99_000)).ok).toBe(true);
    const code = events ? 'server.connection-lost' : 'response.invalid';
    expect(await ask(101_000)).toMatchObject({ error: { code } });
    expect(await downstream.callTool(call)).toEqual(fine);
  });
});

describe('a slow server', () => {
  const drip = (response: ServerResponse, text: string, everyMs: number): void => {
    let at = 0;
    const timer = setInterval(() => {
      response.write(text.slice(at, at + 1));
      at += 1;
      if (at === text.length) response.end();
      if (at >= text.length || response.destroyed) clearInterval(timer);
    }, everyMs);
  };

  it('that still sends behind the deadline is given up, and its stream is closed', async () => {
    const { raw, downstream } = await connected({}, { timeouts: { requestMs: 1_000 } });
    let closed = false;
    once(raw, (_id, response) => {
      response.on('close', () => (closed = true));
      drip(response.writeHead(200, EVENTS), ' '.repeat(10_000), 5);
    });
    expect(await downstream.callTool(call)).toEqual(
      failed('request.timeout', { timeoutMs: 1_000 }),
    );
    await eventually('the stream is closed', () => closed);
    expect(await downstream.callTool(call)).toEqual(fine);
  });
});

it('calls that wait for a connection fail at once when the server goes away', async () => {
  const { raw, downstream } = await connected({}, { bounds: { maxConnectionsPerServer: 1 } });
  const calls = Array.from({ length: 5 }, () => downstream.callTool(HANG));
  await eventually('one of them arrived', () => raw.count('tools/call') > 0);
  await raw.close();
  for (const outcome of await Promise.all(calls))
    expect(outcome).toMatchObject({ error: { code: 'server.connection-lost' } });
});

describe('a cancelled call', () => {
  it('closes its connection, notifies a 2025 server, and does not affect others', async () => {
    const { raw, downstream } = await connected({ events: true });
    const other = downstream.callTool(HANG);
    await eventually('the other one arrived', () => raw.count('tools/call') === 1);
    let closed = false;
    raw.setIntercept((request, response) => {
      if (request.method !== 'POST') return false;
      raw.setIntercept(undefined);
      response.on('close', () => (closed = true));
      return false;
    });
    const controller = new AbortController();
    const cancelled = downstream.callTool(HANG, { signal: controller.signal });
    await eventually('both arrived', () => raw.count('tools/call') === 2);
    controller.abort();
    expect(await cancelled).toEqual(failed('request.cancelled'));
    await eventually('its connection is closed', () => closed);
    await eventually('the server was told', () => raw.count('notifications/cancelled') > 0);
    expect(await downstream.callTool(call)).toEqual(fine);
    await raw.close();
    expect((await other).ok).toBe(false);
  });

  it('may have a signal that is created on first access', async () => {
    const { downstream } = await connected();
    const controller = new AbortController();
    let made = 0;
    const options = {
      get signal() {
        made += 1;
        return controller.signal;
      },
    };
    expect(await downstream.callTool(call, options)).toEqual(fine);
    expect(made).toBe(0);
    const hanging = downstream.callTool(HANG, options);
    await eventually('it is looked at', () => made > 0);
    controller.abort();
    expect(await hanging).toEqual(failed('request.cancelled'));
  });
});
