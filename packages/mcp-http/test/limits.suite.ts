import { once } from 'node:events';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { Face, FaceOptions, StartFace } from './face.ts';
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

type Start = (options?: FaceOptions) => Promise<Face>;

/** What every face must bound, and how it says so. */
export const limitsSuite = (title: string, startFace: StartFace): void => {
  describe(title, () => {
    const faces: Face[] = [];
    const start: Start = async (options) => {
      const face = await startFace(options);
      faces.push(face);
      return face;
    };
    afterEach(async () => {
      await Promise.all(faces.splice(0).map((face) => face.drain(0)));
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
    const face = await start({ limits: { maxConcurrentCalls: 2 } });
    const running = [post(face.url, call('hang')), post(face.url, call('hang'))];
    await until(() => face.sample.waiting() === 2);
    const refused = await post(face.url, call('echo'));
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
    expect((await post(face.url, rpc('tools/list'))).status).toBe(200);
    face.sample.release();
    await Promise.all(running);
    expect((await post(face.url, call('echo'))).status).toBe(200);
    expect([face.stats().inFlight, face.refusals]).toEqual([0, ['calls-full']]);
  });

  it('counts every call of a batch', async () => {
    const face = await start({ limits: { maxConcurrentCalls: 2 } });
    const batch = [call('echo'), call('echo'), call('echo')];
    expect((await post(face.url, batch)).status).toBe(503);
    expect((await post(face.url, batch.slice(1))).status).toBe(200);
  });

  it('ends a call that takes too long and tells the service', async () => {
    const face = await start({ limits: { callTimeoutMs: 50 } });
    const answer = await post(face.url, call('hang'));
    expect([answer.status, answer.json.error]).toEqual([
      200,
      { code: -32001, message: 'The request timed out after 50 ms' },
    ]);
    expect([face.sample.aborted, face.stats().inFlight, face.errors]).toEqual([
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
    const face = await start();
    const headers = { 'mcp-session-id': await openSession(face.url) };
    const other = { 'mcp-session-id': await openSession(face.url) };
    const running = post(face.url, call('hang'), headers);
    await until(() => face.sample.waiting() === 1);
    await post(face.url, cancel(1), other);
    await post(face.url, cancel('1'), headers);
    await post(face.url, cancel(1));
    expect(face.sample.aborted).toEqual([]);
    await post(face.url, cancel(1), headers);
    const answer = await running;
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect([face.sample.aborted, face.stats().inFlight]).toEqual([['The caller has cancelled'], 0]);
  });

  it.each([
    ['the user has left', 'the user has left'],
    ['x'.repeat(201), 'x'.repeat(200)],
    [{ text: 'odd' }, 'The caller has cancelled'],
  ])('tells the service the reason %j of the caller', async (reason, told) => {
    const face = await start();
    const headers = { 'mcp-session-id': await openSession(face.url) };
    const running = post(face.url, call('hang'), headers);
    await until(() => face.sample.waiting() === 1);
    await post(face.url, cancel(1, reason), headers);
    await running;
    expect(face.sample.aborted).toEqual([told]);
  });

  it('tells a caller that takes JSON only that its request was cancelled', async () => {
    const face = await start();
    const headers = { 'mcp-session-id': await openSession(face.url) };
    const running = post(face.url, call('hang'), { ...headers, accept: 'application/json' });
    await until(() => face.sample.waiting() === 1);
    await post(face.url, cancel(1), headers);
    expect((await running).json.error.message).toBe('Request cancelled');
  });

  it.each(['one', 'two'])('cancels on disconnect, request %s of a pipeline', async (which) => {
    const face = await start();
    const socket = await rawSocket(face);
    const one = rawRequest([], JSON.stringify(call('hang')));
    socket.write(which === 'one' ? one : one + one);
    await until(() => face.sample.waiting() === (which === 'one' ? 1 : 2));
    socket.destroy();
    await until(() => face.stats().inFlight === 0);
    expect(new Set(face.sample.aborted)).toEqual(new Set(['The caller has disconnected']));
    expect(face.errors).toEqual([]);
  });

  it('cancels a call of 2026-07-28 when its stream is closed', async () => {
    const face = await start();
    const abort = new AbortController();
    const kept = postModern(face.url, 'tools/call', { name: 'hang' });
    const closed = postModern(face.url, 'tools/call', { name: 'hang' }, { signal: abort.signal });
    await until(() => face.sample.waiting() === 2);
    abort.abort();
    await expect(closed).rejects.toThrow();
    await until(() => face.sample.waiting() === 1);
    face.sample.release();
    expect((await kept).json.result.content[0].text).toBe('"released"');
    expect(face.sample.aborted).toEqual(['The caller has disconnected']);
  });

  it('cancels the calls of a session that is ended', async () => {
    const face = await start();
    const headers = { 'mcp-session-id': await openSession(face.url) };
    const running = post(face.url, call('hang'), headers);
    await until(() => face.sample.waiting() === 1);
    await send(face.url, { method: 'DELETE', headers });
    expect((await running).status).toBe(200);
    expect(face.sample.aborted).toEqual(['The session has ended']);
  });
};

const describeSessions = (start: Start): void => {
  const ping = async (face: Face, session: string): Promise<number> =>
    (await post(face.url, rpc('ping'), { 'mcp-session-id': session })).status;

  it('lets the longest idle session go when there are too many', async () => {
    const face = await start({ limits: { maxSessions: 2 } });
    const first = await openSession(face.url);
    const second = await openSession(face.url);
    expect(await ping(face, first)).toBe(200);
    const third = await openSession(face.url);
    expect([await ping(face, first), await ping(face, second), await ping(face, third)]).toEqual([
      200, 404, 200,
    ]);
    expect(face.stats().sessions).toBe(2);
  });

  it('refuses a new session while all are busy, and says so', async () => {
    const face = await start({ limits: { maxSessions: 1 } });
    const headers = { 'mcp-session-id': await openSession(face.url) };
    const running = post(face.url, call('hang'), headers);
    await until(() => face.sample.waiting() === 1);
    const refused = await post(face.url, rpc('initialize', { protocolVersion: '2025-11-25' }));
    expect([refused.status, refused.json.error.message]).toEqual([
      503,
      'Too many sessions: all 1 are busy; retry later',
    ]);
    face.sample.release();
    await running;
    expect(await openSession(face.url)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('ends a session that is idle for too long, but none with a stream', async () => {
    const face = await start({ limits: { sessionIdleMs: 40 } });
    const idle = await openSession(face.url);
    const streaming = await openSession(face.url);
    const stream = await request(face.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': streaming },
    });
    await until(() => face.stats().sessions === 1);
    expect([await ping(face, idle), await ping(face, streaming)]).toEqual([404, 200]);
    stream.body.on('error', () => undefined).destroy();
    await until(() => face.stats().sessions === 0);
  });
};

const describeStreams = (start: Start): void => {
  const open = async (face: Face, session: string) => {
    const answer = await request(face.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    });
    answer.body.on('error', () => undefined);
    return answer;
  };

  it('opens a stream per GET, keeps it alive and forgets it when it is closed', async () => {
    const face = await start({ limits: { keepAliveMs: 10 } });
    const { statusCode, headers, body } = await open(face, await openSession(face.url));
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream']);
    const [chunk] = (await once(body, 'data')) as [Buffer];
    expect(chunk.toString()).toBe(': keep-alive\n\n');
    expect(face.stats().streams).toBe(1);
    body.destroy();
    await until(() => face.stats().streams === 0);
  });

  it('keeps a long call alive on a stream, for a caller that takes one', async () => {
    const face = await start({ limits: { keepAliveMs: 10 } });
    const streamed = post(face.url, call('hang'));
    const plain = post(face.url, call('hang'), { accept: 'application/json' });
    await until(() => face.sample.waiting() === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    face.sample.release();
    expect((await streamed).text).toMatch(
      /^(: keep-alive\n\n)+event: message\ndata: \{"jsonrpc":"2.0","id":1,"result":.*\}\n\n$/,
    );
    expect((await plain).json.result.content[0].text).toBe('"released"');
  });

  it('ends the oldest stream of a session when there are too many', async () => {
    const face = await start({ limits: { maxStreamsPerSession: 1 } });
    const session = await openSession(face.url);
    const first = await open(face, session);
    const second = await open(face, session);
    expect(await first.body.text()).toBe('');
    expect(face.stats().streams).toBe(1);
    second.body.destroy();
  });

  it('refuses a GET that cannot read a stream', async () => {
    const face = await start();
    const headers = { 'mcp-session-id': await openSession(face.url), accept: 'application/json' };
    expect((await send(face.url, { method: 'GET', headers })).status).toBe(406);
  });

  it('cuts a reader that does not take its answer', async () => {
    const face = await start({ limits: { writeTimeoutMs: 50 } });
    const socket = await rawSocket(face);
    socket.pause();
    socket.write(rawRequest([], JSON.stringify(call('big'))));
    await until(() => face.requests.length === 1);
    const text = await readToEnd(socket.resume());
    expect(text.length).toBeLessThan(BIG_BYTES);
  });
};

const describeGuard = (start: Start): void => {
  const statusWith = async (face: Face, headers: Readonly<Record<string, string>>) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const socket = await rawSocket(face);
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
    const face = await start({ guard: { allowedHosts: ['gateway.example', 'Port.Example:81'] } });
    expect(await statusWith(face, { Host: host })).toBe(status);
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
    const face = await start({ guard: { allowedOrigins: ['https://app.example'] } });
    expect(await statusWith(face, { Origin: origin })).toBe(status);
  });

  it('says what is not allowed, before it reads anything', async () => {
    const face = await start();
    const answer = await send(face.url, { body: '{', headers: { origin: 'http://evil.example' } });
    expect([answer.status, answer.json]).toEqual([
      403,
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Origin "http://evil.example" is not allowed' },
      },
    ]);
  });

  it('allows everything where it is told to', async () => {
    const face = await start({ guard: { allowedHosts: ['*'], allowedOrigins: ['*'] } });
    expect(await statusWith(face, { Host: 'x.example', Origin: 'http://y.example' })).toBe(200);
  });
};

const describeHeaders = (start: Start): void => {
  const answerTo = async (face: Face, bytes: string): Promise<string> => {
    const socket = await rawSocket(face);
    socket.write(bytes);
    return readToEnd(socket);
  };
  const statusOf = (text: string): number => Number(text.split(' ', 2)[1]);

  it('refuses a header over 16 KiB with 431', async () => {
    const face = await start();
    const lines = [`X-Big: ${'x'.repeat(17 * 1024)}`];
    expect(statusOf(await answerTo(face, rawRequest(lines)))).toBe(431);
  });

  it('refuses too many header lines with 431 and never drops one', async () => {
    const face = await start();
    const ping = JSON.stringify(rpc('ping'));
    const linesOf = (count: number): string[] => [
      ...Array.from({ length: count - 5 }, (_, at) => `X-${at}: 1`),
      'Connection: close',
    ];
    expect(statusOf(await answerTo(face, rawRequest(linesOf(200), ping)))).toBe(200);
    expect(statusOf(await answerTo(face, rawRequest(linesOf(201), ping)))).toBe(431);
    expect(statusOf(await answerTo(face, rawRequest(linesOf(2_100), ping)))).toBe(431);
  });

  it('gives up on a header that arrives too slowly', async () => {
    const serverLimits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 };
    const face = await start({ serverLimits });
    expect(statusOf(await answerTo(face, 'POST /mcp HTTP/1.1\r\nHost: loc'))).toBe(408);
  });

  it('gives up on a body that arrives too slowly', async () => {
    const serverLimits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 };
    const face = await start({ serverLimits });
    const whole = rawRequest([], JSON.stringify(rpc('ping')));
    expect(statusOf(await answerTo(face, whole.slice(0, -3)))).toBe(408);
    expect(face.stats().bufferedBodyBytes).toBe(0);
  });

  it('bounds the bodies that are read at one moment', async () => {
    const face = await start({ limits: { maxBufferedBodyBytes: 1_000 } });
    const first = await rawSocket(face);
    first.write(rawRequest([], 'x'.repeat(900)).slice(0, -1));
    await until(() => face.stats().bufferedBodyBytes === 899);
    const refused = await post(face.url, call('echo', { text: 'y'.repeat(200) }));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    first.destroy();
    await until(() => face.stats().bufferedBodyBytes === 0);
    expect((await post(face.url, call('echo', { text: 'y'.repeat(200) }))).status).toBe(200);
  });
};
