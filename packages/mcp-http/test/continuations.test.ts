import { describe, expect, it } from 'vitest';
import type { McpService } from '../src/index.ts';
import { computeFingerprint } from '../src/calls/suspended-calls.ts';
import { start, startTwo, type InteractiveEndpoint } from './endpoint.ts';
import { interactiveService } from './interactive-service.ts';
import { openStdio } from './stdio-client.ts';
import { call, ENVELOPE, pause, rpc } from './wire-client.ts';

const CAPABILITIES = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const ELICITATION = { method: 'elicitation/create', params: { message: 'Your name?' } };
const inputResponses = { q1: { action: 'accept', content: { name: 'Ada' } } };

const REFUSED = { code: -32602, message: 'x-group is not a group' };
const OUTSIDE = { content: [{ type: 'text', text: 'outside the group' }], isError: true };
const ANOTHER = { code: -32602, message: 'The requestState belongs to another request' };
const LOST = 'Last-Event-ID names nothing that can be resumed; start again without it';

/** `x-group: bad` is refused whatever it requests; `x-group: narrow` admits no call and no resource; everything else admits all. */
const change = (service: McpService): McpService => ({
  ...service,
  scopeHeaders: ['x-group'],
  refuseHeaders: ({ header }) => (header('x-group')?.[0] === 'bad' ? REFUSED : undefined),
  refuseCall: ({ method }, { header }) => {
    const group = header('x-group')?.[0];
    if (group === 'bad') return { ok: false, error: REFUSED };
    if (group !== 'narrow') return undefined;
    return method === 'tools/call'
      ? { ok: true, result: OUTSIDE }
      : { ok: false, error: { code: -32602, message: 'outside the group' } };
  },
});

const BAD = { 'x-group': 'bad' };
const NARROW = { 'x-group': 'narrow' };
const WIDE = { 'x-group': 'wide' };

const asking = (params: object = {}): object => ({
  name: 'ask',
  arguments: { questions: [ELICITATION] },
  ...params,
});

const ask = (endpoint: InteractiveEndpoint, params: object = {}, headers = {}) =>
  endpoint.postModern('tools/call', { ...asking(params), _meta: CAPABILITIES }, { headers });

const suspend = async (endpoint: InteractiveEndpoint): Promise<string> =>
  (await ask(endpoint)).json.result.requestState as string;

const PLACES = ['its process', 'another process'] as const;

/** The process where a test continues what it began at the first one. */
const startAt = async (place: (typeof PLACES)[number]) => {
  const { one, two } = await startTwo({ change });
  return { one, at: place === 'another process' ? two : one };
};

/** Starts a call and loses its stream. Returns the headers that resume it. */
const loseStream = async (endpoint: InteractiveEndpoint, session: Record<string, string>) => {
  const opening = endpoint.readEvents(session, call('wait', {}, { progressToken: 't' }));
  await endpoint.untilWaiting(1);
  endpoint.report(1);
  const reader = await opening;
  await reader.atLeast(1);
  return { ...session, ...(await reader.cut()) };
};

describe('the retry of a suspended call', () => {
  it.each(PLACES)(
    'is answered as a new call under headers that do not admit the call, and the call keeps waiting, in %s',
    async (place) => {
      const { one, at } = await startAt(place);
      const requestState = await suspend(one);
      const retry = (headers: object) => ask(at, { requestState, inputResponses }, headers);
      expect((await retry(NARROW)).json.result).toMatchObject(OUTSIDE);
      expect((await retry(BAD)).json.error).toEqual(REFUSED);
      const { text } = await retry(WIDE);
      expect(text).toContain('"resultType":"complete"');
      expect(text).toContain('Ada');
    },
  );

  it.each([
    ['other arguments', { arguments: { questions: [] } }],
    ['one argument more', { arguments: { questions: [ELICITATION], more: 1 } }],
    ['no arguments', { arguments: undefined }],
    ['another tool', { name: 'ask-in-turn' }],
    ['another parameter', { task: {} }],
  ])('with %s belongs to another request', async (_title, params) => {
    const { one, two } = await startTwo({ change });
    const requestState = await suspend(one);
    for (const endpoint of [one, two]) {
      const { json } = await ask(endpoint, { requestState, inputResponses, ...params });
      expect(json.error).toEqual(ANOTHER);
    }
    expect((await ask(one, { requestState, inputResponses })).text).toContain('Ada');
  });

  it('of another method belongs to another request, and the keys of its arguments have no order', async () => {
    const endpoint = await start({ change });
    const requestState = await suspend(endpoint);
    const params = asking({ requestState, inputResponses });
    const { json } = await endpoint.postModern('prompts/get', params);
    expect(json.error).toEqual(ANOTHER);
    const questions = [{ params: ELICITATION.params, method: ELICITATION.method }];
    const reordered = { requestState, inputResponses, arguments: { questions } };
    expect((await ask(endpoint, reordered)).text).toContain('Ada');
  });

  it('is refused on standard input and output too when the service no longer admits the call', async () => {
    let group: readonly string[] | undefined;
    const header = (name: string) => (name === 'x-group' ? group : undefined);
    const client = openStdio(change(interactiveService().service), { header });
    const _meta = { ...ENVELOPE, ...CAPABILITIES };
    const tryCall = (params: object = {}) =>
      client.ask(rpc('tools/call', asking({ ...params, _meta })));
    const { requestState } = (await tryCall()).result;
    group = ['narrow'];
    expect(await tryCall({ requestState, inputResponses })).toMatchObject({ result: OUTSIDE });
    group = ['bad'];
    expect(await tryCall({ requestState, inputResponses })).toMatchObject({ error: REFUSED });
    group = undefined;
    const admitted = await tryCall({ requestState, inputResponses });
    expect(JSON.stringify(admitted)).toContain('Ada');
  });
});

describe('the hash of a call', () => {
  const method = 'tools/call';
  const request = { method, params: { name: 'a', arguments: { x: [1, { b: 2 }] } } };
  const anonymous = { key: 'anonymous' };

  it('differs for another principal', () => {
    const keys = ['anonymous', '["https://one.example","ada"]', '["https://two.example","ada"]'];
    const hashes = keys.map((key) => computeFingerprint(request, { key }));
    expect(new Set(hashes).size).toBe(3);
  });

  it('covers own keys such as __proto__, and not the members of one round', () => {
    const withProto = JSON.parse('{"name":"a","arguments":{"__proto__":{"x":1}}}') as object;
    const other = { method, params: { name: 'a', arguments: {} } };
    expect(computeFingerprint({ method, params: { ...withProto } }, anonymous)).not.toBe(
      computeFingerprint(other, anonymous),
    );
    const params = { ...request.params, _meta: {}, inputResponses: {}, requestState: 's' };
    const own = computeFingerprint(request, anonymous);
    expect(computeFingerprint({ method, params }, anonymous)).toBe(own);
  });

  it.each([
    [498, 'string'],
    [499, 'undefined'],
    [100_000, 'undefined'],
  ])('of arguments with %i nested lists is a %s', (levels, type) => {
    const deep = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    const params = { name: 'a', arguments: { deep } };
    expect(typeof computeFingerprint({ method, params }, anonymous)).toBe(type);
  });
});

describe('a stream of a session', () => {
  it('is refused under headers that the service refuses', async () => {
    const endpoint = await start({ change });
    const session = await endpoint.startSession();
    const headers = { ...session, ...BAD };
    const { status, json } = await endpoint.send({ method: 'GET', headers });
    expect([status, json.error]).toEqual([400, REFUSED]);
    expect((await endpoint.readEvents({ ...session, ...NARROW })).status).toBe(200);
  });

  it.each(PLACES)(
    'with the answer of a call is resumed only under headers that admit the call, in %s',
    async (place) => {
      const { one, at } = await startAt(place);
      const lost = await loseStream(one, await one.startSession());
      const narrow = await at.send({ method: 'GET', headers: { ...lost, ...NARROW } });
      expect([narrow.status, narrow.json.error.message]).toEqual([400, LOST]);
      const wide = await at.readEvents({ ...lost, ...WIDE });
      one.interactive.release();
      await wide.ended();
      expect(wide.messages()).toMatchObject([{ id: 1, result: {} }]);
    },
  );

  it('is never taken for the stream of another process that has the same number', async () => {
    const { one, two } = await startTwo({ change });
    const session = await one.startSession();
    const headers = await loseStream(one, session);
    const other = two.readEvents(session, call('wait', { secret: 2 }, { progressToken: 'u' }));
    await two.untilWaiting(1);
    two.report(2);
    const reader = await other;
    await reader.atLeast(1);
    const again = await two.readEvents(headers);
    one.report(3);
    expect(await again.atLeast(1)).toMatchObject([{ params: { progressToken: 't', progress: 3 } }]);
    two.interactive.release();
    await reader.ended();
    expect(reader.messages()).toMatchObject([{ params: { progressToken: 'u' } }, { id: 1 }]);
  });

  it.each(PLACES)('announces the lists of the headers that resumed it, in %s', async (place) => {
    const { one, at } = await startAt(place);
    for (const { interactive } of [one, at]) {
      interactive.setTools('wide', ['a', 'b']);
      interactive.setTools('narrow', ['a']);
    }
    const session = await one.startSession();
    const reader = await one.readEvents({ ...session, ...WIDE });
    await reader.opened();
    const again = await at.readEvents({ ...session, ...(await reader.cut()), ...NARROW });
    one.interactive.changed('tools');
    // The lists of the new headers differ from those of the old ones.
    await again.atLeast(1);
    one.interactive.setTools('wide', ['a', 'b', 'c']);
    one.interactive.changed('tools');
    one.interactive.setTools('narrow', ['a', 'z']);
    await new Promise((resolve) => setImmediate(resolve));
    one.interactive.changed('tools');
    await again.atLeast(2);
    await pause(30);
    const changed = 'notifications/tools/list_changed';
    expect(again.messages().map(({ method }) => method as unknown)).toEqual([changed, changed]);
  });
});

describe('other requests that continue something', () => {
  it('refuses to listen under headers that the service refuses', async () => {
    const { postModern } = await start({ change });
    const params = { notifications: { toolsListChanged: true } };
    const { json } = await postModern('subscriptions/listen', params, { headers: BAD });
    expect(json.error).toEqual(REFUSED);
  });

  it('refuses a second subscription to a resource under headers that do not admit it', async () => {
    const endpoint = await start({ change });
    const session = await endpoint.startSession();
    const subscribe = async (headers: object): Promise<unknown> => {
      const body = rpc('resources/subscribe', { uri: 'file:///a' });
      const { json } = await endpoint.post(body, { ...session, ...headers });
      return (json.error ?? json.result) as unknown;
    };
    expect(await subscribe(WIDE)).toEqual({});
    expect(await subscribe(NARROW)).toEqual({ code: -32602, message: 'outside the group' });
    expect(await subscribe(BAD)).toEqual(REFUSED);
    expect(await subscribe(WIDE)).toEqual({});
  });

  it('refuses the answer to a question under headers that the service refuses, and the call keeps waiting', async () => {
    const endpoint = await start({ change });
    const session = await endpoint.startSession({ capabilities: { elicitation: {} } });
    const reader = await endpoint.readEvents(session, call('ask', { questions: [ELICITATION] }));
    const [{ id }] = await reader.atLeast(1);
    const answer = { jsonrpc: '2.0', id, result: inputResponses.q1 };
    const bad = await endpoint.post(answer, { ...session, ...BAD });
    expect([bad.status, bad.json.error]).toEqual([400, REFUSED]);
    expect((await endpoint.post(answer, session)).status).toBe(202);
    await reader.ended();
    expect(JSON.stringify(reader.messages().at(-1))).toContain('Ada');
  });
});
