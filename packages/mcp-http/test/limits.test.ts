import { once } from 'node:events';
import { defineRequirements } from '@gateway/repo-checks';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { requirements } from '../spec.requirements.ts';
import { DEFAULT_HTTP_SERVER_LIMITS } from '../src/transports/http-server.ts';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { startSample as start, type Endpoint } from './endpoint.ts';
import { BIG_BYTES } from './sample-service.ts';
import { call, pause, rawRequest, rawSocket, readToEnd, rpc, tell, until } from './wire-client.ts';

const requirement = defineRequirements(requirements);

requirement('8/request-limits', () => {
  it('bounds every request where the specification names no figure', () => {
    expect(DEFAULT_MCP_HTTP_LIMITS).toEqual({
      maxBodyBytes: 4_194_304,
      maxBufferedBodyBytes: 67_108_864,
      maxConcurrentCalls: 256,
      maxConcurrentCallsPerCaller: 96,
      maxQueuedCallsPerCaller: 160,
      maxBatch: 64,
      maxNesting: 128,
      maxBodyValues: 100_000,
      maxHeaderLines: 200,
      maxSessions: 1_000,
      maxStreamsPerSession: 4,
      sessionIdleMs: 1_800_000,
      sessionMaxAgeMs: 86_400_000,
      sessionRestMs: 10_000,
      maxEndedSessions: 10_000,
      resumeWindowMs: 30_000,
      maxResumableStreams: 32,
      maxLoggedEvents: 256,
      maxLoggedBytes: 1_048_576,
      maxLoggedBytesTotal: 67_108_864,
      maxQuestionsPerSession: 16,
      questionTimeoutMs: 300_000,
      maxSuspendedCalls: 256,
      suspendedTimeoutMs: 300_000,
      maxInputRounds: 32,
      maxStreams: 1_024,
      maxStreamsPerCaller: 512,
      maxListenStreams: 2_048,
      maxSubscriptions: 64,
      maxRelays: 256,
      peerTimeoutMs: 5_000,
      callTimeoutMs: 300_000,
      keepAliveMs: 15_000,
      maxUnreadBytes: 1_048_576,
      maxUnreadAnswerBytes: 134_217_728,
      slowReaderMs: 1_000,
      writeTimeoutMs: 60_000,
      listTtlMs: 0,
      resourceTtlMs: 0,
    });
    expect(DEFAULT_HTTP_SERVER_LIMITS).toEqual({
      maxConnections: 2_048,
      maxHeaderBytes: 16_384,
      headersTimeoutMs: 11_000,
      requestTimeoutMs: 56_000,
      keepAliveTimeoutMs: 65_000,
      checkIntervalMs: 4_000,
    });
  });
});

describe('calls', () => {
  it('over the limit are refused with its name, also in a batch, and the rest is served', async () => {
    const endpoint = await start({ limits: { maxConcurrentCalls: 2 } });
    const running = [endpoint.post(call('hang')), endpoint.post(call('hang'))];
    await endpoint.untilWaiting(2);
    const { status, headers, json } = await endpoint.post(call('echo'));
    const error = {
      code: -32000,
      message: 'Too many concurrent requests: the limit of 2 is reached; retry later',
      data: { reason: 'calls-full', limit: 2 },
    };
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(json).toEqual({ jsonrpc: '2.0', id: 1, error });
    expect((await endpoint.post(rpc('tools/list'))).status).toBe(200);
    endpoint.sample.release();
    await Promise.all(running);
    expect((await endpoint.post(call('echo'))).status).toBe(200);
    expect([endpoint.stats().inFlight, endpoint.refusals]).toEqual([0, ['calls-full']]);
    const batch = [call('echo'), call('echo'), call('echo')];
    expect((await endpoint.post(batch)).status).toBe(503);
    expect((await endpoint.post(batch.slice(1))).status).toBe(200);
  });

  it('that exceed their time limit end, and their signal is aborted', async () => {
    const endpoint = await start({ limits: { callTimeoutMs: 50 } });
    const { status, json } = await endpoint.post(call('hang'));
    const error = { code: -32001, message: 'The request timed out after 50 ms' };
    expect([status, json.error]).toEqual([200, error]);
    expect(endpoint.sample.aborted).toEqual(['The call timed out']);
    expect([endpoint.stats().inFlight, endpoint.errors]).toEqual([0, []]);
  });
});

describe('a call is cancelled', () => {
  const cancel = (requestId: unknown, reason?: unknown): object =>
    tell('notifications/cancelled', { requestId, reason });

  it('by the same session with the same id, of the same type', async () => {
    const endpoint = await start();
    const [session, other] = [await endpoint.startSession(), await endpoint.startSession()];
    const running = endpoint.post(call('hang'), session);
    await endpoint.untilWaiting(1);
    await endpoint.post(cancel(1), other);
    await endpoint.post(cancel('1'), session);
    await endpoint.post(cancel(1));
    expect(endpoint.sample.aborted).toEqual([]);
    await endpoint.post(cancel(1), session);
    const { status, text } = await running;
    expect([status, text]).toEqual([200, '']);
    expect(endpoint.sample.aborted).toEqual(['The caller has cancelled']);
    expect(endpoint.stats().inFlight).toBe(0);
  });

  it.each([
    ['the user has left', 'the user has left'],
    ['x'.repeat(201), 'x'.repeat(200)],
    [{ text: 'odd' }, 'The caller has cancelled'],
  ])('with the reason %j, which the service is told', async (reason, told) => {
    const endpoint = await start();
    const headers = { ...(await endpoint.startSession()), accept: 'application/json' };
    const running = endpoint.post(call('hang'), headers);
    await endpoint.untilWaiting(1);
    await endpoint.post(cancel(1, reason), headers);
    // A caller that accepts JSON only is told.
    expect((await running).json.error.message).toBe('Request cancelled');
    expect(endpoint.sample.aborted).toEqual([told]);
  });

  it.each([1, 2])('on disconnect, with %i requests in a pipeline', async (count) => {
    const endpoint = await start();
    const socket = await rawSocket(endpoint);
    socket.write(rawRequest([], JSON.stringify(call('hang'))).repeat(count));
    await endpoint.untilWaiting(count);
    socket.destroy();
    await until(() => endpoint.stats().inFlight === 0);
    expect(new Set(endpoint.sample.aborted)).toEqual(new Set(['The caller has disconnected']));
    expect(endpoint.errors).toEqual([]);
  });

  it('of 2026-07-28 when its stream is closed', async () => {
    const endpoint = await start();
    const controller = new AbortController();
    const kept = endpoint.postModern('tools/call', { name: 'hang' });
    const sent = { signal: controller.signal };
    const closed = endpoint.postModern('tools/call', { name: 'hang' }, sent);
    await endpoint.untilWaiting(2);
    controller.abort();
    await expect(closed).rejects.toThrow();
    await endpoint.untilWaiting(1);
    endpoint.sample.release();
    expect((await kept).json.result.content[0].text).toBe('"released"');
    expect(endpoint.sample.aborted).toEqual(['The caller has disconnected']);
  });

  it('with its session', async () => {
    const endpoint = await start();
    const headers = await endpoint.startSession();
    const running = endpoint.post(call('hang'), headers);
    await endpoint.untilWaiting(1);
    await endpoint.send({ method: 'DELETE', headers });
    expect((await running).status).toBe(200);
    expect(endpoint.sample.aborted).toEqual(['The session has ended']);
  });
});

describe('sessions', () => {
  type Session = Awaited<ReturnType<Endpoint['startSession']>>;
  const ping = async (endpoint: Endpoint, ...sessions: readonly Session[]): Promise<unknown> => {
    const statuses: number[] = [];
    for (const headers of sessions)
      statuses.push((await endpoint.post(rpc('ping'), headers)).status);
    return statuses;
  };

  it('are evicted, the least recently used first, when there are too many', async () => {
    const endpoint = await start({ limits: { maxSessions: 2 } });
    const [first, second] = [await endpoint.startSession(), await endpoint.startSession()];
    expect(await ping(endpoint, first)).toEqual([200]);
    const third = await endpoint.startSession();
    expect(await ping(endpoint, first, second, third)).toEqual([200, 404, 200]);
    expect(endpoint.stats().sessions).toBe(2);
  });

  it('are refused while all are busy', async () => {
    const endpoint = await start({ limits: { maxSessions: 1 } });
    const running = endpoint.post(call('hang'), await endpoint.startSession());
    await endpoint.untilWaiting(1);
    const opening = rpc('initialize', { protocolVersion: '2025-11-25' });
    const { status, json } = await endpoint.post(opening);
    const message = 'Too many sessions: all 1 are busy; retry later';
    expect([status, json.error.message]).toEqual([503, message]);
    endpoint.sample.release();
    await running;
    expect((await endpoint.startSession())['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('that are idle for too long end, but none with a stream', async () => {
    const endpoint = await start({ limits: { sessionIdleMs: 40 } });
    const [idle, streaming] = [await endpoint.startSession(), await endpoint.startSession()];
    const stream = await endpoint.readEvents({ 'mcp-session-id': streaming['mcp-session-id'] });
    await until(() => endpoint.stats().sessions === 1);
    expect(await ping(endpoint, idle, streaming)).toEqual([404, 200]);
    await stream.cut();
    await until(() => endpoint.stats().sessions === 0);
  });
});

describe('streams', () => {
  const open = async (endpoint: Endpoint, session: object) => {
    const headers = { accept: 'text/event-stream', ...session };
    const answer = await request(endpoint.url, { headers });
    answer.body.on('error', () => undefined);
    return answer;
  };

  it('are opened per GET, have keep-alive comments and end when they are closed', async () => {
    const endpoint = await start({ limits: { keepAliveMs: 10 } });
    const session = await endpoint.startSession({ revision: '2025-06-18' });
    const { statusCode, headers, body } = await open(endpoint, session);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream']);
    const [chunk] = (await once(body, 'data')) as [Buffer];
    expect(chunk.toString()).toBe(': keep-alive\n\n');
    expect(endpoint.stats().streams).toBe(1);
    body.destroy();
    await until(() => endpoint.stats().streams === 0);
  });

  it('of long calls have keep-alive comments for a caller that accepts a stream', async () => {
    const endpoint = await start({ limits: { keepAliveMs: 10 } });
    const streamed = endpoint.post(call('hang'));
    const plain = endpoint.post(call('hang'), { accept: 'application/json' });
    await endpoint.untilWaiting(2);
    await pause(50);
    endpoint.sample.release();
    expect((await streamed).text).toMatch(
      /^(: keep-alive\n\n)+event: message\ndata: \{"jsonrpc":"2.0","id":1,"result":.*\}\n\n$/,
    );
    expect((await plain).json.result.content[0].text).toBe('"released"');
  });

  it('end, the oldest of a session first, when there are too many', async () => {
    const endpoint = await start({ limits: { maxStreamsPerSession: 1 } });
    const session = await endpoint.startSession({ revision: '2025-06-18' });
    const first = await open(endpoint, session);
    const second = await open(endpoint, session);
    expect(await first.body.text()).toBe('');
    expect(endpoint.stats().streams).toBe(1);
    second.body.destroy();
  });

  it('are refused to a GET that cannot read them', async () => {
    const endpoint = await start();
    const headers = { ...(await endpoint.startSession()), accept: 'application/json' };
    expect((await endpoint.send({ method: 'GET', headers })).status).toBe(406);
  });

  it('end with the connection of a reader that does not read its answer', async () => {
    const endpoint = await start({ limits: { writeTimeoutMs: 50 } });
    const socket = await rawSocket(endpoint);
    socket.pause();
    socket.write(rawRequest([], JSON.stringify(call('big'))));
    await until(() => endpoint.requests.length === 1);
    expect((await readToEnd(socket.resume())).length).toBeLessThan(BIG_BYTES);
  });
});

describe('headers and bodies', () => {
  const PING = JSON.stringify(rpc('ping'));
  const statusOf = async (endpoint: Endpoint, bytes: string): Promise<number> => {
    const socket = await rawSocket(endpoint);
    socket.write(bytes);
    return Number((await readToEnd(socket)).split(' ', 2)[1]);
  };

  it('of too many bytes or lines are refused with 431, and no line is dropped', async () => {
    const endpoint = await start();
    const big = [`X-Big: ${'x'.repeat(17 * 1024)}`];
    expect(await statusOf(endpoint, rawRequest(big))).toBe(431);
    const close = 'Connection: close';
    const withLines = (count: number): string =>
      rawRequest([...Array.from({ length: count - 5 }, (_, at) => `X-${at}: 1`), close], PING);
    expect(await statusOf(endpoint, withLines(200))).toBe(200);
    expect(await statusOf(endpoint, withLines(201))).toBe(431);
    expect(await statusOf(endpoint, withLines(2_100))).toBe(431);
  });

  it.each(['POST /mcp HTTP/1.1\r\nHost: loc', rawRequest([], PING).slice(0, -3)])(
    'that arrive too slowly are given up: case %#',
    async (bytes) => {
      const serverLimits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 };
      const endpoint = await start({ serverLimits });
      expect(await statusOf(endpoint, bytes)).toBe(408);
      expect(endpoint.stats().bufferedBodyBytes).toBe(0);
    },
  );

  it('that are small are read while unfinished large ones occupy the memory for bodies', async () => {
    const budget = 4_096 * 200;
    const endpoint = await start({ limits: { maxBufferedBodyBytes: budget } });
    const socket = await rawSocket(endpoint);
    const head = rawRequest([]).replace('Content-Length: 0', `Content-Length: ${2 * budget}`);
    socket.write(head + ' '.repeat(budget));
    await until(() => endpoint.stats().bufferedBodyBytes >= budget);
    expect((await endpoint.post(rpc('ping'))).status).toBe(200);
    const large = await endpoint.post(rpc('ping', { filler: 'x'.repeat(1_000) }));
    const data = { reason: 'bodies-full', limit: budget };
    expect([large.status, large.json.error.data]).toEqual([503, data]);
    socket.destroy();
    await until(() => endpoint.stats().bufferedBodyBytes === 0);
  });

  it('that are read at one moment are bounded', async () => {
    const endpoint = await start({ limits: { maxBufferedBodyBytes: 1_000 } });
    const first = await rawSocket(endpoint);
    first.write(rawRequest([], 'x'.repeat(900)).slice(0, -1));
    await until(() => endpoint.stats().bufferedBodyBytes === 899);
    const send = () => endpoint.post(call('echo', { text: 'y'.repeat(200) }));
    const refused = await send();
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    first.destroy();
    await until(() => endpoint.stats().bufferedBodyBytes === 0);
    expect((await send()).status).toBe(200);
  });
});
