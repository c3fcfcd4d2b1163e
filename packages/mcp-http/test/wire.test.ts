import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSample, type Endpoint } from './endpoint.ts';
import { ODD_RESULT } from './sample-service.ts';
import { BOTH, call, eventsOf, readAnswer, rpc, tell } from './wire-client.ts';

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await serveSample();
});
afterAll(() => endpoint.drain(0));

const post = (value: unknown, headers?: Parameters<Endpoint['post']>[1]) =>
  endpoint.post(value, headers);
const postModern = (method: string, params?: object) => endpoint.postModern(method, params);

const serverInfo = { name: 'sample', version: '1.2.3', title: 'Sample' };
const META = { 'io.modelcontextprotocol/serverInfo': serverInfo };

describe('negotiation', () => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('answers initialize for %s with %s', async (protocolVersion, agreed) => {
    const clientInfo = { name: 'wire', version: '1' };
    const params = { capabilities: {}, clientInfo, protocolVersion };
    const { json, headers } = await post(rpc('initialize', params));
    const capabilities = { tools: {} };
    const result = { protocolVersion: agreed, capabilities, serverInfo, instructions: 'Use echo.' };
    expect(json).toEqual({ jsonrpc: '2.0', id: 1, result });
    expect(headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('refuses initialize without a revision and starts no session', async () => {
    const { status, json, headers } = await post(rpc('initialize', {}));
    expect([status, json.error.code]).toEqual([200, -32602]);
    expect(headers['mcp-session-id']).toBeUndefined();
  });

  it('answers server/discover', async () => {
    expect((await postModern('server/discover')).json.result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      instructions: 'Use echo.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: META,
    });
  });

  it.each(['2025-11-25', '2025-03-26'])('accepts the revision header %s', async (revision) => {
    const { status, text } = await post(rpc('ping'), { 'mcp-protocol-version': revision });
    expect([status, text]).toEqual([200, '{"jsonrpc":"2.0","id":1,"result":{}}']);
  });

  it.each(['2020-01-01', '2.0', ''])('refuses the revision header %j', async (revision) => {
    const { status, json } = await post(rpc('ping'), { 'mcp-protocol-version': revision });
    expect([status, json.error.code]).toEqual([400, -32000]);
  });
});

describe('sessions', () => {
  it('are not needed, and the tool gets the id of one', async () => {
    const without = await post(call('echo', { a: 1 }));
    expect(readAnswer(without)).toEqual({ args: { a: 1 } });
    expect(without.headers['mcp-session-id']).toBeUndefined();
    const session = await endpoint.startSession();
    const sessionId = session['mcp-session-id'];
    expect(readAnswer(await post(call('echo'), session))).toEqual({ args: {}, sessionId });
  });

  it('that are unknown are answered 404 for every method', async () => {
    const headers = { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' };
    const { status, json } = await post(rpc('ping', undefined, 'p'), headers);
    const message = 'Session not found; start a new one with initialize';
    const error = { code: -32001, message };
    expect([status, json]).toEqual([404, { jsonrpc: '2.0', id: 'p', error }]);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await endpoint.send({ method, headers })).status).toBe(404);
  });

  it('end by DELETE', async () => {
    const headers = await endpoint.startSession();
    expect((await post(rpc('ping'), headers)).status).toBe(200);
    expect((await endpoint.send({ method: 'DELETE', headers })).status).toBe(204);
    expect((await post(rpc('ping'), headers)).status).toBe(404);
  });

  it.each([
    ['GET', 'POST'],
    ['DELETE', 'POST'],
    ['PUT', 'GET, POST, DELETE'],
    ['OPTIONS', 'GET, POST, DELETE'],
  ] as const)('are needed for %s; without one, allowed are %s', async (method, allow) => {
    const { status, headers } = await endpoint.send({ method });
    expect([status, headers['allow']]).toEqual([405, allow]);
  });

  it('separate the headers of their requests', async () => {
    const session = await endpoint.startSession();
    const toolsets = Array.from({ length: 20 }, (_, at) => `server:s${at}`);
    const answers = await Promise.all(
      toolsets.map((toolset) =>
        post(call('later-headers'), { ...session, 'x-gateway-toolset': toolset }),
      ),
    );
    const expected = toolsets.map((toolset) => [[toolset], [toolset]]);
    expect(answers.map(readAnswer)).toEqual(expected);
    expect(readAnswer(await post(call('headers'), session))).toEqual([null]);
  });

  it('pass repeated header lines on in order and an empty line as empty', async () => {
    const lines = ['server:a, server:b', '', 'tool:c'];
    const answer = await post(call('headers'), { 'X-Gateway-Toolset': lines });
    expect(readAnswer(answer)).toEqual([['server:a, server:b', '', 'tool:c']]);
  });
});

describe('results', () => {
  it('of lists have the tools as the service has them, unknown keys included, on one page', async () => {
    const { tools } = (await post(rpc('tools/list'))).json.result;
    const properties = { value: { type: 'string' } };
    expect(tools[0]).toEqual({
      name: 'echo',
      description: 'The tool echo',
      inputSchema: { type: 'object', properties, 'x-own': true },
      annotations: { readOnlyHint: true, 'x-hint': 1 },
    });
    expect((await postModern('tools/list')).json.result.tools).toEqual(tools);
  });

  it('have everything in it; of 2026-07-28 also the members that the revision requires', async () => {
    expect((await post(call('odd'))).json.result).toEqual(ODD_RESULT);
    expect((await postModern('tools/call', { name: 'odd' })).json.result).toEqual({
      ...ODD_RESULT,
      resultType: 'complete',
      _meta: { ...ODD_RESULT._meta, ...META },
    });
  });

  it('are computed from _meta without the keys of the transport', async () => {
    const legacy = await post(call('echo', {}, { progressToken: 1, traceparent: '00-a' }));
    const _meta = { progressToken: 'p', traceparent: '00-b' };
    const modern = await postModern('tools/call', { name: 'echo', _meta });
    expect(readAnswer(legacy)).toMatchObject({ meta: { traceparent: '00-a' } });
    expect(readAnswer(legacy)).not.toHaveProperty('meta.progressToken');
    expect(readAnswer(modern)).toEqual({ meta: { traceparent: '00-b' } });
  });

  it.each([
    [{ name: 'nobody' }, 'Unknown tool: "nobody"'],
    [{ name: 'toString' }, 'Unknown tool: "toString"'],
    [{ name: 7 }, 'params.name must be a string'],
    [{}, 'params.name must be a string'],
    [{ name: 'echo', arguments: [] }, 'params.arguments must be an object'],
  ])('of tools/call with %j are an error of the protocol', async (params, message) => {
    const { status, json } = await post(rpc('tools/call', params));
    expect([status, json.error]).toEqual([200, { code: -32602, message }]);
  });

  it.each(['resources/list', 'logging/setLevel', 'constructor', ''])(
    'do not exist of the method %j',
    async (method) => {
      const legacy = await post(rpc(method));
      const modern = await postModern(method);
      expect([legacy.status, legacy.json.error.code]).toEqual([200, -32601]);
      expect([modern.status, modern.json.error.code]).toEqual([404, -32601]);
    },
  );
});

describe('framing', () => {
  const progressToken = 't';
  const half = { progressToken, progress: 1, total: 2, message: 'half' };
  const odd = { 'x-unit': ['files'], _meta: { 'example.org/step': 2 } };
  const PROGRESS = [
    tell('notifications/progress', half),
    tell('notifications/progress', { progressToken, progress: 2, total: 2, ...odd }),
    { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '"asked"' }] } },
  ];
  const progress = call('progress', {}, { progressToken });

  it('is JSON when there is only the result to send, and an event stream from the first progress on', async () => {
    expect((await post(call('echo'))).headers['content-type']).toBe('application/json');
    const { headers, text } = await post(progress);
    expect(headers['content-type']).toBe('text/event-stream');
    expect(eventsOf(text)).toEqual(PROGRESS);
  });

  it('of a batch is an event stream from the first progress on', async () => {
    const { text } = await post([rpc('ping', undefined, 'a'), progress]);
    const events = eventsOf(text) as { readonly id?: unknown }[];
    const pong = { jsonrpc: '2.0', id: 'a', result: {} };
    expect(events.filter(({ id }) => id !== 'a')).toEqual(PROGRESS);
    expect(events.filter(({ id }) => id === 'a')).toEqual([pong]);
  });

  it('is the one that the caller accepts', async () => {
    const plain = await post(progress, { accept: 'application/json' });
    expect(plain.json).toEqual(PROGRESS[2]);
    const streamed = await post(rpc('ping'), { accept: 'text/event-stream' });
    expect(eventsOf(streamed.text)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it.each([
    [tell('notifications/initialized')],
    [tell('notifications/cancelled', { requestId: 99 })],
    [{ jsonrpc: '2.0', id: 5, result: {} }],
    [{ jsonrpc: '2.0', id: 5, error: { code: 1, message: 'm' } }],
    [[tell('notifications/initialized')]],
  ])('is nothing, with 202, for %j', async (message) => {
    const { status, text } = await post(message);
    expect([status, text]).toEqual([202, '']);
  });
});

describe('batches', () => {
  const batch = [rpc('ping', undefined, 'a'), rpc('nothing', undefined, 2), call('echo')];

  it('are answered in 2025-03-26 and without a revision', async () => {
    for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
      const { json } = await post(batch, headers);
      expect((json as { id: unknown }[]).map(({ id }) => id)).toEqual(
        expect.arrayContaining(['a', 2, 1]),
      );
      expect(json).toHaveLength(3);
    }
    expect((await post([rpc('ping')])).json).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('are refused in later revisions, by header and by session', async () => {
    const message = 'JSON-RPC batches are not part of protocol revision 2025-06-18';
    const session = await endpoint.startSession({ revision: '2025-06-18' });
    const { 'mcp-protocol-version': revision, 'mcp-session-id': id } = session;
    for (const headers of [{ 'mcp-protocol-version': revision }, { 'mcp-session-id': id }]) {
      const { status, json } = await post(batch, headers);
      expect([status, json.error]).toEqual([400, { code: -32600, message }]);
    }
  });

  const STRANGER = 'Bad Request: JSON-RPC batch contains an invalid message';
  const many = Array.from({ length: 65 }, (_, id) => rpc('ping', undefined, id));
  it.each([
    ['empty', [], 'Bad Request: empty JSON-RPC batch'],
    ['with a stranger', [rpc('ping'), 7], STRANGER],
    ['with initialize', [rpc('initialize', {})], 'initialize cannot be part of a batch'],
    ['too long', many, 'The batch has 65 messages, more than the 64 allowed'],
  ])('are refused that are %s', async (_title, messages, message) => {
    const { status, json } = await post(messages);
    expect([status, json.error.message]).toEqual([400, message]);
  });
});

describe('a body', () => {
  const bodyOf = (a: string): string => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${a}}`;
  const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  it.each([
    ['not JSON', '{', -32700],
    ['nothing', '', -32700],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32700],
    ['a string', '"x"', -32600],
    ['no request', '{}', -32600],
    ['an id of the wrong type', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['parameters of the wrong type', bodyOf('3'), -32600],
    ['nested too deep', nested(128), -32600],
  ])('is refused that is %s', async (_title, body, code) => {
    const { status, json } = await endpoint.send({ body });
    expect([status, json.error.code]).toEqual([400, code]);
  });

  it('is refused with many values, and accepted at the limits of values and of nesting', async () => {
    // The request and its parameters are two objects with five members; one of them is an array.
    const values = (objects: number) => bodyOf(`{"a":[${'{},'.repeat(objects - 1)}{}]}`);
    const { status, json } = await endpoint.send({ body: values(99_993) });
    const message = 'The request body has more than the 100000 members, objects and arrays allowed';
    expect([status, json.error.message]).toEqual([400, message]);
    for (const body of [values(99_992), bodyOf(nested(125))])
      expect((await endpoint.send({ body })).status).toBe(200);
  });

  it.each(['text/plain', 'application/jsonp', 'multipart/form-data', ''])(
    'is refused with the content type %j',
    async (type) => {
      const { status, json } = await post(rpc('ping'), { 'content-type': type });
      expect([status, json.error.message]).toEqual([415, 'Content-Type must be application/json']);
    },
  );

  it('may have a content type with a parameter, and is refused packed', async () => {
    const json = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await post(rpc('ping'), json)).status).toBe(200);
    expect((await post(rpc('ping'), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it.each([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['*/*', 200],
    ['application/*;q=0.1', 200],
    [BOTH, 200],
  ])('of a caller that accepts %s is answered with %i', async (accept, status) => {
    expect((await post(rpc('ping'), { accept })).status).toBe(status);
  });

  it('over 4 MiB is refused, announced or not, and one just below is accepted', async () => {
    const text = 'x'.repeat(4 * 1024 * 1024);
    const { status, json } = await post(call('echo', { text }));
    const message = 'The request body is larger than the 4194304 bytes allowed';
    const data = { reason: 'body-too-large', limit: 4194304 };
    expect([status, json.error]).toEqual([413, { code: -32000, message, data }]);
    expect((await post(call('kilobyte', { text: text.slice(1_000) }))).status).toBe(200);
  });
});
