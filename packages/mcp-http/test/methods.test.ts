import { describe, expect, it, onTestFinished } from 'vitest';
import type { McpService, ServiceCapabilities } from '../src/index.ts';
import { serveEndpoint, type EndpointOptions } from './endpoint.ts';
import { call, eventsOf, rpc } from './wire-client.ts';
import { FOREIGN_JSON, wideService } from './wide-service.ts';

const META = { 'io.modelcontextprotocol/serverInfo': { name: 'wide', version: '1.0.0' } };
const CACHED = { resultType: 'complete', cacheScope: 'private', _meta: META };
const FOREIGN = JSON.parse(FOREIGN_JSON) as object;

const named = (name: string) => ({ headers: { 'mcp-name': name } });

/** Serves a service until the test is over. */
const start = async (service: object, options?: EndpointOptions) => {
  const endpoint = await serveEndpoint({ ...wideService(), ...service }, options);
  onTestFinished(() => endpoint.drain(0));
  return endpoint;
};

describe.each([{ later: false }, { later: true }])('a service that answers, %j', (options) => {
  const startWide = () =>
    start(wideService(options), { limits: { listTtlMs: 60_000, resourceTtlMs: 1_000 } });

  const arguments_ = [{ name: 'who', required: true }];
  const LISTS = {
    'tools/list': { tools: [{ name: 'text', inputSchema: { type: 'object' }, 'x-own': 1 }] },
    'resources/list': { resources: [{ uri: 'file:///a', name: 'a' }] },
    'resources/templates/list': {
      resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'any' }],
    },
    'prompts/list': { prompts: [{ name: 'greet', arguments: arguments_ }] },
  };

  it.each(Object.entries(LISTS))(
    'answers %s, where null counts as absent, and tells a client of 2026-07-28 how long to keep it',
    async (method, result) => {
      const { post, postModern } = await startWide();
      expect((await post(rpc(method))).json.result).toEqual(result);
      const cached = { ...result, ...CACHED, ttlMs: 60_000 };
      expect((await postModern(method)).json.result).toEqual(cached);
      const paged = await post(rpc(method, { cursor: 'x' }));
      const message = 'Invalid cursor: the list has one page';
      expect(paged.json.error).toEqual({ code: -32602, message });
      const absent = [null, { cursor: null }, { _meta: null }, { _meta: { progressToken: null } }];
      for (const params of absent)
        expect((await post(rpc(method, params))).json.result).toEqual(result);
      expect((await postModern(method, { cursor: null })).json.result).toEqual(cached);
    },
  );

  it.each([
    ['tools/call', { name: 'text', arguments: null }, 'text'],
    ['prompts/get', { name: 'greet', arguments: null }, 'greet'],
    ['resources/read', { uri: 'file:///a', inputResponses: null, requestState: null }, 'file:///a'],
  ])('answers %s where null counts as absent', async (method, params, name) => {
    const { post, postModern } = await startWide();
    for (const _meta of [null, { progressToken: null }])
      expect((await post(rpc(method, { ...params, _meta }))).json).toHaveProperty('result');
    expect((await postModern(method, params, named(name))).json).toHaveProperty('result');
  });

  it('answers resources/read and preserves the caching members of the server', async () => {
    const { post, postModern } = await startWide();
    const contents = [{ uri: 'file:///a', text: 'x' }];
    const legacy = await post(rpc('resources/read', { uri: 'file:///a' }));
    expect(legacy.json.result).toEqual({ contents });
    const read = async (uri: string) =>
      (await postModern('resources/read', { uri }, named(uri))).json.result;
    expect(await read('file:///a')).toEqual({ contents, ...CACHED, ttlMs: 1_000 });
    expect(await read('file:///kept')).toMatchObject({ ttlMs: 5_000, cacheScope: 'public' });
  });

  it('answers prompts/get and completion/complete', async () => {
    const { post } = await startWide();
    const got = await post(rpc('prompts/get', { name: 'greet', arguments: { who: 'é' } }));
    expect(got.json.result.messages[0].content.text).toBe('{"who":"é"}');
    const ref = { type: 'ref/prompt', name: 'greet' };
    const argument = { name: 'w', value: 'a' };
    const completed = await post(rpc('completion/complete', { ref, argument }));
    expect(completed.json.result).toEqual({ completion: { values: ['a!'], hasMore: false } });
  });

  it('passes the error of a service on as it is', async () => {
    const { post, postModern } = await startWide();
    const uri = 'file:///none';
    const error = { message: 'Resource not found', data: { uri } };
    const legacy = await post(rpc('resources/read', { uri }));
    expect([legacy.status, legacy.json.error]).toEqual([200, { code: -32002, ...error }]);
    const modern = await postModern('resources/read', { uri }, named(uri));
    expect([modern.status, modern.json.error]).toEqual([200, { code: -32602, ...error }]);
  });

  const [name, value] = ['x', 'x'];
  it.each([
    ['resources/read', {}, 'params.uri must be a string'],
    ['resources/read', { uri: 7 }, 'params.uri must be a string'],
    ['prompts/get', {}, 'params.name must be a string'],
    ['prompts/get', { name: 'greet', arguments: [] }, 'params.arguments must be an object'],
    ['completion/complete', {}, 'params.ref must be an object'],
    ['completion/complete', { ref: {} }, 'params.argument must be an object'],
    [
      'completion/complete',
      { ref: {}, argument: { value } },
      'params.argument.name must be a string',
    ],
    [
      'completion/complete',
      { ref: {}, argument: { name } },
      'params.argument.value must be a string',
    ],
    [
      'completion/complete',
      { ref: {}, argument: { name, value }, context: 1 },
      'params.context must be an object',
    ],
    ['tools/call', { name: 'text', requestState: 1 }, 'params.requestState must be a string'],
    ['tools/call', { name: 'text', inputResponses: [] }, 'params.inputResponses must be an object'],
  ])('refuses %s of %j', async (method, params, message) => {
    const { json } = await (await startWide()).post(rpc(method, params));
    expect(json.error).toEqual({ code: -32602, message });
  });

  it('writes the text of a service as it is, byte for byte, and on one line of an event stream', async () => {
    const { post, postModern } = await startWide();
    const { text } = await post(call('text'));
    expect(text).toBe(`{"jsonrpc":"2.0","id":1,"result":${FOREIGN_JSON}}`);
    const modern = await postModern('tools/call', { name: 'text' });
    expect(modern.text).toContain(FOREIGN_JSON.slice(1));
    expect(modern.json.result).toEqual({ ...FOREIGN, resultType: 'complete', _meta: META });
    const streamed = await post(call('text'), { accept: 'text/event-stream' });
    expect(streamed.text.split('\n').filter((line) => line !== '')).toHaveLength(2);
    expect(eventsOf(streamed.text)).toEqual([{ jsonrpc: '2.0', id: 1, result: FOREIGN }]);
  });

  it('adds the _meta of a result to its text', async () => {
    const { post, postModern } = await startWide();
    const _meta = { 'example.org/by': 'é' };
    expect((await post(call('marked'))).json.result).toEqual({ ...FOREIGN, _meta });
    const modern = await postModern('tools/call', { name: 'marked' });
    expect(modern.json.result._meta).toEqual({ ...META, ..._meta });
  });

  it.each([
    ['resources/read', { uri: 'file:///a' }, {}],
    ['resources/read', { uri: 'file:///a' }, named('file:///b')],
    ['prompts/get', { name: 'greet' }, named('other')],
  ])('requires the mirrored name in %s of %j: %j', async (method, params, sent) => {
    const { status, json } = await (await startWide()).postModern(method, params, sent);
    expect([status, json.error.code]).toEqual([400, -32020]);
  });
});

it('declares the capabilities of the service and serves no other method', async () => {
  const capabilities = { prompts: { listChanged: true } };
  const { post, postModern } = await start({ capabilities });
  const initialized = await post(rpc('initialize', { protocolVersion: '2025-11-25' }));
  expect(initialized.json.result.capabilities).toEqual(capabilities);
  expect((await postModern('server/discover')).json.result.capabilities).toEqual(capabilities);
  expect((await post(rpc('prompts/list'))).json.result).toBeDefined();
  for (const method of ['tools/list', 'tools/call', 'resources/read', 'completion/complete']) {
    expect((await post(rpc(method, {}))).json.error.code).toBe(-32601);
    expect((await postModern(method)).status).toBe(404);
  }
});

it('writes a list once for as long as the service gives the same array', async () => {
  let written = 0;
  const item = { name: 'a', toJSON: () => ({ name: 'a', written: (written += 1) }) };
  let items = [item];
  const { post } = await start({ list: () => ({ ok: true, items }) });
  const list = async (): Promise<unknown> =>
    (await post(rpc('tools/list'))).json.result.tools[0].written;
  expect([await list(), await list()]).toEqual([1, 1]);
  items = [item];
  expect([await list(), await list()]).toEqual([2, 2]);
});

it('answers a list that the service refuses or fails on with an error', async () => {
  const refused = { code: -32602, message: 'Bad toolset' };
  const list: McpService['list'] = (method) => {
    if (method === 'tools/list') throw new Error('secret');
    return { ok: false, error: refused };
  };
  const { post, errors } = await start({ list });
  const internal = { code: -32603, message: 'Internal error' };
  expect((await post(rpc('tools/list'))).json.error).toEqual(internal);
  expect((await post(rpc('prompts/list'))).json.error).toEqual(refused);
  expect(errors).toEqual([new Error('secret')]);
});

describe.each([{ later: false }, { later: true }])('an answer that is none, %j', ({ later }) => {
  const withData = (data: unknown) => ({ ok: false, error: { code: -1, message: 'odd', data } });
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['no JSON', withData(1n)],
    ['too deep to be written', withData(deep)],
  ])('is an internal error: %s', async (_name, answer) => {
    const { post, errors, stats } = await start({
      call: () => (later ? Promise.resolve(answer) : answer),
    });
    const { json } = await post(call('text'));
    expect(json.error).toEqual({ code: -32603, message: 'Internal error' });
    expect([errors.length, stats().inFlight]).toEqual([1, 0]);
  });
});

it('capabilities are served and declared from the moment the service has them, and no longer', async () => {
  let capabilities: ServiceCapabilities = { tools: {} };
  const service = {
    call: () => ({ ok: true, result: { completion: { values: ['whole'] } } }),
    subscribe: () => Promise.resolve({ ok: true, end: () => undefined }),
  };
  const change = (wide: McpService): McpService =>
    Object.defineProperty({ ...wide }, 'capabilities', { get: () => capabilities });
  const { post, postModern, startSession } = await start(service, { change });
  const uri = 'file:///a';
  const complete = { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'b', value: 'w' } };
  const outcomes = async () => {
    const session = await startSession();
    const ask = async (method: string, params: object) =>
      (await post(rpc(method, params), session)).json.error?.code ?? 'served';
    return [
      await ask('completion/complete', complete),
      await ask('logging/setLevel', { level: 'info' }),
      await ask('resources/subscribe', { uri }),
      await ask('resources/unsubscribe', { uri }),
      (await postModern('completion/complete', complete)).status,
    ];
  };
  const none = Array<number>(4).fill(-32_601);
  expect(await outcomes()).toEqual([...none, 404]);
  capabilities = { tools: {}, completions: {}, logging: {}, resources: { subscribe: true } };
  expect(await outcomes()).toEqual([...Array<string>(4).fill('served'), 200]);
  expect((await postModern('server/discover')).json.result.capabilities).toEqual(capabilities);
  capabilities = { tools: {} };
  expect(await outcomes()).toEqual([...none, 404]);
});

describe('a call that needs more of the client than it declared', () => {
  const data = { requiredCapabilities: { sampling: {} } };
  const error = { code: -32_021, message: 'Missing capability', data };
  const params = { name: 'sampling', arguments: {} };

  it('is answered with 400 for 2026-07-28, and is an error like another for earlier revisions', async () => {
    const { post, postModern } = await start({ call: () => ({ ok: false, error }) });
    const modern = await postModern('tools/call', params);
    expect([modern.status, modern.json.error]).toEqual([400, error]);
    const legacy = await post(rpc('tools/call', params));
    expect([legacy.status, legacy.json.error]).toEqual([200, error]);
  });
});
