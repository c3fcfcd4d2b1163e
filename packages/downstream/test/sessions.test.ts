import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { DownstreamOptions } from '../src/index.ts';
import { formatDownstreamError } from '../src/index.ts';
import { eventually, resultOf, testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { call, EVENTS, fine, JSON_TYPE } from './harness/http-connection.ts';
import { testCaller } from './harness/callers.ts';
import { user, testCredentials } from './harness/credentials.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

type Refuse = (response: ServerResponse, message: { id?: number; method: string }) => void;

const json = (status: number, body: (id?: number) => unknown): Refuse => {
  return (response, { id }) => {
    response.writeHead(status, JSON_TYPE).end(JSON.stringify(body(id)));
  };
};

const rpc = (status: number, code: number, message: string, hasId = false): Refuse =>
  json(status, (id) => ({
    jsonrpc: '2.0',
    error: { code, message },
    id: hasId ? id : null,
  }));

const text =
  (status: number, body: string, type = 'text/plain'): Refuse =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };

const readMessage = async (request: IncomingMessage): Promise<{ id?: number; method: string }> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id?: number; method: string };
};

/** A server with sessions that forgets all of them with each restart, connected. */
const sessionServer = async (
  refuse: Refuse,
  options: Partial<DownstreamOptions> & {
    /** The methods that need no session. */
    readonly free?: readonly string[];
    /** Takes the event streams of known sessions. */
    readonly stream?: (response: ServerResponse) => void;
  } = {},
) => {
  const http = await startRawHttp();
  const known = new Set<string>();
  let opened = 0;
  let remembers = true;
  const processed: string[] = [];
  const free = new Set(['initialize', ...(options.free ?? [])]);
  http.setIntercept((request, response) => {
    if (request.method === 'GET' && options.stream !== undefined) {
      if (known.has(String(request.headers['mcp-session-id']))) {
        response.writeHead(200, EVENTS).flushHeaders();
        options.stream(response);
      } else refuse(response, { method: 'GET' });
      return true;
    }
    if (request.method !== 'POST') return false;
    void readMessage(request).then(async (message) => {
      const { 'mcp-session-id': session } = request.headers;
      if (message.method === 'initialize') {
        opened += 1;
        const id = randomUUID();
        if (remembers) known.add(id);
        response.setHeader('mcp-session-id', id);
      } else if (!free.has(message.method) && !known.has(String(session))) {
        refuse(response, message);
        return;
      }
      processed.push(message.method);
      const answer = await http.mcp.handle(message, () => undefined);
      if (message.id === undefined) response.writeHead(202).end();
      else response.writeHead(200, JSON_TYPE).end(JSON.stringify(answer));
    });
    return true;
  });
  const { downstream, log } = testDownstream(options);
  downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
  await downstream.settled();
  expect(viewOf(downstream, 'raw').state).toBe('Connected');
  return {
    http,
    downstream,
    log,
    processed,
    opened: () => opened,
    restart: () => known.clear(),
    forgetEverything: () => {
      known.clear();
      remembers = false;
    },
  };
};

describe('a session that the server does not know any more', () => {
  it.each<[string, Refuse]>([
    ['HTTP 404', text(404, '')],
    ['HTTP 404 with a JSON-RPC error', rpc(404, -32_001, 'Session not found')],
    ['HTTP 410', text(410, '')],
    [
      'HTTP 400 with a JSON-RPC error',
      rpc(400, -32_000, 'Bad Request: No valid session ID provided'),
    ],
    ['HTTP 400 with an error that has an id', rpc(400, -32_600, 'Server not initialized', true)],
    ['HTTP 400 with a text', text(400, 'Invalid or missing session ID')],
    ['HTTP 400 without a text', text(400, '')],
    ['HTTP 422 with a text', text(422, 'Unexpected message, expect initialize request')],
    ['HTTP 503 with a text', text(503, 'Unknown session')],
    ['HTTP 404 with a page', text(404, '<html><body>Session expired</body></html>', 'text/html')],
    ['a JSON-RPC error without an id in HTTP 200', rpc(200, -32_001, 'Session not found')],
    ['a JSON-RPC error in HTTP 200', rpc(200, -32_000, 'No valid session ID provided', true)],
    ['an error without JSON-RPC in HTTP 200', json(200, () => ({ error: 'Session expired' }))],
    ['a text in HTTP 200', text(200, 'Invalid session')],
    [
      'a JSON-RPC error without a word about it in HTTP 200',
      rpc(200, -32_602, 'Invalid request parameters', true),
    ],
    ['a JSON-RPC error in another language', rpc(400, -32_010, 'Unbekannte Sitzung')],
    ['a status that is about no session', text(419, 'Page Expired')],
    [
      'any refusal that names another session',
      (response) => {
        response.writeHead(500, { 'mcp-session-id': randomUUID() }).end('something else');
      },
    ],
    [
      'a JSON-RPC error in an event stream',
      (response, { id }) => {
        const error = { code: -32_602, message: 'Mcp-Session-Id header is required' };
        const body = JSON.stringify({ jsonrpc: '2.0', id, error });
        response.writeHead(200, EVENTS).end(`data: ${body}\n\n`);
      },
    ],
  ])('is opened again, and the call is sent again: %s', async (_how, refuse) => {
    const { downstream, restart, opened } = await sessionServer(refuse);
    const { connectionId } = viewOf(downstream, 'raw');
    const before = opened();
    restart();
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(opened()).toBe(before + 1);
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Connected', health: 'healthy' });
    expect(viewOf(downstream, 'raw').connectionId).not.toBe(connectionId);
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(opened()).toBe(before + 1);
  });

  it('is opened again once for all calls that meet it', async () => {
    const { downstream, restart, opened, processed } = await sessionServer(
      rpc(400, -32_000, 'Bad Request: No valid session ID provided'),
    );
    const before = opened();
    restart();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => downstream.callTool(call)));
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => fine));
    expect(opened()).toBe(before + 1);
    expect(processed.filter((method) => method === 'tools/call')).toHaveLength(20);
  });

  it('is opened again without a call, because the health check is refused', async () => {
    const { downstream, restart, opened } = await sessionServer(
      rpc(400, -32_000, 'Bad Request: No valid session ID provided'),
      { timeouts: { healthIntervalMs: 20 } },
    );
    const before = opened();
    restart();
    await eventually('the session is another one', () => opened() > before);
    await untilState(downstream, 'raw', 'Connected');
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it('is found after some calls although pings need none and no word is about it', async () => {
    const { downstream, restart, opened } = await sessionServer(
      rpc(200, -32_602, 'Invalid request parameters', true),
      { free: ['ping'] },
    );
    const before = opened();
    restart();
    await eventually('a call succeeds', async () => (await downstream.callTool(call)).ok);
    expect(opened()).toBe(before + 1);
  });

  it('is found although every answer is empty', async () => {
    const { downstream, restart, opened } = await sessionServer(text(200, ''));
    const before = opened();
    restart();
    await eventually('a call succeeds', async () => (await downstream.callTool(call)).ok);
    expect(opened()).toBe(before + 1);
  });

  it('is found although pings need no session', async () => {
    const { downstream, restart } = await sessionServer(
      rpc(200, -32_001, 'Session not found', true),
      {
        free: ['ping'],
      },
    );
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
  const { downstream } = testDownstream();
  downstream.apply([defineServer('raw', { type: 'streamable-http', url: http.url })]);
  await untilState(downstream, 'raw', 'Connected');
  current = 'two';
  expect(await downstream.callTool(call)).toEqual(fine);
  expect(used.at(-1)).toBe('one');
  expect(await downstream.callTool(call)).toEqual(fine);
  expect(used.at(-1)).toBe('two');
});

describe('a server that forgets every session', () => {
  it('gets a session per step of the backoff, is not healthy, and its callers read why', async () => {
    const { downstream, forgetEverything, opened } = await sessionServer(
      rpc(404, -32_001, 'Session not found'),
      {
        backoff: { firstMs: 60_000, maxMs: 60_000 },
        timeouts: { healthIntervalMs: 10 },
        health: { failures: 2 },
        // Only the handshake succeeds.
        free: ['notifications/initialized', 'tools/list', 'resources/list', 'prompts/list'],
      },
    );
    const before = opened();
    forgetEverything();
    const outcomes = await Promise.all([1, 2, 3].map(() => downstream.callTool(call)));
    expect(
      outcomes.map((outcome) => (outcome.ok ? '' : formatDownstreamError(outcome.error))),
    ).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('Session not found')));
    await eventually('it is unhealthy', () => viewOf(downstream, 'raw').health === 'unhealthy');
    expect(viewOf(downstream, 'raw').status.conditions[0]).toMatchObject({
      status: 'False',
      reason: 'Unhealthy',
      message: 'Session not found',
    });
    for (let index = 0; index < 20; index += 1) await downstream.callTool(call);
    expect(opened() - before).toBeLessThanOrEqual(2);
  });
});

describe('an error that is not about the session', () => {
  it.each<[string, Refuse, unknown]>([
    [
      'HTTP 404',
      text(404, 'no such item'),
      { code: 'server.connection-lost', server: 'raw', reason: 'HTTP 404' },
    ],
    [
      'a JSON-RPC error with the words of a session',
      rpc(200, -32_000, 'Session not found: checkout 7', true),
      {
        code: 'request.refused',
        server: 'raw',
        rpcCode: -32_000,
        message: 'Session not found: checkout 7',
      },
    ],
    [
      'a JSON-RPC error that the call deserves',
      rpc(200, -32_602, 'Invalid params', true),
      {
        code: 'request.refused',
        server: 'raw',
        rpcCode: -32_602,
        message: 'Invalid params',
      },
    ],
  ])('reaches the caller, and the session stays: %s', async (_what, refuse, error) => {
    const { downstream, opened, http } = await sessionServer(text(404, ''));
    const before = opened();
    const { connectionId } = viewOf(downstream, 'raw');
    http.setIntercept((request, response) => {
      if (request.method !== 'POST') return false;
      void readMessage(request).then(async (message) => {
        if (message.method === 'tools/call') refuse(response, message);
        else if (message.id === undefined) response.writeHead(202).end();
        else {
          const body = await http.mcp.handle(message, () => undefined);
          response.writeHead(200, JSON_TYPE).end(JSON.stringify(body));
        }
      });
      return true;
    });
    for (let index = 0; index < 6; index += 1)
      expect(await downstream.callTool(call)).toEqual({ ok: false, error });
    expect(opened()).toBe(before);
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Connected', connectionId });
  });
});

it('that is refused without words about it, as a new one is, is no reason of its own', async () => {
  const refuse = rpc(200, -32_603, 'backend down', true);
  const { downstream, http } = await sessionServer(refuse);
  http.setIntercept((request, response) => {
    if (request.method !== 'POST') return false;
    void readMessage(request).then((message) => refuse(response, message));
    return true;
  });
  expect(await downstream.callTool(call)).toMatchObject({
    error: {
      reason:
        'the server refuses every request of the session, and the request was not processed: backend down',
    },
  });
  await eventually('it failed', () => viewOf(downstream, 'raw').state === 'Failed');
  expect(viewOf(downstream, 'raw').reason).toBe('backend down');
});

it('is not sent again when the server may have processed a part of it', async () => {
  let isBegun = false;
  const { downstream, restart, processed } = await sessionServer((response, { id, method }) => {
    const body = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`;
    response.writeHead(200, EVENTS);
    if (method === 'tools/call') {
      isBegun = true;
      const params = { level: 'info', data: 'half of it' };
      response.write(body({ jsonrpc: '2.0', method: 'notifications/message', params }));
    }
    const error = { code: -32_600, message: 'Session terminated' };
    response.end(body({ jsonrpc: '2.0', id, error }));
  });
  restart();
  const outcome = await downstream.callTool(call);
  expect(isBegun).toBe(true);
  expect(outcome).toEqual({
    ok: false,
    error: {
      code: 'server.connection-lost',
      server: 'raw',
      reason:
        'the server does not know the session any more, and may have processed a part of the request: Session terminated',
    },
  });
  expect(processed.filter((method) => method === 'tools/call')).toEqual([]);
  await untilState(downstream, 'raw', 'Connected');
  expect(await downstream.callTool(call)).toEqual(fine);
});

describe('a server with an event stream', () => {
  it('that refuses the stream of an earlier session gets a new one', async () => {
    const streams: ServerResponse[] = [];
    const refuse = rpc(400, -32_000, 'Bad Request: No valid session ID provided');
    const { downstream, restart, opened } = await sessionServer(refuse, {
      stream: (response) => streams.push(response),
    });
    await eventually('the stream is open', () => streams.length === 1);
    const before = opened();
    restart();
    for (const stream of streams) stream.destroy();
    await eventually('the session is another one', () => opened() > before);
    await untilState(downstream, 'raw', 'Connected');
    expect(await downstream.callTool(call)).toEqual(fine);
  });
});

/** A server of 2025 over the older transport: one event stream, and a URL for the messages of its session. */
const sseServer = async () => {
  const sessions = new Map<string, ServerResponse>();
  const http = await startRawHttp();
  const calls: string[] = [];
  let opened = 0;
  http.setIntercept((request, response) => {
    const url = new URL(String(request.url), 'http://localhost');
    if (request.method === 'GET') {
      opened += 1;
      const id = randomUUID();
      sessions.set(id, response);
      response.writeHead(200, EVENTS);
      response.write(`event: endpoint\ndata: /messages?sessionId=${id}\n\n`);
      return true;
    }
    void readMessage(request).then(async (message) => {
      const stream = sessions.get(String(url.searchParams.get('sessionId')));
      if (stream === undefined) {
        response.writeHead(404).end('Could not find session');
        return;
      }
      calls.push(message.method);
      response.writeHead(202).end('Accepted');
      const answer = await http.mcp.handle(message, () => undefined);
      if (answer !== undefined) stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    });
    return true;
  });
  return { http, calls, opened: () => opened, restart: () => sessions.clear() };
};

it('opens the session of an SSE server again when it refuses a message', async () => {
  const { http, calls, restart, opened } = await sseServer();
  const { downstream } = testDownstream();
  downstream.apply([defineServer('raw', { type: 'sse', url: http.url, protocol: '2025-11-25' })]);
  await untilState(downstream, 'raw', 'Connected');
  expect(await downstream.callTool(call)).toMatchObject({ ok: true });
  const before = opened();
  restart();
  expect(await downstream.callTool(call)).toMatchObject({ ok: true });
  expect(opened()).toBe(before + 1);
  expect(calls.filter((method) => method === 'tools/call')).toHaveLength(2);
});

it('opens the session of a user again once for concurrent calls', async () => {
  const http = await startProtectedHttp(['ada-1']);
  const sessions = new Set<string>();
  let opened = 0;
  http.also = (request, response) => {
    if (request.method !== 'POST') return false;
    void readMessage(request).then(async (message) => {
      if (message.method === 'initialize') {
        opened += 1;
        const id = randomUUID();
        sessions.add(id);
        response.setHeader('mcp-session-id', id);
      } else if (!sessions.has(String(request.headers['mcp-session-id']))) {
        rpc(400, -32_000, 'Bad Request: No valid session ID provided')(response, message);
        return;
      }
      const answer = await http.mcp.handle(message, () => undefined);
      if (message.id === undefined) response.writeHead(202).end();
      else response.writeHead(200, JSON_TYPE).end(JSON.stringify(answer));
    });
    return true;
  };
  const credentials = testCredentials();
  const { downstream } = testDownstream({ credentials });
  downstream.apply([oauthServer('raw', http.url)]);
  await downstream.settled();
  const ada = user('ada');
  credentials.signIn('raw', ada, 'ada-1');
  expect(await downstream.callTool(call, { principal: ada })).toEqual(fine);
  const before = opened;
  sessions.clear();
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => downstream.callTool(call, { principal: ada })),
  );
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => fine));
  expect(opened).toBe(before + 1);
});

describe('a stdio server that expects a handshake again', () => {
  it.each([
    ['of all clients', 'shared', undefined],
    ['of one client', 'perSession', testCaller('ann', { client: 'session:a' })],
  ])('is started again, and the call is sent again: %s', async (_whose, instances, caller) => {
    const { downstream } = testDownstream();
    downstream.apply([stdioFixture('raw', 'forgetful-stdio.mjs', [], { instances })]);
    await untilState(downstream, 'raw', 'Running');
    const options = caller === undefined ? {} : { caller };
    const ask = async (tool: string) =>
      resultOf(await downstream.callTool({ server: 'raw', tool }, options))['pid'];
    const first = await ask('forget');
    const second = await ask('pid');
    expect(second).not.toBe(first);
    expect(await ask('pid')).toBe(second);
  });
});
