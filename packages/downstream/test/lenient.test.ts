import { RawObject } from '@gateway/mcp-wire';
import { describe, expect, it } from 'vitest';
import {
  eventually,
  failed,
  running,
  testDownstream,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { call, connected, fine, once, remote } from './harness/http-connection.ts';
import { EVENTS, JSON_TYPE, respond, startRawHttp } from './harness/raw-http.ts';
import { stdioFixture } from './harness/servers.ts';
import { readOutcome } from '../src/wire/request-outcome.ts';
import { toSdkMessage } from '../src/wire/message-text.ts';

/** Returns the outcome of a call that is answered with this JSON text. */
const outcomeOf = async (text: (id: number) => string, type = JSON_TYPE) => {
  const { raw, downstream } = await connected();
  once(raw, (id, response) => response.writeHead(200, type).end(text(id)));
  return downstream.callTool(call);
};

describe('an answer with one meaning is accepted', () => {
  const result = { fine: 1 };
  const json = JSON.stringify;
  const notice = { jsonrpc: '2.0', id: null, method: 'notifications/message', params: {} };
  it.each<[string, (id: number) => string]>([
    ['with a null error', (id) => json({ jsonrpc: '2.0', id, result, error: null })],
    ['with a null method', (id) => json({ jsonrpc: '2.0', id, method: null, result })],
    ['with its id as a text', (id) => json({ jsonrpc: '2.0', id: String(id), result })],
    ['without its version', (id) => json({ id, result })],
    ['with another version', (id) => json({ jsonrpc: '1.0', id, result })],
    ['with a line end behind it', (id) => `${json({ jsonrpc: '2.0', id, result })}\r\n`],
    ['with a mark before it', (id) => `\ufeff${json({ jsonrpc: '2.0', id, result })}`],
    [
      'in a batch with a notification that has an id',
      (id) => json([notice, { jsonrpc: '2.0', id, result }]),
    ],
  ])('%s', async (_how, text) => {
    expect(await outcomeOf(text)).toEqual(fine);
    expect(await outcomeOf((id) => `data: ${text(id).trimEnd()}\n\n`, EVENTS)).toEqual(fine);
  });

  it.each<[string, unknown, number, string]>([
    ['without a message', { code: -32_000 }, -32_000, 'the error has no "message"'],
    ['with a code as a text', { code: '-32000', message: 'no' }, -32_000, 'no'],
    ['with a code of another kind', { code: 1.5, message: 'no' }, -32_603, 'no'],
    ['without a code', { message: 'no' }, -32_603, 'no'],
    ['that is a text', 'no', -32_603, 'no'],
  ])('an error %s', async (_how, error, rpcCode, message) => {
    expect(await outcomeOf((id) => json({ jsonrpc: '2.0', id, error }))).toEqual(
      failed('request.refused', { rpcCode, message }),
    );
  });

  it.each([null, 'pong', true, [], undefined])('to a request without a result: %j', (result) => {
    for (const method of ['ping', 'resources/subscribe'])
      expect(readOutcome({ id: 1, result }, method)).toEqual({ ok: true, result: {} });
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
  const outcome = await outcomeOf((id) => `{"jsonrpc":"2.0","id":${id},"result":${sent}}`);
  expect(outcome.ok && outcome.result instanceof RawObject && outcome.result.text).toBe(received);
});

it.each<[string, object, string]>([
  ['null', { result: null }, 'with "result": null'],
  ['a text', { result: 'x' }, 'with a "result" that is not an object'],
  ['a list', { result: [] }, 'with a "result" that is not an object'],
  ['nothing', {}, 'without "result" and without "error"'],
  ['two nulls', { result: null, error: null }, 'with "result": null'],
  ['an error that is a number', { error: 7 }, 'with an "error" that is not an object'],
])(
  'any other answer is refused with its member and its method: %s',
  async (_what, members, problem) => {
    expect(await outcomeOf((id) => JSON.stringify({ jsonrpc: '2.0', id, ...members }))).toEqual(
      failed('response.invalid', { reason: `tools/call was answered ${problem}` }),
    );
  },
);

describe('a handshake', () => {
  const info = { name: 'raw', version: '1.2.3' };
  const tools = { listChanged: true };
  it.each<[string, Record<string, unknown>]>([
    ['_meta: null', { _meta: null }],
    ['instructions: null', { instructions: null }],
    ['instructions of another type', { instructions: 7 }],
    ['capabilities with null', { capabilities: { tools, prompts: null, logging: null } }],
    ['capabilities with null inside', { capabilities: { tools: { listChanged: null } } }],
    ['capabilities with true', { capabilities: { tools: true, prompts: false } }],
    ['an unknown capability of another type', { capabilities: { tools, extras: 1 } }],
    ['serverInfo without a version', { serverInfo: { name: 'raw' } }],
    ['serverInfo with null', { serverInfo: { ...info, title: null, icons: null } }],
    ['serverInfo: null', { serverInfo: null }],
    ['no serverInfo', { serverInfo: undefined }],
    ['no protocolVersion', { protocolVersion: undefined }],
    ['protocolVersion: null', { protocolVersion: null }],
  ])('with %s succeeds', async (_what, members) => {
    const whole = { capabilities: { tools }, serverInfo: info };
    const initialize = ({ protocolVersion }: { protocolVersion: string }) => ({
      protocolVersion,
      ...whole,
      ...members,
    });
    const { downstream, view } = await connected({ methods: { initialize } });
    expect(view().toolsCount).toBe(3);
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it.each<[unknown, string]>([
    [null, 'a "result" that is not an object'],
    ['x', 'a "result" that is not an object'],
    [
      { protocolVersion: 7, capabilities: {}, serverInfo: info },
      'a "protocolVersion" that is not a text',
    ],
  ])('with the result %j fails with a reason', async (result, problem) => {
    const http = await startRawHttp({ methods: { initialize: () => result } });
    const { downstream } = await running([remote(http.url)]);
    const reason = `initialize was answered with ${problem}`;
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Failed', reason });
  });
});

it('accepts a stdio server that writes batches, ids as texts and no version', async () => {
  const { downstream } = await running([stdioFixture('raw', 'lenient-stdio.mjs')]);
  expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Running', toolsCount: 1 });
  expect(await downstream.callTool(call)).toEqual(fine);
});

it('gives the client of the SDK messages that its schemas accept', () => {
  const answer = { jsonrpc: '2.0', id: 3, result: {} };
  expect(toSdkMessage({ id: '3', result: {}, error: null }, 'ping')).toEqual(answer);
  const notice = { jsonrpc: '2.0', method: 'notifications/x', params: {} };
  expect(toSdkMessage({ method: 'notifications/x', id: null, params: { _meta: null } })).toEqual(
    notice,
  );
});

describe('an HTTP server that does not know "server/discover"', () => {
  const isProbe = ({ headers }: { readonly headers: NodeJS.Dict<string | string[]> }): boolean =>
    headers['mcp-method'] === 'server/discover';

  it('and is silent about it is asked to initialize', async () => {
    const http = await startRawHttp();
    http.setIntercept(isProbe);
    const { downstream } = await running([remote(http.url)], { timeouts: { eraProbeMs: 50 } });
    await untilState(downstream, 'raw', 'Connected');
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it('and is silent about it, and refuses initialize, fails with the words of the refusal', async () => {
    const http = await startRawHttp();
    http.setIntercept(
      (request, response) =>
        isProbe(request) || respond(500, 'the database is down')(request, response),
    );
    const { downstream } = testDownstream({ timeouts: { eraProbeMs: 50 } });
    downstream.apply([remote(http.url, { timeout: 1 })]);
    await untilState(downstream, 'raw', 'Failed');
    expect(viewOf(downstream, 'raw').reason).toBe(
      'not ready within 1 s: "server/discover" is not answered, and "initialize" was refused: HTTP 500: the database is down',
    );
  });

  it('and refuses it without its id gets one initialize', async () => {
    const http = await startRawHttp();
    const error = { code: -32_000, message: 'Bad Request: Server not initialized' };
    const refuse = respond(400, JSON.stringify({ jsonrpc: '2.0', id: null, error }), JSON_TYPE);
    http.setIntercept((request, response) => isProbe(request) && refuse(request, response));
    const timeouts = { eraProbeMs: 50, healthIntervalMs: 100 };
    const { downstream } = await running([remote(http.url)], { timeouts });
    await eventually('two checks ended', () => http.count('ping') > 1);
    expect(viewOf(downstream, 'raw').state).toBe('Connected');
    expect(http.count('initialize')).toBe(1);
  });

  it('and resets its connection fails with the remedy', async () => {
    const http = await startRawHttp();
    http.setIntercept((request, response) => {
      if (isProbe(request)) response.socket?.resetAndDestroy();
      return isProbe(request);
    });
    const { downstream } = await running([remote(http.url)]);
    await untilState(downstream, 'raw', 'Failed');
    expect(viewOf(downstream, 'raw').reason).toMatch(
      / after "server\/discover"; if the server supports only the 2025 revisions, set spec\.protocol to 2025-11-25$/,
    );
    downstream.apply([remote(http.url, { protocol: '2025-11-25' })]);
    await untilState(downstream, 'raw', 'Connected');
  });

  it('and has the wrong revision in spec.protocol fails with the remedy', async () => {
    const http = await startRawHttp();
    const { downstream } = await running([remote(http.url, { protocol: '2026-07-28' })]);
    expect(viewOf(downstream, 'raw').reason).toMatch(
      /; spec\.protocol names 2026-07-28, which the server may not support$/,
    );
  });
});
