import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { DownstreamOptions } from '../src/index.ts';
import { formatDownstreamError } from '../src/index.ts';
import { eventually, failed, resultOf, running, untilState, viewOf } from './harness/downstream.ts';
import { call, fine, remote } from './harness/http-connection.ts';
import { testCaller } from './harness/callers.ts';
import { user, testCredentials } from './harness/credentials.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';
import { EVENTS, frame, JSON_TYPE, readMessage, startRawHttp } from './harness/raw-http.ts';
import type { Intercept, PostedMessage, RawHttp } from './harness/raw-http.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

type Refuse = (response: ServerResponse, message: PostedMessage) => void;

const json = (status: number, body: (id?: number) => unknown): Refuse => {
  return (response, { id }) => {
    response.writeHead(status, JSON_TYPE).end(JSON.stringify(body(id)));
  };
};

const rpc = (status: number, code: number, message: string, hasId = false): Refuse =>
  json(status, (id) => ({ jsonrpc: '2.0', error: { code, message }, id: hasId ? id : null }));

const text =
  (status: number, body: string, type = 'text/plain'): Refuse =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };

const NO_SESSION = rpc(400, -32_000, 'Bad Request: No valid session ID provided');
const NOT_FOUND = rpc(404, -32_001, 'Session not found');
const INVALID_PARAMETERS = rpc(200, -32_602, 'Invalid request parameters', true);

interface SessionOptions {
  /** The methods that need no session. */
  readonly free?: readonly string[];
  /** Takes the event streams of known sessions. */
  readonly stream?: (response: ServerResponse) => void;
}

/** Sessions that the server forgets with each restart. */
const createSessions = (http: RawHttp, refuse: Refuse, { free = [], stream }: SessionOptions) => {
  const known = new Set<string>();
  const isKnown = (session: unknown): boolean => known.has(String(session));
  const processed: string[] = [];
  let opened = 0;
  let remembers = true;
  const takePost = (message: PostedMessage, session: unknown, response: ServerResponse) => {
    if (message.method === 'initialize') {
      opened += 1;
      const id = randomUUID();
      if (remembers) known.add(id);
      response.setHeader('mcp-session-id', id);
    } else if (!free.includes(message.method) && !isKnown(session)) {
      refuse(response, message);
      return;
    }
    processed.push(message.method);
    return http.answer(message, response);
  };
  const intercept: Intercept = (request, response) => {
    const session = request.headers['mcp-session-id'];
    if (request.method === 'GET' && stream !== undefined) {
      if (isKnown(session)) stream(response.writeHead(200, EVENTS));
      else refuse(response, { method: 'GET' });
      response.flushHeaders();
      return true;
    }
    if (request.method !== 'POST') return false;
    void readMessage(request).then((message) => takePost(message, session, response));
    return true;
  };
  return {
    intercept,
    opened: () => opened,
    calls: () => processed.filter((method) => method === 'tools/call').length,
    restart: () => known.clear(),
    forgetEverything: () => {
      known.clear();
      remembers = false;
    },
  };
};

/** A server with sessions, connected. */
const sessionServer = async (
  refuse: Refuse,
  options: Partial<DownstreamOptions> & SessionOptions = {},
) => {
  const http = await startRawHttp();
  const sessions = createSessions(http, refuse, options);
  http.setIntercept(sessions.intercept);
  const { downstream } = await running([remote(http.url)], options);
  const view = () => viewOf(downstream, 'raw');
  expect(view().state).toBe('Connected');
  return { http, downstream, view, before: sessions.opened(), ...sessions };
};

describe('a session that the server does not know any more', () => {
  it.each<[string, Refuse]>([
    ['HTTP 404', text(404, '')],
    ['HTTP 404 with a JSON-RPC error', NOT_FOUND],
    ['HTTP 410', text(410, '')],
    ['HTTP 400 with a JSON-RPC error', NO_SESSION],
    ['HTTP 400 with an error that has an id', rpc(400, -32_600, 'Server not initialized', true)],
    ['HTTP 400 with a text', text(400, 'Invalid or missing session ID')],
    ['HTTP 400 without a text', text(400, '')],
    ['HTTP 503 with a text', text(503, 'Unknown session')],
    ['HTTP 404 with a page', text(404, '<html><body>Session expired</body></html>', 'text/html')],
    ['a JSON-RPC error without an id in HTTP 200', rpc(200, -32_001, 'Session not found')],
    ['a JSON-RPC error in HTTP 200', rpc(200, -32_000, 'No valid session ID provided', true)],
    ['an error without JSON-RPC in HTTP 200', json(200, () => ({ error: 'Session expired' }))],
    ['a text in HTTP 200', text(200, 'Invalid session')],
    ['a JSON-RPC error without a word about it in HTTP 200', INVALID_PARAMETERS],
    ['a JSON-RPC error in another language', rpc(400, -32_010, 'Unbekannte Sitzung')],
    ['a status that is about no session', text(419, 'Page Expired')],
    [
      'any refusal that names another session',
      (response) => response.writeHead(500, { 'mcp-session-id': randomUUID() }).end('other'),
    ],
    [
      'a JSON-RPC error in an event stream',
      (response, { id }) => {
        const error = { code: -32_602, message: 'Mcp-Session-Id header is required' };
        response.writeHead(200, EVENTS).end(frame({ jsonrpc: '2.0', id, error }));
      },
    ],
  ])('is opened again, and the call is sent again: %s', async (_how, refuse) => {
    const { downstream, view, restart, opened, before } = await sessionServer(refuse);
    const { connectionId } = view();
    restart();
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(opened()).toBe(before + 1);
    expect(view()).toMatchObject({ state: 'Connected', health: 'healthy' });
    expect(view().connectionId).not.toBe(connectionId);
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(opened()).toBe(before + 1);
  });

  it('is opened again once for all calls that meet it', async () => {
    const { downstream, restart, opened, before, calls } = await sessionServer(NO_SESSION);
    restart();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => downstream.callTool(call)));
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => fine));
    expect([opened(), calls()]).toEqual([before + 1, 20]);
  });

  it('is opened again without a call, because the health check is refused', async () => {
    const options = { timeouts: { healthIntervalMs: 20 } };
    const { downstream, restart, opened, before } = await sessionServer(NO_SESSION, options);
    restart();
    await eventually('the session is another one', () => opened() > before);
    await untilState(downstream, 'raw', 'Connected');
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it.each<[string, Refuse, readonly string[]]>([
    ['pings need none and no word is about it', INVALID_PARAMETERS, ['ping']],
    ['every answer is empty', text(200, ''), []],
  ])('is found after some calls although %s', async (_what, refuse, free) => {
    const { downstream, restart, opened, before } = await sessionServer(refuse, { free });
    restart();
    await eventually('a call succeeds', async () => (await downstream.callTool(call)).ok);
    expect(opened()).toBe(before + 1);
  });

  it('is found although pings need no session', async () => {
    const refuse = rpc(200, -32_001, 'Session not found', true);
    const { downstream, restart } = await sessionServer(refuse, { free: ['ping'] });
    restart();
    expect(await downstream.callTool(call)).toEqual(fine);
  });
});

it('follows a server that answers under another session', async () => {
  const http = await startRawHttp();
  const used: unknown[] = [];
  let current = 'one';
  http.setIntercept(({ headers }, response) => {
    used.push(headers['mcp-session-id']);
    response.setHeader('mcp-session-id', current);
    return false;
  });
  const { downstream } = await running([remote(http.url)]);
  current = 'two';
  for (const session of ['one', 'two']) {
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(used.at(-1)).toBe(session);
  }
});

it('a server that forgets every session gets a session per step of the backoff, is not healthy, and its callers read why', async () => {
  const { downstream, view, forgetEverything, opened, before } = await sessionServer(NOT_FOUND, {
    backoff: { firstMs: 60_000, maxMs: 60_000 },
    timeouts: { healthIntervalMs: 10 },
    health: { failures: 2 },
    // Only the handshake succeeds.
    free: ['notifications/initialized', 'tools/list', 'resources/list', 'prompts/list'],
  });
  forgetEverything();
  const outcomes = await Promise.all([1, 2, 3].map(() => downstream.callTool(call)));
  for (const outcome of outcomes)
    expect(outcome.ok ? '' : formatDownstreamError(outcome.error)).toContain('Session not found');
  await eventually('it is unhealthy', () => view().health === 'unhealthy');
  const unhealthy = { status: 'False', reason: 'Unhealthy', message: 'Session not found' };
  expect(view().status.conditions[0]).toMatchObject(unhealthy);
  for (let index = 0; index < 20; index += 1) await downstream.callTool(call);
  expect(opened() - before).toBeLessThanOrEqual(2);
});

const refused = (rpcCode: number, message: string) =>
  failed('request.refused', { rpcCode, message });

it.each<[string, Refuse, unknown]>([
  ['HTTP 404', text(404, 'no item'), failed('server.connection-lost', { reason: 'HTTP 404' })],
  [
    'a JSON-RPC error with the words of a session',
    rpc(200, -32_000, 'Session not found: checkout 7', true),
    refused(-32_000, 'Session not found: checkout 7'),
  ],
  [
    'a JSON-RPC error that the call deserves',
    rpc(200, -32_602, 'Invalid params', true),
    refused(-32_602, 'Invalid params'),
  ],
])(
  'an error that is not about the session reaches the caller, and the session stays: %s',
  async (_what, refuse, error) => {
    const { downstream, view, opened, before, http } = await sessionServer(text(404, ''));
    const { connectionId } = view();
    http.onPost((message, response) => {
      if (message.method !== 'tools/call') return false;
      refuse(response, message);
      return true;
    });
    for (let index = 0; index < 6; index += 1)
      expect(await downstream.callTool(call)).toEqual(error);
    expect(opened()).toBe(before);
    expect(view()).toMatchObject({ state: 'Connected', connectionId });
  },
);

it('a session that is refused without words about it, as a new one is, is no reason of its own', async () => {
  const refuse = rpc(200, -32_603, 'backend down', true);
  const { downstream, view, http } = await sessionServer(refuse);
  http.onPost((message, response) => {
    refuse(response, message);
    return true;
  });
  const reason =
    'the server refuses every request of the session, and the request was not processed: backend down';
  expect(await downstream.callTool(call)).toMatchObject({ error: { reason } });
  await untilState(downstream, 'raw', 'Failed');
  expect(view().reason).toBe('backend down');
});

it('a call is not sent again when the server may have processed a part of it', async () => {
  let isBegun = false;
  const { downstream, restart, calls } = await sessionServer((response, { id, method }) => {
    response.writeHead(200, EVENTS);
    if (method === 'tools/call') {
      isBegun = true;
      const params = { level: 'info', data: 'half of it' };
      response.write(frame({ jsonrpc: '2.0', method: 'notifications/message', params }));
    }
    const error = { code: -32_600, message: 'Session terminated' };
    response.end(frame({ jsonrpc: '2.0', id, error }));
  });
  restart();
  const reason =
    'the server does not know the session any more, and may have processed a part of the request: Session terminated';
  expect(await downstream.callTool(call)).toEqual(failed('server.connection-lost', { reason }));
  expect([isBegun, calls()]).toEqual([true, 0]);
  await untilState(downstream, 'raw', 'Connected');
  expect(await downstream.callTool(call)).toEqual(fine);
});

it('a server that refuses the event stream of an earlier session gets a new session', async () => {
  const streams: ServerResponse[] = [];
  const stream = (response: ServerResponse) => void streams.push(response);
  const { downstream, restart, opened, before } = await sessionServer(NO_SESSION, { stream });
  await eventually('the stream is open', () => streams.length === 1);
  restart();
  for (const open of streams) open.destroy();
  await eventually('the session is another one', () => opened() > before);
  await untilState(downstream, 'raw', 'Connected');
  expect(await downstream.callTool(call)).toEqual(fine);
});

it('opens the session of an SSE server again when it refuses a message', async () => {
  const http = await startRawHttp();
  const sessions = new Map<string, ServerResponse>();
  const calls: string[] = [];
  let opened = 0;
  http.setIntercept((request, response) => {
    if (request.method === 'GET') {
      opened += 1;
      sessions.set(String(opened), response.writeHead(200, EVENTS));
      response.write(`event: endpoint\ndata: /messages?${opened}\n\n`);
      return true;
    }
    void readMessage(request).then(async (message) => {
      const stream = sessions.get(String(request.url).split('?')[1] ?? '');
      response.writeHead(stream === undefined ? 404 : 202).end('Could not find session');
      if (stream === undefined) return;
      calls.push(message.method);
      const answer = await http.mcp.handle(message, () => undefined);
      if (answer !== undefined) stream.write(frame(answer));
    });
    return true;
  });
  const server = defineServer('raw', { type: 'sse', url: http.url, protocol: '2025-11-25' });
  const { downstream } = await running([server]);
  await untilState(downstream, 'raw', 'Connected');
  expect(await downstream.callTool(call)).toMatchObject({ ok: true });
  const before = opened;
  sessions.clear();
  expect(await downstream.callTool(call)).toMatchObject({ ok: true });
  expect(opened).toBe(before + 1);
  expect(calls.filter((method) => method === 'tools/call')).toHaveLength(2);
});

it('opens the session of a user again once for concurrent calls', async () => {
  const http = await startProtectedHttp(['ada-1']);
  const { intercept, opened, restart } = createSessions(http, NO_SESSION, {});
  http.also = intercept;
  const credentials = testCredentials();
  const { downstream } = await running([oauthServer('raw', http.url)], { credentials });
  const ada = user('ada');
  credentials.signIn('raw', ada, 'ada-1');
  expect(await downstream.callTool(call, { principal: ada })).toEqual(fine);
  const before = opened();
  restart();
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => downstream.callTool(call, { principal: ada })),
  );
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => fine));
  expect(opened()).toBe(before + 1);
});

it.each([
  ['of all clients', 'shared', {}],
  ['of one client', 'perSession', { caller: testCaller('ann', { client: 'session:a' }) }],
])(
  'starts a stdio server again that expects a handshake again, and sends the call again: %s',
  async (_whose, instances, options) => {
    const server = stdioFixture('raw', 'forgetful-stdio.mjs', [], { instances });
    const { downstream } = await running([server]);
    await untilState(downstream, 'raw', 'Running');
    const ask = async (tool: string) =>
      resultOf(await downstream.callTool({ server: 'raw', tool }, options))['pid'];
    const first = await ask('forget');
    const second = await ask('pid');
    expect(second).not.toBe(first);
    expect(await ask('pid')).toBe(second);
  },
);
