import { RawObject } from '@gateway/mcp-wire';
import { describe, expect, it } from 'vitest';
import { eventually, testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { call, connected, EVENTS, fine, JSON_TYPE, once } from './harness/http-connection.ts';
import { fixture } from './harness/fixture.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';
import { readOutcome } from '../src/wire/request-outcome.ts';
import { toSdkMessage } from '../src/wire/message-text.ts';

const createInvalidOutcome = (reason: string) => ({
  ok: false,
  error: { code: 'response.invalid', server: 'raw', reason },
});

describe('an answer with one meaning is accepted', () => {
  const result = { fine: 1 };
  it.each<[string, (id: number) => string]>([
    [
      'with "error": null beside the result',
      (id) => JSON.stringify({ jsonrpc: '2.0', id, result, error: null }),
    ],
    [
      'with "method": null beside the result',
      (id) => JSON.stringify({ jsonrpc: '2.0', id, method: null, result }),
    ],
    ['with its id as a text', (id) => JSON.stringify({ jsonrpc: '2.0', id: String(id), result })],
    ['without its version', (id) => JSON.stringify({ id, result })],
    ['with another version', (id) => JSON.stringify({ jsonrpc: '1.0', id, result })],
    ['with a line end behind it', (id) => `${JSON.stringify({ jsonrpc: '2.0', id, result })}\r\n`],
    ['with a mark before it', (id) => `\ufeff${JSON.stringify({ jsonrpc: '2.0', id, result })}`],
    [
      'in a batch with a notification that has an id',
      (id) =>
        JSON.stringify([
          { jsonrpc: '2.0', id: null, method: 'notifications/message', params: {} },
          { jsonrpc: '2.0', id, result },
        ]),
    ],
  ])('%s', async (_how, text) => {
    const { raw, downstream } = await connected();
    once(raw, (id, response) => response.writeHead(200, JSON_TYPE).end(text(id)));
    expect(await downstream.callTool(call)).toMatchObject({ ok: true, result });
    once(raw, (id, response) =>
      response.writeHead(200, EVENTS).end(`data: ${text(id).trimEnd()}\n\n`),
    );
    expect(await downstream.callTool(call)).toMatchObject({ ok: true, result });
  });

  it.each<[string, unknown, { readonly rpcCode: number; readonly message: string }]>([
    [
      'without a message',
      { code: -32_000 },
      { rpcCode: -32_000, message: 'the error has no "message"' },
    ],
    [
      'with a code as a text',
      { code: '-32000', message: 'no' },
      { rpcCode: -32_000, message: 'no' },
    ],
    [
      'with a code of another kind',
      { code: 1.5, message: 'no' },
      { rpcCode: -32_603, message: 'no' },
    ],
    ['without a code', { message: 'no' }, { rpcCode: -32_603, message: 'no' }],
    ['that is a text', 'no', { rpcCode: -32_603, message: 'no' }],
  ])('an error %s', async (_how, error, shown) => {
    const { raw, downstream } = await connected();
    once(raw, (id, response) =>
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, error })),
    );
    expect(await downstream.callTool(call)).toEqual({
      ok: false,
      error: { code: 'request.refused', server: 'raw', ...shown },
    });
  });

  it.each([null, 'pong', true, [], undefined])('to a request without a result: %j', (result) => {
    expect(readOutcome({ id: 1, result }, 'ping')).toEqual({ ok: true, result: {} });
    expect(readOutcome({ id: 1, result }, 'resources/subscribe')).toEqual({
      ok: true,
      result: {},
    });
  });
});

it.each([
  ['{"_meta":null,"fine":1}', '{"_meta":{},"fine":1}'],
  [
    '{"content":[],"isError": null ,"big":7960607143101464576}',
    '{"content":[],"isError": false ,"big":7960607143101464576}',
  ],
  [
    '{"content":null,"structuredContent":null,"own":null}',
    '{"content":[],"structuredContent":null,"own":null}',
  ],
  ['{"messages":[],"description":null}', '{"messages":[],"description":""}'],
])('a member that is null in a result counts as absent: %s', async (sent, received) => {
  const { raw, downstream } = await connected();
  once(raw, (id, response) =>
    response.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${id},"result":${sent}}`),
  );
  const outcome = await downstream.callTool(call);
  expect(outcome.ok && outcome.result instanceof RawObject && outcome.result.text).toBe(received);
});

describe('any other answer is refused with its member and its method', () => {
  it.each<[string, object, string]>([
    ['null', { result: null }, 'tools/call was answered with "result": null'],
    ['a text', { result: 'x' }, 'tools/call was answered with a "result" that is not an object'],
    ['a list', { result: [] }, 'tools/call was answered with a "result" that is not an object'],
    ['nothing', {}, 'tools/call was answered without "result" and without "error"'],
    ['two nulls', { result: null, error: null }, 'tools/call was answered with "result": null'],
    [
      'an error that is a number',
      { error: 7 },
      'tools/call was answered with an "error" that is not an object',
    ],
  ])('%s', async (_what, members, reason) => {
    const { raw, downstream } = await connected();
    once(raw, (id, response) =>
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, ...members })),
    );
    expect(await downstream.callTool(call)).toEqual(createInvalidOutcome(reason));
  });
});

describe('a handshake', () => {
  const info = { name: 'raw', version: '1.2.3' };
  const tools = { listChanged: true };
  it.each<[string, Record<string, unknown>, { readonly version?: string }]>([
    ['_meta: null', { _meta: null }, {}],
    ['instructions: null', { instructions: null }, {}],
    ['instructions of another type', { instructions: 7 }, {}],
    ['capabilities with null', { capabilities: { tools, prompts: null, logging: null } }, {}],
    ['capabilities with null inside', { capabilities: { tools: { listChanged: null } } }, {}],
    ['capabilities with true', { capabilities: { tools: true, prompts: false } }, {}],
    ['an unknown capability of another type', { capabilities: { tools, extras: 1 } }, {}],
    ['serverInfo without a version', { serverInfo: { name: 'raw' } }, {}],
    ['serverInfo with null', { serverInfo: { ...info, title: null, icons: null } }, {}],
    ['serverInfo: null', { serverInfo: null }, {}],
    ['no serverInfo', { serverInfo: undefined }, {}],
    ['no protocolVersion', { protocolVersion: undefined }, {}],
    ['protocolVersion: null', { protocolVersion: null }, {}],
  ])('with %s succeeds', async (_what, members) => {
    const http = await startRawHttp({
      methods: {
        initialize: ({ protocolVersion }: { protocolVersion: string }) => ({
          protocolVersion,
          capabilities: { tools },
          serverInfo: info,
          ...members,
        }),
      },
    });
    const { downstream } = testDownstream();
    downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Connected', toolsCount: 3 });
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it.each<[unknown, string]>([
    [null, 'initialize was answered with a "result" that is not an object'],
    ['x', 'initialize was answered with a "result" that is not an object'],
    [
      { protocolVersion: 7, capabilities: {}, serverInfo: info },
      'initialize was answered with a "protocolVersion" that is not a text',
    ],
  ])('with the result %j fails with a reason', async (result, reason) => {
    const http = await startRawHttp({ methods: { initialize: () => result } });
    const { downstream } = testDownstream();
    downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Failed', reason });
  });
});

it('accepts a stdio server that writes batches, ids as texts and no version', async () => {
  const { downstream } = testDownstream();
  downstream.apply([
    defineServer('raw', {
      type: 'stdio',
      command: process.execPath,
      args: [fixture('lenient-stdio.mjs')],
    }),
  ]);
  await untilState(downstream, 'raw', 'Running');
  expect(await downstream.callTool(call)).toMatchObject({ ok: true, result: { fine: 1 } });
  expect(viewOf(downstream, 'raw').toolsCount).toBe(1);
});

it('gives the client of the SDK messages that its schemas accept', () => {
  expect(toSdkMessage({ id: '3', result: {}, error: null }, 'ping')).toEqual({
    jsonrpc: '2.0',
    id: 3,
    result: {},
  });
  expect(toSdkMessage({ method: 'notifications/x', id: null, params: { _meta: null } })).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/x',
    params: {},
  });
});

describe('an HTTP server that does not know "server/discover"', () => {
  it('and is silent about it is asked to initialize', async () => {
    const http = await startRawHttp();
    http.setIntercept((request) => request.headers['mcp-method'] === 'server/discover');
    const { downstream } = testDownstream({ timeouts: { eraProbeMs: 50 } });
    downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
    await untilState(downstream, 'raw', 'Connected');
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it('and is silent about it, and refuses initialize, fails with the words of the refusal', async () => {
    const http = await startRawHttp();
    http.setIntercept((request, response) => {
      if (request.headers['mcp-method'] !== 'server/discover')
        response.writeHead(500).end('the database is down');
      return true;
    });
    const { downstream } = testDownstream({ timeouts: { eraProbeMs: 50 } });
    downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url, timeout: 1 })]);
    await eventually('it failed', () => viewOf(downstream, 'raw').state === 'Failed');
    expect(viewOf(downstream, 'raw').reason).toBe(
      'not ready within 1 s: "server/discover" is not answered, and "initialize" was refused: HTTP 500: the database is down',
    );
  });

  it('and refuses it without its id gets one initialize', async () => {
    const http = await startRawHttp();
    const error = { code: -32_000, message: 'Bad Request: Server not initialized' };
    http.setIntercept((request, response) => {
      if (request.headers['mcp-method'] !== 'server/discover') return false;
      response.writeHead(400, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
      return true;
    });
    const { downstream } = testDownstream({
      timeouts: { eraProbeMs: 50, healthIntervalMs: 100 },
    });
    downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
    const count = (method: string): number =>
      http.mcp.seen.filter((message) => message.method === method).length;
    await eventually('two checks ended', () => count('ping') > 1);
    expect(viewOf(downstream, 'raw').state).toBe('Connected');
    expect(count('initialize')).toBe(1);
  });

  it('and resets its connection fails with the remedy', async () => {
    const http = await startRawHttp();
    http.setIntercept((request, response) => {
      if (request.headers['mcp-method'] !== 'server/discover') return false;
      response.socket?.resetAndDestroy();
      return true;
    });
    const { downstream } = testDownstream();
    downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
    await eventually('it failed', () => viewOf(downstream, 'raw').state === 'Failed');
    expect(viewOf(downstream, 'raw').reason).toMatch(
      / after "server\/discover"; if the server supports only the 2025 revisions, set spec\.protocol to 2025-11-25$/,
    );
    downstream.apply([
      defineServer('raw', { type: 'streamable-http', url: http.url, protocol: '2025-11-25' }),
    ]);
    await untilState(downstream, 'raw', 'Connected');
  });

  it('and has the wrong revision in spec.protocol fails with the remedy', async () => {
    const http = await startRawHttp();
    const { downstream } = testDownstream();
    downstream.apply([
      defineServer('raw', { type: 'streamable-http', url: http.url, protocol: '2026-07-28' }),
    ]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw').reason).toMatch(
      /; spec\.protocol names 2026-07-28, which the server may not support$/,
    );
  });
});
