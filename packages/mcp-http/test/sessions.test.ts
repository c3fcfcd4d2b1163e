import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { Session as Inspector } from 'node:inspector/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { SessionStore } from '../src/sessions/session-store.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import {
  call,
  openSession,
  post,
  rawRequest,
  rawSocket,
  readToEnd,
  rpc,
  send,
  until,
} from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const KEY = Buffer.alloc(32, 1);

const ping = async (endpoint: InteractiveEndpoint, session: string): Promise<number> =>
  (await post(endpoint.url, rpc('ping'), { 'mcp-session-id': session })).status;

describe('a session', () => {
  it('is served by every replica that has the key, and by no other', async () => {
    const [one, two, stranger] = [
      await start({ sessionKey: KEY }),
      await start({ sessionKey: KEY }),
      await start({ sessionKey: Buffer.alloc(32, 2) }),
    ];
    const session = await openSession(one.url);
    expect([await ping(two, session), await ping(one, session)]).toEqual([200, 200]);
    expect(await ping(stranger, session)).toBe(404);
    expect(await ping(await start(), session)).toBe(404);
  });

  it('preserves its revision and its capabilities across replicas', async () => {
    const [one, two] = [await start({ sessionKey: KEY }), await start({ sessionKey: KEY })];
    const params = { protocolVersion: '2025-03-26', capabilities: { roots: {} } };
    const opened = await post(one.url, rpc('initialize', params));
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    expect((await post(two.url, [rpc('ping')], headers)).status).toBe(200);
    const asked = rpc('tools/call', { name: 'capabilities', arguments: {} });
    const answer = await post(two.url, asked, headers);
    expect(answer.json.result.content[0].text).toBe('{"roots":{}}');
  });

  it('that was evicted while idle is restored', async () => {
    const endpoint = await start({ limits: { maxSessions: 2, sessionRestMs: 0 } });
    const sessions = [
      await openSession(endpoint.url),
      await openSession(endpoint.url),
      await openSession(endpoint.url),
    ];
    for (const session of [...sessions, ...sessions])
      expect(await ping(endpoint, session)).toBe(200);
    expect(endpoint.mcp.stats().sessions).toBe(2);
  });

  it('that its client has ended stays ended in this process, even when it was never stored here', async () => {
    const endpoint = await start({ limits: { maxSessions: 1, sessionRestMs: 0 } });
    const session = await openSession(endpoint.url);
    const headers = { 'mcp-session-id': session };
    expect((await send(endpoint.url, { method: 'DELETE', headers })).status).toBe(204);
    await openSession(endpoint.url);
    expect(await ping(endpoint, session)).toBe(404);
  });

  it.each(['__proto__', '%F0%9F%98%80', 'a'.repeat(12_000), '0'.repeat(36), 'aaaa, bbbb'])(
    'with the id %s does not exist',
    async (session) => {
      expect(await ping(await start(), session)).toBe(404);
    },
  );

  it('named twice in one request does not exist', async () => {
    const endpoint = await start();
    const session = await openSession(endpoint.url);
    const socket = await rawSocket(endpoint);
    const body = JSON.stringify(rpc('ping'));
    socket.write(
      [
        'POST /mcp HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        'Connection: close',
        `Mcp-Session-Id: ${session}`,
        `Mcp-Session-Id: ${session}`,
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('streams that are requested behind a request on one connection', () => {
  it.each(['2025-06-18', '2025-11-25'])('go with it, in revision %s', async (revision) => {
    const endpoint = await start({ limits: { resumeWindowMs: 20 } });
    const session = await openSession(endpoint.url, revision);
    const socket = await rawSocket(endpoint);
    const headers = [`Mcp-Session-Id: ${session}`, `Mcp-Protocol-Version: ${revision}`];
    const waiting = JSON.stringify(call('wait'));
    const reporting = JSON.stringify(call('wait', {}, { progressToken: 't' }));
    const stream = [
      'GET /mcp HTTP/1.1',
      'Host: localhost',
      'Accept: text/event-stream',
      ...headers,
    ];
    socket.write(rawRequest(headers, waiting));
    socket.write(rawRequest(headers, reporting));
    socket.write([...stream, '', ''].join('\r\n'));
    await until(
      () => endpoint.interactive.waiting.length === 2 && endpoint.mcp.stats().streams === 1,
    );
    endpoint.interactive.waiting[1]?.onProgress?.({ progress: 1 });
    socket.destroy();
    await until(() => endpoint.mcp.stats().streams === 0 && endpoint.mcp.stats().inFlight === 0);
    expect(endpoint.interactive.aborted).toHaveLength(2);
  });
});

describe('the store of sessions', () => {
  const limits = {
    ...DEFAULT_MCP_HTTP_LIMITS,
    maxSessions: 2,
    sessionIdleMs: 1_000,
    sessionMaxAgeMs: 5_000,
    sessionRestMs: 100,
    maxEndedSessions: 2,
  };
  const storesAt = (clock: { now: number }) => {
    const store = (): SessionStore =>
      new SessionStore(limits, () => clock.now, { key: KEY, wallClock: () => clock.now });
    return [store(), store()] as const;
  };

  it('ends a session at its age in every replica, however much it is used', () => {
    const clock = { now: 1_000_000 };
    const [one, two] = storesAt(clock);
    const id = one.create('2025-11-25')?.id ?? '';
    clock.now += 5_000;
    expect([one.use(id)?.id, two.use(id)?.id]).toEqual([id, id]);
    clock.now += 1;
    expect([one.use(id), two.use(id)]).toEqual([undefined, undefined]);
  });

  it('restores a session only when there is room, or in place of one that was idle long enough', () => {
    const clock = { now: 1_000_000 };
    const [one, two] = storesAt(clock);
    const id = one.create('2025-11-25')?.id ?? '';
    const own = [two.create('2025-11-25'), two.create('2025-11-25')];
    expect(two.use(id)).toBeUndefined();
    clock.now += 100;
    two.use(own[0]?.id ?? '');
    expect(two.use(id)?.id).toBe(id);
    expect([...two.list()].map((session) => session.id)).toEqual([own[0]?.id, id]);
  });

  it('remembers ended sessions, a bounded number of them', () => {
    const clock = { now: 1_000_000 };
    const [store] = storesAt(clock);
    const ids = [0, 1, 2].map(() => {
      const session = store.create('2025-11-25');
      if (session !== undefined) store.end(session);
      return session?.id ?? '';
    });
    expect(ids.map((id) => store.use(id)?.id)).toEqual([ids[0], undefined, undefined]);
  });

  it('ends an idle session, so that its id is not accepted again', () => {
    const clock = { now: 1_000_000 };
    const [one, two] = storesAt(clock);
    const id = one.create('2025-11-25')?.id ?? '';
    clock.now += 1_000;
    for (const session of one.listExpired()) one.end(session);
    expect([one.use(id), two.use(id)?.id]).toEqual([undefined, id]);
  });
});

describe('1,000 idle sessions', () => {
  it('take less than 10 MB', async () => {
    const inspector = new Inspector();
    inspector.connect();
    const heap = async (): Promise<number> => {
      await inspector.post('HeapProfiler.collectGarbage');
      return process.memoryUsage().heapUsed;
    };
    const endpoint = await start();
    const open = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 50) {
        await Promise.all(Array.from({ length: 50 }, () => openSession(endpoint.url)));
      }
    };
    await open(50);
    const before = await heap();
    await open(900);
    const grown = (await heap()) - before;
    inspector.disconnect();
    await until(() => endpoint.mcp.stats().sessions === 950);
    // Nine tenths of them: a margin of four fifths.
    expect(grown).toBeLessThan(2_000_000);
  });
});
