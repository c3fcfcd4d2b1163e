import { Session as Inspector } from 'node:inspector/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { parseClientFeatures, toClientCapabilities } from '../src/protocol/client-features.ts';
import { LEGACY_REVISIONS } from '../src/protocol/client-message.ts';
import { SessionStore } from '../src/sessions/session-store.ts';
import { SessionTokens } from '../src/sessions/session-token.ts';
import { start, type InteractiveEndpoint } from './endpoint.ts';
import {
  call,
  rawGet,
  rawRequest,
  rawSocket,
  readAnswer,
  readToEnd,
  rpc,
  until,
} from './wire-client.ts';

const KEY = Buffer.alloc(32, 1);
const PING = JSON.stringify(rpc('ping'));

const openSession = async (endpoint: InteractiveEndpoint, revision?: string): Promise<string> =>
  (await endpoint.startSession(revision === undefined ? {} : { revision }))['mcp-session-id'];

const ping = async (endpoint: InteractiveEndpoint, session: string): Promise<number> =>
  (await endpoint.post(rpc('ping'), { 'mcp-session-id': session })).status;

describe('a session', () => {
  it('is served by every replica that has the key, and by no other', async () => {
    const [one, two] = [await start({ sessionKey: KEY }), await start({ sessionKey: KEY })];
    const session = await openSession(one);
    expect([await ping(two, session), await ping(one, session)]).toEqual([200, 200]);
    for (const options of [{ sessionKey: Buffer.alloc(32, 2) }, {}])
      expect(await ping(await start(options), session)).toBe(404);
  });

  it('preserves its revision and its capabilities across replicas', async () => {
    const [one, two] = [await start({ sessionKey: KEY }), await start({ sessionKey: KEY })];
    const opened = { revision: '2025-03-26', capabilities: { roots: {} } };
    const headers = { 'mcp-session-id': (await one.startSession(opened))['mcp-session-id'] };
    expect((await two.post([rpc('ping')], headers)).status).toBe(200);
    expect(readAnswer(await two.post(call('capabilities'), headers))).toEqual({ roots: {} });
  });

  it('that was evicted while idle is restored', async () => {
    const endpoint = await start({ limits: { maxSessions: 2, sessionRestMs: 0 } });
    const sessions: string[] = [];
    for (let at = 0; at < 3; at += 1) sessions.push(await openSession(endpoint));
    for (const session of [...sessions, ...sessions])
      expect(await ping(endpoint, session)).toBe(200);
    expect(endpoint.stats().sessions).toBe(2);
  });

  it('that its client has ended stays ended in this process, even when it was never stored here', async () => {
    const endpoint = await start({ limits: { maxSessions: 1, sessionRestMs: 0 } });
    const headers = await endpoint.startSession();
    expect((await endpoint.send({ method: 'DELETE', headers })).status).toBe(204);
    await openSession(endpoint);
    expect(await ping(endpoint, headers['mcp-session-id'])).toBe(404);
  });

  it.each(['__proto__', '%F0%9F%98%80', 'a'.repeat(12_000), '0'.repeat(36), 'aaaa, bbbb'])(
    'with the id %s does not exist',
    async (session) => {
      expect(await ping(await start(), session)).toBe(404);
    },
  );

  it('named twice in one request does not exist', async () => {
    const endpoint = await start();
    const line = `Mcp-Session-Id: ${await openSession(endpoint)}`;
    const socket = await rawSocket(endpoint);
    socket.write(rawRequest(['Connection: close', line, line], PING));
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

it.each(['2025-06-18', '2025-11-25'])(
  'streams that are requested behind a request on one connection go with it, in revision %s',
  async (revision) => {
    const endpoint = await start({ limits: { resumeWindowMs: 20 } });
    const session = await openSession(endpoint, revision);
    const socket = await rawSocket(endpoint);
    const headers = [`Mcp-Session-Id: ${session}`, `Mcp-Protocol-Version: ${revision}`];
    for (const meta of [undefined, { progressToken: 't' }])
      socket.write(rawRequest(headers, JSON.stringify(call('wait', {}, meta))));
    socket.write(rawGet(headers));
    await endpoint.untilWaiting(2);
    await until(() => endpoint.stats().streams === 1);
    endpoint.report(1);
    socket.destroy();
    await until(() => endpoint.stats().streams === 0 && endpoint.stats().inFlight === 0);
    expect(endpoint.interactive.aborted).toHaveLength(2);
  },
);

describe('the store of sessions', () => {
  const figures = { maxSessions: 2, sessionIdleMs: 1_000, sessionMaxAgeMs: 5_000 };
  const limits = {
    ...DEFAULT_MCP_HTTP_LIMITS,
    ...figures,
    sessionRestMs: 100,
    maxEndedSessions: 2,
  };
  const storesAt = (clock: { now: number }, changes: Partial<typeof limits> = {}) => {
    const now = (): number => clock.now;
    const store = (): SessionStore =>
      new SessionStore({ ...limits, ...changes }, now, { key: KEY, wallClock: now });
    return [store(), store()] as const;
  };
  const create = (store: SessionStore): string => store.create('2025-11-25')?.id ?? '';

  it('finds a session by its id and by nothing else', () => {
    const [store] = storesAt({ now: 0 });
    const session = store.create('2025-11-25');
    expect(store.use(session?.id ?? '')).toBe(session);
    for (const id of ['', '__proto__', 'constructor']) expect(store.use(id)).toBeUndefined();
  });

  it('never exceeds its number of sessions', () => {
    const [store] = storesAt({ now: 0 }, { sessionRestMs: 0 });
    for (let at = 0; at < 50; at += 1) store.create('2025-11-25');
    expect(store.size).toBe(2);
  });

  it('ends a session at its age in every replica, however much it is used', () => {
    const clock = { now: 1_000_000 };
    const [one, two] = storesAt(clock);
    const id = create(one);
    clock.now += 5_000;
    expect([one.use(id)?.id, two.use(id)?.id]).toEqual([id, id]);
    clock.now += 1;
    expect([one.use(id), two.use(id)]).toEqual([undefined, undefined]);
  });

  it('restores a session only when there is room, or in place of one that was idle long enough', () => {
    const clock = { now: 1_000_000 };
    const [one, two] = storesAt(clock);
    const id = create(one);
    const own = [create(two), create(two)] as const;
    expect(two.use(id)).toBeUndefined();
    clock.now += 100;
    two.use(own[0]);
    expect(two.use(id)?.id).toBe(id);
    expect([...two.list()].map((session) => session.id)).toEqual([own[0], id]);
  });

  it('remembers ended sessions, a bounded number of them', () => {
    const [store] = storesAt({ now: 1_000_000 });
    const ids = [0, 1, 2].map(() => {
      const session = store.create('2025-11-25');
      if (session !== undefined) store.end(session);
      return session?.id ?? '';
    });
    expect(ids.map((id) => store.use(id)?.id)).toEqual([ids[0], undefined, undefined]);
  });

  it('ends idle sessions, so that their ids are not accepted again, and retains those in use', () => {
    const clock = { now: 1_000_000 };
    const [one, two] = storesAt(clock);
    const [idle, used] = [create(one), create(one)];
    clock.now += 600;
    one.use(used);
    clock.now += 400;
    for (const session of one.listExpired()) one.end(session);
    expect([...one.list()].map(({ id }) => id)).toEqual([used]);
    expect([one.use(idle), two.use(idle)?.id]).toEqual([undefined, idle]);
  });
});

it('1,000 idle sessions take less than 10 MB', async () => {
  const inspector = new Inspector();
  inspector.connect();
  const heap = async (): Promise<number> => {
    await inspector.post('HeapProfiler.collectGarbage');
    return process.memoryUsage().heapUsed;
  };
  const endpoint = await start();
  const open = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 50)
      await Promise.all(Array.from({ length: 50 }, () => openSession(endpoint)));
  };
  await open(50);
  const before = await heap();
  await open(900);
  const grown = (await heap()) - before;
  inspector.disconnect();
  await until(() => endpoint.stats().sessions === 950);
  // Nine tenths of them: a margin of four fifths.
  expect(grown).toBeLessThan(2_000_000);
});

describe('a session id', () => {
  const facts = { features: 0b0100_1001, issuedAt: 1_760_000_000_000, owner: '' };
  const FACTS = { revision: '2025-11-25', ...facts };
  const tokens = new SessionTokens(KEY);

  it("carries the revision, the client's features and the time of issue, for every holder of the key", () => {
    const id = tokens.issue(FACTS);
    expect(id).toMatch(/^[0-9a-f]{36}$/);
    expect(new SessionTokens(KEY).read(id)).toEqual(FACTS);
    expect(new SessionTokens(Buffer.alloc(32, 8)).read(id)).toBeUndefined();
    expect(new SessionTokens().read(id)).toBeUndefined();
    for (const revision of LEGACY_REVISIONS)
      expect(tokens.read(tokens.issue({ ...FACTS, revision }))?.revision).toBe(revision);
  });

  it('is different each time, also in its first 8 characters, which logs show', () => {
    const ids = Array.from({ length: 1_000 }, () => tokens.issue(FACTS));
    expect(new Set(ids).size).toBe(1_000);
    expect(new Set(ids.slice(0, 50).map((id) => id.slice(0, 8))).size).toBe(50);
  });

  it('is invalid after any change', () => {
    const id = tokens.issue(FACTS);
    const anyChar = fc.constantFrom(...Array.from('0123456789abcdefABCDEF-é'));
    fc.assert(
      fc.property(fc.nat(35), anyChar, (at, char) => {
        fc.pre(id[at] !== char);
        expect(tokens.read(id.slice(0, at) + char + id.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  it('is not anything else', () => {
    const zeros = ['0'.repeat(36), '0'.repeat(10_000_000), '00000000-0000-4000-8000-000000000000'];
    for (const id of ['', '__proto__', 'constructor', '😀'.repeat(18), ...zeros])
      expect(tokens.read(id)).toBeUndefined();
  });
});

describe('the capabilities of a client', () => {
  it.each([
    [{}, {}],
    [{ sampling: {} }, { sampling: {} }],
    [{ sampling: { tools: {}, 'x-own': {} } }, { sampling: { tools: {} } }],
    [{ elicitation: { form: {}, url: {} } }, { elicitation: { form: {}, url: {} } }],
    [{ roots: { listChanged: true }, tools: {} }, { roots: { listChanged: true } }],
    [{ sampling: true, elicitation: null, roots: [] }, {}],
    [null, {}],
    ['sampling', {}],
    [JSON.parse('{"__proto__":{"sampling":{}}}'), {}],
  ])('of %j are kept as %j', (declared, kept) => {
    expect(toClientCapabilities(parseClientFeatures(declared))).toEqual(kept);
  });

  it('come back the same from every combination of bits, and always fit in one byte', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.jsonValue(), (bits, declared) => {
        const features = parseClientFeatures(toClientCapabilities(bits));
        expect(parseClientFeatures(toClientCapabilities(features))).toBe(features);
        expect(parseClientFeatures(declared)).toBeLessThan(256);
      }),
    );
  });
});
