import { once } from 'node:events';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { Endpoint, EndpointOptions, StartEndpoint } from './endpoint.ts';
import { BIG_BYTES } from './sample-service.ts';
import {
  call,
  openSession,
  post,
  postModern,
  rawRequest,
  rawSocket,
  readToEnd,
  rpc,
  send,
  until,
} from './wire-client.ts';

type Start = (options?: EndpointOptions) => Promise<Endpoint>;

/** The limits of every endpoint, and their errors. */
export const limitsSuite = (title: string, startEndpoint: StartEndpoint): void => {
  describe(title, () => {
    const endpoints: Endpoint[] = [];
    const start: Start = async (options) => {
      const endpoint = await startEndpoint(options);
      endpoints.push(endpoint);
      return endpoint;
    };
    afterEach(async () => {
      await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.drain(0)));
    });

    describe('calls', () => describeCalls(start));
    describe('cancellation', () => describeCancellation(start));
    describe('sessions', () => describeSessions(start));
    describe('streams', () => describeStreams(start));
    describe('foreign hosts and origins', () => describeGuard(start));
    describe('headers and bodies', () => describeHeaders(start));
  });
};

const describeCalls = (start: Start): void => {
  it('refuses a call over the limit, names the limit, and serves the rest', async () => {
    const endpoint = await start({ limits: { maxConcurrentCalls: 2 } });
    const running = [post(endpoint.url, call('hang')), post(endpoint.url, call('hang'))];
    await until(() => endpoint.sample.waiting() === 2);
    const refused = await post(endpoint.url, call('echo'));
    expect([refused.status, refused.headers['retry-after'], refused.json]).toEqual([
      503,
      '1',
      {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32000,
          message: 'Too many concurrent requests: the limit of 2 is reached; retry later',
          data: { reason: 'calls-full', limit: 2 },
        },
      },
    ]);
    expect((await post(endpoint.url, rpc('tools/list'))).status).toBe(200);
    endpoint.sample.release();
    await Promise.all(running);
    expect((await post(endpoint.url, call('echo'))).status).toBe(200);
    expect([endpoint.stats().inFlight, endpoint.refusals]).toEqual([0, ['calls-full']]);
  });

  it('counts every call of a batch', async () => {
    const endpoint = await start({ limits: { maxConcurrentCalls: 2 } });
    const batch = [call('echo'), call('echo'), call('echo')];
    expect((await post(endpoint.url, batch)).status).toBe(503);
    expect((await post(endpoint.url, batch.slice(1))).status).toBe(200);
  });

  it('ends a call that exceeds its time limit and aborts its signal', async () => {
    const endpoint = await start({ limits: { callTimeoutMs: 50 } });
    const answer = await post(endpoint.url, call('hang'));
    expect([answer.status, answer.json.error]).toEqual([
      200,
      { code: -32001, message: 'The request timed out after 50 ms' },
    ]);
    expect([endpoint.sample.aborted, endpoint.stats().inFlight, endpoint.errors]).toEqual([
      ['The call timed out'],
      0,
      [],
    ]);
  });
};

const describeCancellation = (start: Start): void => {
  const cancel = (requestId: unknown, reason?: unknown): object => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason },
  });

  it('cancels the call of the same session that has the same id, of the same type', async () => {
    const endpoint = await start();
    const headers = { 'mcp-session-id': await openSession(endpoint.url) };
    const other = { 'mcp-session-id': await openSession(endpoint.url) };
    const running = post(endpoint.url, call('hang'), headers);
    await until(() => endpoint.sample.waiting() === 1);
    await post(endpoint.url, cancel(1), other);
    await post(endpoint.url, cancel('1'), headers);
    await post(endpoint.url, cancel(1));
    expect(endpoint.sample.aborted).toEqual([]);
    await post(endpoint.url, cancel(1), headers);
    const answer = await running;
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect([endpoint.sample.aborted, endpoint.stats().inFlight]).toEqual([
      ['The caller has cancelled'],
      0,
    ]);
  });

  it.each([
    ['the user has left', 'the user has left'],
    ['x'.repeat(201), 'x'.repeat(200)],
    [{ text: 'odd' }, 'The caller has cancelled'],
  ])('tells the service the reason %j of the caller', async (reason, told) => {
    const endpoint = await start();
    const headers = { 'mcp-session-id': await openSession(endpoint.url) };
    const running = post(endpoint.url, call('hang'), headers);
    await until(() => endpoint.sample.waiting() === 1);
    await post(endpoint.url, cancel(1, reason), headers);
    await running;
    expect(endpoint.sample.aborted).toEqual([told]);
  });

  it('answers a caller that accepts JSON only that its request was cancelled', async () => {
    const endpoint = await start();
    const headers = { 'mcp-session-id': await openSession(endpoint.url) };
    const running = post(endpoint.url, call('hang'), { ...headers, accept: 'application/json' });
    await until(() => endpoint.sample.waiting() === 1);
    await post(endpoint.url, cancel(1), headers);
    expect((await running).json.error.message).toBe('Request cancelled');
  });

  it.each(['one', 'two'])('cancels on disconnect, request %s of a pipeline', async (which) => {
    const endpoint = await start();
    const socket = await rawSocket(endpoint);
    const one = rawRequest([], JSON.stringify(call('hang')));
    socket.write(which === 'one' ? one : one + one);
    await until(() => endpoint.sample.waiting() === (which === 'one' ? 1 : 2));
    socket.destroy();
    await until(() => endpoint.stats().inFlight === 0);
    expect(new Set(endpoint.sample.aborted)).toEqual(new Set(['The caller has disconnected']));
    expect(endpoint.errors).toEqual([]);
  });

  it('cancels a call of 2026-07-28 when its stream is closed', async () => {
    const endpoint = await start();
    const abort = new AbortController();
    const kept = postModern(endpoint.url, 'tools/call', { name: 'hang' });
    const closed = postModern(
      endpoint.url,
      'tools/call',
      { name: 'hang' },
      { signal: abort.signal },
    );
    await until(() => endpoint.sample.waiting() === 2);
    abort.abort();
    await expect(closed).rejects.toThrow();
    await until(() => endpoint.sample.waiting() === 1);
    endpoint.sample.release();
    expect((await kept).json.result.content[0].text).toBe('"released"');
    expect(endpoint.sample.aborted).toEqual(['The caller has disconnected']);
  });

  it('cancels the calls of a session that is ended', async () => {
    const endpoint = await start();
    const headers = { 'mcp-session-id': await openSession(endpoint.url) };
    const running = post(endpoint.url, call('hang'), headers);
    await until(() => endpoint.sample.waiting() === 1);
    await send(endpoint.url, { method: 'DELETE', headers });
    expect((await running).status).toBe(200);
    expect(endpoint.sample.aborted).toEqual(['The session has ended']);
  });
};

const describeSessions = (start: Start): void => {
  const ping = async (endpoint: Endpoint, session: string): Promise<number> =>
    (await post(endpoint.url, rpc('ping'), { 'mcp-session-id': session })).status;

  it('evicts the least recently used session when there are too many', async () => {
    const endpoint = await start({ limits: { maxSessions: 2 } });
    const first = await openSession(endpoint.url);
    const second = await openSession(endpoint.url);
    expect(await ping(endpoint, first)).toBe(200);
    const third = await openSession(endpoint.url);
    expect([
      await ping(endpoint, first),
      await ping(endpoint, second),
      await ping(endpoint, third),
    ]).toEqual([200, 404, 200]);
    expect(endpoint.stats().sessions).toBe(2);
  });

  it('refuses a new session while all are busy', async () => {
    const endpoint = await start({ limits: { maxSessions: 1 } });
    const headers = { 'mcp-session-id': await openSession(endpoint.url) };
    const running = post(endpoint.url, call('hang'), headers);
    await until(() => endpoint.sample.waiting() === 1);
    const refused = await post(endpoint.url, rpc('initialize', { protocolVersion: '2025-11-25' }));
    expect([refused.status, refused.json.error.message]).toEqual([
      503,
      'Too many sessions: all 1 are busy; retry later',
    ]);
    endpoint.sample.release();
    await running;
    expect(await openSession(endpoint.url)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('ends a session that is idle for too long, but none with a stream', async () => {
    const endpoint = await start({ limits: { sessionIdleMs: 40 } });
    const idle = await openSession(endpoint.url);
    const streaming = await openSession(endpoint.url);
    const stream = await request(endpoint.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': streaming },
    });
    await until(() => endpoint.stats().sessions === 1);
    expect([await ping(endpoint, idle), await ping(endpoint, streaming)]).toEqual([404, 200]);
    stream.body.on('error', () => undefined).destroy();
    await until(() => endpoint.stats().sessions === 0);
  });
};

const describeStreams = (start: Start): void => {
  const open = async (endpoint: Endpoint, session: string) => {
    const answer = await request(endpoint.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    });
    answer.body.on('error', () => undefined);
    return answer;
  };

  it('opens a stream per GET, sends keep-alive comments and removes it when it is closed', async () => {
    const endpoint = await start({ limits: { keepAliveMs: 10 } });
    const { statusCode, headers, body } = await open(endpoint, await openSession(endpoint.url));
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream']);
    const [chunk] = (await once(body, 'data')) as [Buffer];
    expect(chunk.toString()).toBe(': keep-alive\n\n');
    expect(endpoint.stats().streams).toBe(1);
    body.destroy();
    await until(() => endpoint.stats().streams === 0);
  });

  it('sends keep-alive comments for a long call to a caller that accepts a stream', async () => {
    const endpoint = await start({ limits: { keepAliveMs: 10 } });
    const streamed = post(endpoint.url, call('hang'));
    const plain = post(endpoint.url, call('hang'), { accept: 'application/json' });
    await until(() => endpoint.sample.waiting() === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    endpoint.sample.release();
    expect((await streamed).text).toMatch(
      /^(: keep-alive\n\n)+event: message\ndata: \{"jsonrpc":"2.0","id":1,"result":.*\}\n\n$/,
    );
    expect((await plain).json.result.content[0].text).toBe('"released"');
  });

  it('ends the oldest stream of a session when there are too many', async () => {
    const endpoint = await start({ limits: { maxStreamsPerSession: 1 } });
    const session = await openSession(endpoint.url);
    const first = await open(endpoint, session);
    const second = await open(endpoint, session);
    expect(await first.body.text()).toBe('');
    expect(endpoint.stats().streams).toBe(1);
    second.body.destroy();
  });

  it('refuses a GET that cannot read a stream', async () => {
    const endpoint = await start();
    const headers = {
      'mcp-session-id': await openSession(endpoint.url),
      accept: 'application/json',
    };
    expect((await send(endpoint.url, { method: 'GET', headers })).status).toBe(406);
  });

  it('closes the connection of a reader that does not read its answer', async () => {
    const endpoint = await start({ limits: { writeTimeoutMs: 50 } });
    const socket = await rawSocket(endpoint);
    socket.pause();
    socket.write(rawRequest([], JSON.stringify(call('big'))));
    await until(() => endpoint.requests.length === 1);
    const text = await readToEnd(socket.resume());
    expect(text.length).toBeLessThan(BIG_BYTES);
  });
};

const describeGuard = (start: Start): void => {
  const statusWith = async (endpoint: Endpoint, headers: Readonly<Record<string, string>>) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const socket = await rawSocket(endpoint);
    const body = JSON.stringify(rpc('ping'));
    const plain = rawRequest([...lines, 'Connection: close'], body);
    socket.write('Host' in headers ? plain.replace('Host: localhost\r\n', '') : plain);
    return Number((await readToEnd(socket)).split(' ', 2)[1]);
  };

  it.each([
    ['localhost', 200],
    ['LOCALHOST:8090', 200],
    ['127.0.0.1:1', 200],
    ['[::1]:8090', 200],
    ['gateway.example', 200],
    ['gateway.example:8443', 200],
    ['port.example:81', 200],
    ['port.example:82', 403],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['localhost@evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['', 403],
    ['localhost, evil.example', 403],
  ])('answers the host %j with %i', async (host, status) => {
    const endpoint = await start({
      guard: { allowedHosts: ['gateway.example', 'Port.Example:81'] },
    });
    expect(await statusWith(endpoint, { Host: host })).toBe(status);
  });

  it.each([
    ['http://localhost', 200],
    ['http://127.0.0.1:6274', 200],
    ['https://[::1]:3', 200],
    ['https://app.example', 200],
    ['https://app.example:444', 403],
    ['http://app.example', 403],
    ['https://evil.example', 403],
    ['http://localhost.evil.example', 403],
    ['null', 403],
    ['file://localhost', 403],
  ])('answers the origin %j with %i', async (origin, status) => {
    const endpoint = await start({ guard: { allowedOrigins: ['https://app.example'] } });
    expect(await statusWith(endpoint, { Origin: origin })).toBe(status);
  });

  it('refuses a foreign host before it reads the body', async () => {
    const endpoint = await start();
    const answer = await send(endpoint.url, {
      body: '{',
      headers: { origin: 'http://evil.example' },
    });
    expect([answer.status, answer.json]).toEqual([
      403,
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Origin "http://evil.example" is not allowed' },
      },
    ]);
  });

  it('allows every host and origin when configured with *', async () => {
    const endpoint = await start({ guard: { allowedHosts: ['*'], allowedOrigins: ['*'] } });
    expect(await statusWith(endpoint, { Host: 'x.example', Origin: 'http://y.example' })).toBe(200);
  });
};

const describeHeaders = (start: Start): void => {
  const answerTo = async (endpoint: Endpoint, bytes: string): Promise<string> => {
    const socket = await rawSocket(endpoint);
    socket.write(bytes);
    return readToEnd(socket);
  };
  const statusOf = (text: string): number => Number(text.split(' ', 2)[1]);

  it('refuses a header over 16 KiB with 431', async () => {
    const endpoint = await start();
    const lines = [`X-Big: ${'x'.repeat(17 * 1024)}`];
    expect(statusOf(await answerTo(endpoint, rawRequest(lines)))).toBe(431);
  });

  it('refuses too many header lines with 431 and never drops one', async () => {
    const endpoint = await start();
    const ping = JSON.stringify(rpc('ping'));
    const linesOf = (count: number): string[] => [
      ...Array.from({ length: count - 5 }, (_, at) => `X-${at}: 1`),
      'Connection: close',
    ];
    expect(statusOf(await answerTo(endpoint, rawRequest(linesOf(200), ping)))).toBe(200);
    expect(statusOf(await answerTo(endpoint, rawRequest(linesOf(201), ping)))).toBe(431);
    expect(statusOf(await answerTo(endpoint, rawRequest(linesOf(2_100), ping)))).toBe(431);
  });

  it('gives up on a header that arrives too slowly', async () => {
    const serverLimits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 };
    const endpoint = await start({ serverLimits });
    expect(statusOf(await answerTo(endpoint, 'POST /mcp HTTP/1.1\r\nHost: loc'))).toBe(408);
  });

  it('gives up on a body that arrives too slowly', async () => {
    const serverLimits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 };
    const endpoint = await start({ serverLimits });
    const whole = rawRequest([], JSON.stringify(rpc('ping')));
    expect(statusOf(await answerTo(endpoint, whole.slice(0, -3)))).toBe(408);
    expect(endpoint.stats().bufferedBodyBytes).toBe(0);
  });

  it('reads small bodies while unfinished large ones occupy the memory for bodies', async () => {
    const budget = 4_096 * 200;
    const endpoint = await start({ limits: { maxBufferedBodyBytes: budget } });
    const socket = await rawSocket(endpoint);
    const lines = ['POST /mcp HTTP/1.1', `Host: 127.0.0.1:${endpoint.port}`];
    lines.push('Content-Type: application/json', 'Accept: application/json, text/event-stream');
    lines.push(`Content-Length: ${2 * budget}`, '\r\n');
    socket.write(lines.join('\r\n') + ' '.repeat(budget));
    await until(() => endpoint.stats().bufferedBodyBytes >= budget);
    expect((await post(endpoint.url, rpc('ping'))).status).toBe(200);
    const large = await post(endpoint.url, rpc('ping', { filler: 'x'.repeat(1_000) }));
    expect([large.status, large.json.error.data]).toEqual([
      503,
      { reason: 'bodies-full', limit: budget },
    ]);
    socket.destroy();
    await until(() => endpoint.stats().bufferedBodyBytes === 0);
  });

  it('bounds the bodies that are read at one moment', async () => {
    const endpoint = await start({ limits: { maxBufferedBodyBytes: 1_000 } });
    const first = await rawSocket(endpoint);
    first.write(rawRequest([], 'x'.repeat(900)).slice(0, -1));
    await until(() => endpoint.stats().bufferedBodyBytes === 899);
    const refused = await post(endpoint.url, call('echo', { text: 'y'.repeat(200) }));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    first.destroy();
    await until(() => endpoint.stats().bufferedBodyBytes === 0);
    expect((await post(endpoint.url, call('echo', { text: 'y'.repeat(200) }))).status).toBe(200);
  });
};
