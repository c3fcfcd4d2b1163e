import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { SessionStore } from '../src/sessions/session-store.ts';
import { SessionTokens } from '../src/sessions/session-token.ts';
import { start, startTwo, type InteractiveEndpoint } from './endpoint.ts';
import { as, user, SIGNED_IN } from './principals.ts';
import { call, rpc, until, type Answer } from './wire-client.ts';

const KEY = Buffer.alloc(32, 5);
const LIMITS = { ...DEFAULT_MCP_HTTP_LIMITS, maxSessions: 10, sessionIdleMs: 1_000 };
const [ADA, GRACE] = [as('ada'), as('grace')];
const elicitation = {};

const sessionOf = ({ startSession }: InteractiveEndpoint, headers = ADA) =>
  startSession({ capabilities: { elicitation }, headers });

/** The facts of an answer that a caller can compare. */
const seenOf = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.keys(headers).filter((name) => name !== 'date'),
});

/** The process where a session starts and the one where it goes on: one or two. */
const startProcesses = async (count: number) => {
  const { one, two } = await startTwo(SIGNED_IN);
  return [one, count === 1 ? one : two] as const;
};

describe('a session of a principal', () => {
  it.each(['POST', 'GET', 'DELETE'] as const)(
    'does not exist for another principal: %s is answered exactly as for an unknown session',
    async (method) => {
      const endpoint = await start(SIGNED_IN);
      const session = await sessionOf(endpoint);
      const body = method === 'POST' ? { body: JSON.stringify(rpc('ping')) } : {};
      const answerTo = async (headers: object) =>
        seenOf(await endpoint.send({ method, ...body, headers: { ...headers, ...GRACE } }));
      const foreign = await answerTo(session);
      expect(foreign.status).toBe(404);
      expect(foreign).toEqual(await answerTo({ ...session, 'mcp-session-id': '0'.repeat(48) }));
      expect((await endpoint.post(rpc('ping'), { ...session, ...ADA })).status).toBe(200);
    },
  );

  it('is not restored for another principal by another replica', async () => {
    const options = { ...SIGNED_IN, sessionKey: KEY };
    const [one, two] = [await start(options), await start(options)];
    const session = await sessionOf(one);
    expect((await two.post(rpc('ping'), { ...session, ...GRACE })).status).toBe(404);
    expect(two.stats().sessions).toBe(0);
    expect((await two.post(rpc('ping'), { ...session, ...ADA })).status).toBe(200);
  });

  it('takes answers to its questions from its principal alone', async () => {
    const endpoint = await start(SIGNED_IN);
    const { post, readEvents } = endpoint;
    const own = { ...(await sessionOf(endpoint)), ...ADA };
    const question = { method: 'elicitation/create', params: { message: 'Your name?' } };
    const reader = await readEvents(own, call('ask', { questions: [question] }));
    const [{ id }] = await reader.atLeast(1);
    const response = { jsonrpc: '2.0', id, result: { action: 'decline' } };
    expect((await post(response, { ...own, ...GRACE })).status).toBe(404);
    await post(response, { ...(await sessionOf(endpoint, GRACE)), ...GRACE });
    expect(reader.messages()).toHaveLength(1);
    await post(response, own);
    await reader.ended();
    expect(reader.messages()).toHaveLength(2);
  });

  it.each([1, 2])('lets its principal alone resume a stream (%i processes)', async (count) => {
    const [one, two] = await startProcesses(count);
    const session = await sessionOf(one);
    const reader = await one.readEvents({ ...session, ...ADA });
    await reader.opened();
    const resumed = { ...session, ...(await reader.cut()) };
    const foreign = await two.send({ method: 'GET', headers: { ...resumed, ...GRACE } });
    expect(foreign.status).toBe(404);
    expect((await two.readEvents({ ...resumed, ...ADA })).status).toBe(200);
  });

  it('ends with its streams by its principal alone', async () => {
    const endpoint = await start(SIGNED_IN);
    const session = await sessionOf(endpoint);
    const reader = await endpoint.readEvents({ ...session, ...ADA });
    await endpoint.send({ method: 'DELETE', headers: { ...session, ...GRACE } });
    expect(endpoint.stats().streams).toBe(1);
    await endpoint.send({ method: 'DELETE', headers: { ...session, ...ADA } });
    await reader.ended();
    await until(() => endpoint.stats().streams === 0);
  });
});

it.each([1, 2])(
  'a suspended call of 2026-07-28 is resumed by its principal alone (%i processes)',
  async (count) => {
    const [one, two] = await startProcesses(count);
    const question = { method: 'elicitation/create', params: { message: 'Name?' } };
    const params = {
      name: 'ask',
      arguments: { questions: [question] },
      _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation } },
    };
    const asked = await one.postModern('tools/call', params, { headers: ADA });
    const { requestState } = asked.json.result;
    const retry = { ...params, requestState, inputResponses: { q1: { action: 'decline' } } };
    const foreign = await two.postModern('tools/call', retry, { headers: GRACE });
    expect(foreign.json.error.message).toBe('The requestState belongs to another request');
    const own = await two.postModern('tools/call', retry, { headers: ADA });
    expect(own.json.result.resultType).toBe('complete');
  },
);

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

  it('serves exactly the principal that started the session, who may be anonymous', () => {
    const key = fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.constant('anonymous'));
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
});
