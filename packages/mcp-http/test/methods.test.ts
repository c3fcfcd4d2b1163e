import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpHttp, serveHttp, type HttpServing } from '../src/index.ts';
import { call, eventsOf, post, postModern, rpc } from './wire-client.ts';
import { FOREIGN_JSON, wideService } from './wide-service.ts';

const META = { 'io.modelcontextprotocol/serverInfo': { name: 'wide', version: '1.0.0' } };
const URI = { headers: { 'mcp-name': 'file:///a' } };

describe.each([{ later: false }, { later: true }])('a service that answers, %j', (options) => {
  let serving: HttpServing;
  let url: string;
  beforeAll(async () => {
    const mcp = createMcpHttp(wideService(options), {
      limits: { listTtlMs: 60_000, resourceTtlMs: 1_000 },
    });
    serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp });
    url = `${serving.url}/mcp`;
  });
  afterAll(() => serving.drain(0));

  it.each([
    ['tools/list', { tools: [{ name: 'text', inputSchema: { type: 'object' }, 'x-own': 1 }] }],
    ['resources/list', { resources: [{ uri: 'file:///a', name: 'a' }] }],
    [
      'resources/templates/list',
      { resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'any' }] },
    ],
    [
      'prompts/list',
      { prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }] },
    ],
  ])('answers %s, and tells a client of 2026-07-28 how long to keep it', async (method, result) => {
    expect((await post(url, rpc(method))).json.result).toEqual(result);
    expect((await postModern(url, method)).json.result).toEqual({
      ...result,
      resultType: 'complete',
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: META,
    });
    const paged = await post(url, rpc(method, { cursor: 'x' }));
    expect(paged.json.error.message).toBe('Invalid cursor: the list has one page');
  });

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    'answers %s where null counts as absent',
    async (method) => {
      for (const params of [
        null,
        { cursor: null },
        { _meta: null },
        { _meta: { progressToken: null } },
      ])
        expect((await post(url, rpc(method, params))).json).toHaveProperty('result');
      expect((await postModern(url, method, { cursor: null })).json).toHaveProperty('result');
    },
  );

  it.each([
    ['tools/call', { name: 'text', arguments: null }, 'text'],
    ['prompts/get', { name: 'greet', arguments: null }, 'greet'],
    ['resources/read', { uri: 'file:///a', inputResponses: null, requestState: null }, 'file:///a'],
  ])('answers %s where null counts as absent', async (method, params, name) => {
    const legacy = await post(url, rpc(method, { ...params, _meta: null }));
    expect(legacy.json).toHaveProperty('result');
    const tokens = { ...params, _meta: { progressToken: null } };
    expect((await post(url, rpc(method, tokens))).json).toHaveProperty('result');
    const modern = await postModern(url, method, params, { headers: { 'mcp-name': name } });
    expect(modern.json).toHaveProperty('result');
  });

  it('answers resources/read and preserves the caching members of the server', async () => {
    const contents = [{ uri: 'file:///a', text: 'x' }];
    const legacy = await post(url, rpc('resources/read', { uri: 'file:///a' }));
    expect(legacy.json.result).toEqual({ contents });
    const modern = await postModern(url, 'resources/read', { uri: 'file:///a' }, URI);
    expect(modern.json.result).toEqual({
      contents,
      resultType: 'complete',
      ttlMs: 1_000,
      cacheScope: 'private',
      _meta: META,
    });
    const kept = await postModern(
      url,
      'resources/read',
      { uri: 'file:///kept' },
      { headers: { 'mcp-name': 'file:///kept' } },
    );
    expect(kept.json.result).toMatchObject({ ttlMs: 5_000, cacheScope: 'public' });
  });

  it('answers prompts/get and completion/complete', async () => {
    const got = await post(url, rpc('prompts/get', { name: 'greet', arguments: { who: 'é' } }));
    expect(got.json.result.messages[0].content.text).toBe('{"who":"é"}');
    const params = {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'w', value: 'a' },
    };
    const completed = await post(url, rpc('completion/complete', params));
    expect(completed.json.result).toEqual({ completion: { values: ['a!'], hasMore: false } });
  });

  it('passes the error of a service on as it is', async () => {
    const answer = await post(url, rpc('resources/read', { uri: 'file:///none' }));
    expect([answer.status, answer.json.error]).toEqual([
      200,
      { code: -32002, message: 'Resource not found', data: { uri: 'file:///none' } },
    ]);
    const named = { headers: { 'mcp-name': 'file:///none' } };
    const modern = await postModern(url, 'resources/read', { uri: 'file:///none' }, named);
    expect([modern.status, modern.json.error]).toEqual([
      200,
      { code: -32602, message: 'Resource not found', data: { uri: 'file:///none' } },
    ]);
  });

  it.each([
    ['resources/read', {}, 'params.uri must be a string'],
    ['resources/read', { uri: 7 }, 'params.uri must be a string'],
    ['prompts/get', {}, 'params.name must be a string'],
    ['prompts/get', { name: 'greet', arguments: [] }, 'params.arguments must be an object'],
    ['completion/complete', {}, 'params.ref must be an object'],
    ['completion/complete', { ref: {} }, 'params.argument must be an object'],
    [
      'completion/complete',
      { ref: {}, argument: { value: 'x' } },
      'params.argument.name must be a string',
    ],
    [
      'completion/complete',
      { ref: {}, argument: { name: 'x' } },
      'params.argument.value must be a string',
    ],
    [
      'completion/complete',
      { ref: {}, argument: { name: 'x', value: '' }, context: 1 },
      'params.context must be an object',
    ],
    ['tools/call', { name: 'text', requestState: 1 }, 'params.requestState must be a string'],
    ['tools/call', { name: 'text', inputResponses: [] }, 'params.inputResponses must be an object'],
  ])('refuses %s of %j', async (method, params, message) => {
    expect((await post(url, rpc(method, params))).json.error).toEqual({ code: -32602, message });
  });

  it('writes the text of a service as it is, byte for byte', async () => {
    const { text } = await post(url, call('text'));
    expect(text).toBe(`{"jsonrpc":"2.0","id":1,"result":${FOREIGN_JSON}}`);
    const modern = await postModern(url, 'tools/call', { name: 'text' });
    expect(modern.text).toContain(FOREIGN_JSON.slice(1));
    expect(modern.json.result).toEqual({
      ...JSON.parse(FOREIGN_JSON),
      resultType: 'complete',
      _meta: META,
    });
  });

  it('adds the _meta of a result to its text', async () => {
    const { json } = await post(url, call('marked'));
    expect(json.result).toEqual({ ...JSON.parse(FOREIGN_JSON), _meta: { 'example.org/by': 'é' } });
    const modern = await postModern(url, 'tools/call', { name: 'marked' });
    expect(modern.json.result._meta).toEqual({ ...META, 'example.org/by': 'é' });
  });

  it('writes the text on one line of an event stream', async () => {
    const { text } = await post(url, call('text'), { accept: 'text/event-stream' });
    expect(text.split('\n').filter((line) => line !== '')).toHaveLength(2);
    expect(eventsOf(text)).toEqual([
      { jsonrpc: '2.0', id: 1, result: JSON.parse(FOREIGN_JSON) as unknown },
    ]);
  });

  it('requires the mirrored name of a resource and of a prompt', async () => {
    const missing = await postModern(url, 'resources/read', { uri: 'file:///a' });
    expect([missing.status, missing.json.error.code]).toEqual([400, -32020]);
    const other = { headers: { 'mcp-name': 'file:///b' } };
    const wrong = await postModern(url, 'resources/read', { uri: 'file:///a' }, other);
    expect([wrong.status, wrong.json.error.code]).toEqual([400, -32020]);
    const named = { headers: { 'mcp-name': 'other' } };
    const prompt = await postModern(url, 'prompts/get', { name: 'greet' }, named);
    expect([prompt.status, prompt.json.error.code]).toEqual([400, -32020]);
    expect((await postModern(url, 'prompts/get', { name: 'greet' })).status).toBe(200);
  });
});

it('declares the capabilities of the service and serves no other method', async () => {
  const service = { ...wideService(), capabilities: { prompts: { listChanged: true } } };
  const serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp: createMcpHttp(service) });
  const url = `${serving.url}/mcp`;
  const initialized = await post(url, rpc('initialize', { protocolVersion: '2025-11-25' }));
  expect(initialized.json.result.capabilities).toEqual({ prompts: { listChanged: true } });
  const discovered = await postModern(url, 'server/discover');
  expect(discovered.json.result.capabilities).toEqual({ prompts: { listChanged: true } });
  expect((await post(url, rpc('prompts/list'))).json.result).toBeDefined();
  for (const method of ['tools/list', 'tools/call', 'resources/read', 'completion/complete']) {
    expect((await post(url, rpc(method, {}))).json.error.code).toBe(-32601);
    expect((await postModern(url, method)).status).toBe(404);
  }
  await serving.drain(0);
});

it('writes a list once for as long as the service gives the same array', async () => {
  let written = 0;
  const item = { name: 'a', toJSON: () => ({ name: 'a', written: (written += 1) }) };
  let items = [item];
  const service = { ...wideService(), list: () => ({ ok: true as const, items }) };
  const serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp: createMcpHttp(service) });
  const list = async (): Promise<unknown> =>
    (await post(`${serving.url}/mcp`, rpc('tools/list'))).json.result.tools[0].written;
  expect([await list(), await list()]).toEqual([1, 1]);
  items = [item];
  expect([await list(), await list()]).toEqual([2, 2]);
  await serving.drain(0);
});

it('answers a list that the service refuses or fails on with an error', async () => {
  const errors: unknown[] = [];
  const list = (method: string) => {
    if (method === 'tools/list') throw new Error('secret');
    return { ok: false as const, error: { code: -32602, message: 'Bad toolset' } };
  };
  const mcp = createMcpHttp({ ...wideService(), list }, { onError: (error) => errors.push(error) });
  const serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp });
  const errorOf = async (method: string): Promise<unknown> =>
    (await post(`${serving.url}/mcp`, rpc(method))).json.error;
  expect(await errorOf('tools/list')).toEqual({ code: -32603, message: 'Internal error' });
  expect(await errorOf('prompts/list')).toEqual({ code: -32602, message: 'Bad toolset' });
  expect(errors).toEqual([new Error('secret')]);
  await serving.drain(0);
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
    const errors: unknown[] = [];
    const given = answer as never;
    const callService = () => (later ? Promise.resolve(given) : given);
    const service = { ...wideService(), call: callService };
    const mcp = createMcpHttp(service, { onError: (error) => errors.push(error) });
    const serving = await serveHttp({ host: '127.0.0.1', port: 0, mcp });
    const { json } = await post(`${serving.url}/mcp`, call('text'));
    expect(json.error).toEqual({ code: -32603, message: 'Internal error' });
    expect(errors).toHaveLength(1);
    expect(mcp.stats().inFlight).toBe(0);
    await serving.drain(0);
  });
});
