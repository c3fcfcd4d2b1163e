import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { SessionStore } from '../src/sessions/session-store.ts';
import { SessionTokens } from '../src/sessions/session-token.ts';
import { readEvents } from './event-reader.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { memoryBus } from './peer-bus.ts';
import { as, user, SIGNED_IN } from './principals.ts';
import { call, post, postModern, rpc, send, until, type Answer } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const KEY = Buffer.alloc(32, 5);
const LIMITS = { ...DEFAULT_MCP_HTTP_LIMITS, maxSessions: 10, sessionIdleMs: 1_000 };

const sessionOf = async ({ url }: InteractiveEndpoint, name: string) => {
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} } };
  const { headers } = await post(url, rpc('initialize', params), as(name));
  return {
    'mcp-session-id': String(headers['mcp-session-id']),
    'mcp-protocol-version': '2025-11-25',
  };
};

/** The facts of an answer that a caller can compare. */
const seenOf = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.keys(headers).filter((name) => name !== 'date'),
});

describe('a session of a principal', () => {
  it.each(['POST', 'GET', 'DELETE'] as const)(
    'does not exist for another principal: %s is answered exactly as for an unknown session',
    async (method) => {
      const endpoint = await start({ ...SIGNED_IN, sessionKey: KEY });
      const session = await sessionOf(endpoint, 'ada');
      const unknown = { ...session, 'mcp-session-id': '0'.repeat(48) };
      const body = method === 'POST' ? { body: JSON.stringify(rpc('ping')) } : {};
      const sent = (name: string, headers: object): Promise<Answer> =>
        send(endpoint.url, { method, ...body, headers: { ...headers, ...as(name) } });
      const foreign = seenOf(await sent('grace', session));
      expect(foreign.status).toBe(404);
      expect(foreign).toEqual(seenOf(await sent('grace', unknown)));
      expect((await post(endpoint.url, rpc('ping'), { ...session, ...as('ada') })).status).toBe(
        200,
      );
    },
  );

  it('is not restored for another principal by another replica', async () => {
    const one = await start({ ...SIGNED_IN, sessionKey: KEY });
    const two = await start({ ...SIGNED_IN, sessionKey: KEY });
    const session = await sessionOf(one, 'ada');
    expect((await post(two.url, rpc('ping'), { ...session, ...as('grace') })).status).toBe(404);
    expect(two.mcp.stats().sessions).toBe(0);
    expect((await post(two.url, rpc('ping'), { ...session, ...as('ada') })).status).toBe(200);
  });

  it('takes answers to its questions from its principal alone', async () => {
    const endpoint = await start(SIGNED_IN);
    const session = await sessionOf(endpoint, 'ada');
    const question = { method: 'elicitation/create', params: { message: 'Your name?' } };
    const reader = await readEvents(endpoint.url, {
      headers: { ...session, ...as('ada') },
      body: call('ask', { questions: [question] }),
    });
    const [{ id }] = await reader.atLeast(1);
    const response = { jsonrpc: '2.0', id, result: { action: 'decline' } };
    const foreign = await post(endpoint.url, response, { ...session, ...as('grace') });
    const own = await sessionOf(endpoint, 'grace');
    expect(foreign.status).toBe(404);
    await post(endpoint.url, response, { ...own, ...as('grace') });
    expect(reader.messages()).toHaveLength(1);
    await post(endpoint.url, response, { ...session, ...as('ada') });
    await reader.ended();
    expect(reader.messages()).toHaveLength(2);
  });

  it.each([1, 2])('lets its principal alone resume a stream (%i processes)', async (processes) => {
    const bus = memoryBus();
    const options = { ...SIGNED_IN, sessionKey: KEY };
    const one = await start({ ...options, peers: bus.join('one') });
    const two = processes === 1 ? one : await start({ ...options, peers: bus.join('two') });
    const session = await sessionOf(one, 'ada');
    const reader = await readEvents(one.url, { headers: { ...session, ...as('ada') } });
    await until(() => reader.lastId() !== undefined);
    reader.cut();
    const resumed = { ...session, 'last-event-id': String(reader.lastId()) };
    const foreign = await send(two.url, { method: 'GET', headers: { ...resumed, ...as('grace') } });
    expect(foreign.status).toBe(404);
    const own = await readEvents(two.url, { headers: { ...resumed, ...as('ada') } });
    own.cut();
  });
});

describe('a suspended call of 2026-07-28', () => {
  it.each([1, 2])('is resumed by its principal alone (%i processes)', async (processes) => {
    const bus = memoryBus();
    const options = { ...SIGNED_IN, sessionKey: KEY, limits: { peerTimeoutMs: 500 } };
    const one = await start({ ...options, peers: bus.join('one') });
    const two = processes === 1 ? one : await start({ ...options, peers: bus.join('two') });
    const params = {
      name: 'ask',
      arguments: { questions: [{ method: 'elicitation/create', params: { message: 'Name?' } }] },
      _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } },
    };
    const asked = await postModern(one.url, 'tools/call', params, { headers: as('ada') });
    const { requestState, inputRequests } = asked.json.result;
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map((key) => [key, { action: 'decline' }]),
    );
    const retry = { ...params, requestState, inputResponses };
    const foreign = await postModern(two.url, 'tools/call', retry, { headers: as('grace') });
    expect(foreign.json.error.message).toBe('The requestState belongs to another request');
    const own = await postModern(two.url, 'tools/call', retry, { headers: as('ada') });
    expect(own.json.result.resultType).toBe('complete');
  });
});

describe('the id of a session', () => {
  it('carries a keyed digest of its principal, and no digest of the anonymous one', () => {
    const tokens = new SessionTokens(KEY);
    const owner = tokens.computeOwner(user('ada').key);
    expect(owner).toMatch(/^[0-9a-f]{12}$/);
    expect(new SessionTokens(Buffer.alloc(32, 6)).computeOwner(user('ada').key)).not.toBe(owner);
    const facts = { revision: '2025-11-25', features: 0, issuedAt: 1_760_000_000_000, owner };
    const id = tokens.issue(facts);
    expect(id).toMatch(/^[0-9a-f]{48}$/);
    expect(tokens.read(id)).toEqual(facts);
    expect(tokens.computeOwner('anonymous')).toBe('');
  });

  it('serves exactly the principal that started the session', () => {
    const key = fc.string({ minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(key, key, fc.boolean(), (one, other, isRestored) => {
        const store = new SessionStore(LIMITS, () => 0, { key: KEY });
        const id = store.create('2025-11-25', 0, one)?.id ?? '';
        const asked = isRestored ? new SessionStore(LIMITS, () => 0, { key: KEY }) : store;
        expect(asked.useFor({ key: other }, id) !== undefined).toBe(one === other);
        expect(asked.useFor({ key: one }, id)?.id).toBe(id);
        expect(asked.useFor({ key: other }, id) !== undefined).toBe(one === other);
      }),
    );
  });

  it('of the anonymous principal does not serve one that signed in, and the reverse', () => {
    const store = new SessionStore(LIMITS, () => 0, { key: KEY });
    const anonymous = store.create('2025-11-25')?.id ?? '';
    const owned = store.create('2025-11-25', 0, user('ada').key)?.id ?? '';
    expect(store.useFor(user('ada'), anonymous)).toBeUndefined();
    expect(store.useFor({ key: 'anonymous' }, owned)).toBeUndefined();
    expect(store.useFor({ key: 'anonymous' }, anonymous)?.id).toBe(anonymous);
  });
});

describe('the streams of a principal', () => {
  it('are closed with its session, whatever another principal sends', async () => {
    const endpoint = await start(SIGNED_IN);
    const session = await sessionOf(endpoint, 'ada');
    const reader = await readEvents(endpoint.url, { headers: { ...session, ...as('ada') } });
    await send(endpoint.url, { method: 'DELETE', headers: { ...session, ...as('grace') } });
    expect(endpoint.mcp.stats().streams).toBe(1);
    await send(endpoint.url, { method: 'DELETE', headers: { ...session, ...as('ada') } });
    await reader.ended();
    await until(() => endpoint.mcp.stats().streams === 0);
  });
});
