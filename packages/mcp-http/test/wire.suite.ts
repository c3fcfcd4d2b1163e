import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, StartEndpoint } from './endpoint.ts';
import { ODD_RESULT } from './sample-service.ts';
import { BOTH, call, eventsOf, openSession, post, postModern, rpc, send } from './wire-client.ts';

const UNKNOWN_SESSION = '00000000-0000-4000-8000-000000000000';
const CLIENT = { capabilities: {}, clientInfo: { name: 'wire', version: '1' } };

/** Requirements of every endpoint on the wire: bytes and status codes. */
export const wireSuite = (title: string, start: StartEndpoint): void => {
  describe(title, () => {
    let endpoint: Endpoint;
    beforeAll(async () => {
      endpoint = await start();
    });
    afterAll(() => endpoint.drain(0));
    const url = (): string => endpoint.url;

    describeNegotiation(url);
    describeSessions(url);
    describeResults(url);
    describeFraming(url);
    describeBatches(url);
    describeRefusals(url);
  });
};

const describeNegotiation = (url: () => string): void => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('answers initialize for %s with %s', async (protocolVersion, agreed) => {
    const answer = await post(url(), rpc('initialize', { ...CLIENT, protocolVersion }));
    expect(answer.json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: agreed,
        capabilities: { tools: {} },
        serverInfo: { name: 'sample', version: '1.2.3', title: 'Sample' },
        instructions: 'Use echo.',
      },
    });
    expect(answer.headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('refuses initialize without a revision and starts no session', async () => {
    const answer = await post(url(), rpc('initialize', {}));
    expect([answer.status, answer.json.error.code]).toEqual([200, -32602]);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  it('answers server/discover', async () => {
    const answer = await postModern(url(), 'server/discover');
    expect(answer.json.result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      instructions: 'Use echo.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: {
        'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3', title: 'Sample' },
      },
    });
  });

  it.each(['2025-11-25', '2025-03-26'])('accepts the revision header %s', async (revision) => {
    const answer = await post(url(), rpc('ping'), { 'mcp-protocol-version': revision });
    expect([answer.status, answer.text]).toEqual([200, '{"jsonrpc":"2.0","id":1,"result":{}}']);
  });

  it.each(['2020-01-01', '2.0', ''])('refuses the revision header %j', async (revision) => {
    const answer = await post(url(), rpc('ping'), { 'mcp-protocol-version': revision });
    expect([answer.status, answer.json.error.code]).toEqual([400, -32000]);
  });
};

const describeSessions = (url: () => string): void => {
  it('serves requests without a session', async () => {
    const answer = await post(url(), call('echo', { a: 1 }));
    expect(JSON.parse(answer.json.result.content[0].text)).toEqual({ args: { a: 1 } });
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  it('passes the id of the session to the tool', async () => {
    const session = await openSession(url());
    const answer = await post(url(), call('echo'), { 'mcp-session-id': session });
    expect(JSON.parse(answer.json.result.content[0].text)).toEqual({
      args: {},
      sessionId: session,
    });
  });

  it('answers 404 to an unknown session for every method', async () => {
    const headers = { 'mcp-session-id': UNKNOWN_SESSION };
    const posted = await post(url(), rpc('ping', undefined, 'p'), headers);
    expect([posted.status, posted.json]).toEqual([
      404,
      {
        jsonrpc: '2.0',
        id: 'p',
        error: { code: -32001, message: 'Session not found; start a new one with initialize' },
      },
    ]);
    expect((await send(url(), { method: 'GET', headers })).status).toBe(404);
    expect((await send(url(), { method: 'DELETE', headers })).status).toBe(404);
  });

  it('ends a session by DELETE', async () => {
    const headers = { 'mcp-session-id': await openSession(url()) };
    expect((await post(url(), rpc('ping'), headers)).status).toBe(200);
    expect((await send(url(), { method: 'DELETE', headers })).status).toBe(204);
    expect((await post(url(), rpc('ping'), headers)).status).toBe(404);
  });

  it('refuses GET and DELETE without a session, and methods that it does not have', async () => {
    const allow = async (method: 'GET' | 'DELETE' | 'PUT' | 'OPTIONS') => {
      const answer = await send(url(), { method });
      return [answer.status, answer.headers['allow']];
    };
    expect(await allow('GET')).toEqual([405, 'POST']);
    expect(await allow('DELETE')).toEqual([405, 'POST']);
    expect(await allow('PUT')).toEqual([405, 'GET, POST, DELETE']);
    expect(await allow('OPTIONS')).toEqual([405, 'GET, POST, DELETE']);
  });

  it('separates the headers of requests of one session', async () => {
    const session = await openSession(url());
    const toolsets = Array.from({ length: 20 }, (_, at) => `server:s${at}`);
    const answers = await Promise.all(
      toolsets.map((toolset) =>
        post(url(), call('later-headers'), {
          'mcp-session-id': session,
          'x-gateway-toolset': toolset,
        }),
      ),
    );
    expect(answers.map(({ json }) => JSON.parse(json.result.content[0].text) as unknown)).toEqual(
      toolsets.map((toolset) => [[toolset], [toolset]]),
    );
    const without = await post(url(), call('headers'), { 'mcp-session-id': session });
    expect(without.json.result.content[0].text).toBe('[null]');
  });

  it('gives repeated header lines in order and an empty line as empty', async () => {
    const lines = ['server:a, server:b', '', 'tool:c'];
    const answer = await post(url(), call('headers'), { 'X-Gateway-Toolset': lines });
    expect(JSON.parse(answer.json.result.content[0].text)).toEqual([
      ['server:a, server:b', '', 'tool:c'],
    ]);
  });
};

const describeResults = (url: () => string): void => {
  it('lists the tools as the service has them, unknown keys included', async () => {
    const answer = await post(url(), rpc('tools/list'));
    expect(answer.json.result.tools[0]).toEqual({
      name: 'echo',
      description: 'The tool echo',
      inputSchema: {
        type: 'object',
        properties: { value: { type: 'string' } },
        'x-own': true,
      },
      annotations: { readOnlyHint: true, 'x-hint': 1 },
    });
    const modern = await postModern(url(), 'tools/list');
    expect(modern.json.result.tools).toEqual(answer.json.result.tools);
  });

  it('refuses a cursor, since there is one page', async () => {
    const answer = await post(url(), rpc('tools/list', { cursor: 'x' }));
    expect(answer.json.error).toEqual({
      code: -32602,
      message: 'Invalid cursor: the list has one page',
    });
  });

  it('passes a result on with everything in it', async () => {
    const answer = await post(url(), call('odd'));
    expect(answer.json.result).toEqual(ODD_RESULT);
  });

  it('adds to a result of 2026-07-28 only the members that the revision requires', async () => {
    const answer = await postModern(url(), 'tools/call', { name: 'odd' });
    expect(answer.json.result).toEqual({
      ...ODD_RESULT,
      resultType: 'complete',
      _meta: {
        ...ODD_RESULT._meta,
        'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3', title: 'Sample' },
      },
    });
  });

  it('passes _meta on without the keys of the transport', async () => {
    const legacy = await post(url(), call('echo', {}, { progressToken: 1, traceparent: '00-a' }));
    const modern = await postModern(url(), 'tools/call', {
      name: 'echo',
      _meta: { progressToken: 'p', traceparent: '00-b' },
    });
    const metaOf = (text: string): unknown => (JSON.parse(text) as { meta: unknown }).meta;
    expect(metaOf(legacy.json.result.content[0].text)).toEqual({ traceparent: '00-a' });
    expect(metaOf(modern.json.result.content[0].text)).toEqual({ traceparent: '00-b' });
  });

  it.each([
    [{ name: 'nobody' }, 'Unknown tool: "nobody"'],
    [{ name: 'toString' }, 'Unknown tool: "toString"'],
    [{ name: 7 }, 'params.name must be a string'],
    [{}, 'params.name must be a string'],
    [{ name: 'echo', arguments: [] }, 'params.arguments must be an object'],
  ])('answers tools/call of %j with an error of the protocol', async (params, message) => {
    const answer = await post(url(), rpc('tools/call', params));
    expect([answer.status, answer.json.error]).toEqual([200, { code: -32602, message }]);
  });

  it.each(['resources/list', 'logging/setLevel', 'constructor', ''])(
    'knows no method %j',
    async (method) => {
      const legacy = await post(url(), rpc(method));
      expect([legacy.status, legacy.json.error.code]).toEqual([200, -32601]);
      const modern = await postModern(url(), method);
      expect([modern.status, modern.json.error.code]).toEqual([404, -32601]);
    },
  );
};

const describeFraming = (url: () => string): void => {
  const PROGRESS = [
    {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 't', progress: 1, total: 2, message: 'half' },
    },
    {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: {
        progressToken: 't',
        progress: 2,
        total: 2,
        'x-unit': ['files'],
        _meta: { 'example.org/step': 2 },
      },
    },
    { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '"asked"' }] } },
  ];
  const progress = call('progress', {}, { progressToken: 't' });

  it('answers with JSON when there is only the result to send', async () => {
    const answer = await post(url(), call('echo'));
    expect(answer.headers['content-type']).toBe('application/json');
  });

  it('answers with an event stream from the first progress on', async () => {
    const answer = await post(url(), progress);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(eventsOf(answer.text)).toEqual(PROGRESS);
  });

  it('answers a batch with an event stream from the first progress on', async () => {
    const answer = await post(url(), [rpc('ping', undefined, 'a'), progress]);
    const events = eventsOf(answer.text) as { readonly id?: unknown }[];
    expect(events.filter(({ id }) => id !== 'a')).toEqual(PROGRESS);
    expect(events.filter(({ id }) => id === 'a')).toEqual([
      { jsonrpc: '2.0', id: 'a', result: {} },
    ]);
  });

  it('drops progress for a caller that accepts JSON only', async () => {
    const answer = await post(url(), progress, { accept: 'application/json' });
    expect(answer.json).toEqual(PROGRESS[2]);
  });

  it('answers with an event stream to a caller that accepts nothing else', async () => {
    const answer = await post(url(), rpc('ping'), { accept: 'text/event-stream' });
    expect(eventsOf(answer.text)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('acknowledges notifications and responses with 202', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
      { jsonrpc: '2.0', id: 5, result: {} },
      { jsonrpc: '2.0', id: 5, error: { code: 1, message: 'm' } },
    ]) {
      const answer = await post(url(), message);
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
  });
};

const describeBatches = (url: () => string): void => {
  const batch = [rpc('ping', undefined, 'a'), rpc('nothing', undefined, 2), call('echo')];

  it('answers a batch of 2025-03-26 and of a request that names no revision', async () => {
    for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
      const answer = await post(url(), batch, headers);
      const ids = (answer.json as { id: unknown }[]).map(({ id }) => id);
      expect(new Set(ids)).toEqual(new Set(['a', 2, 1]));
    }
    const one = await post(url(), [rpc('ping')]);
    expect(one.json).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('acknowledges a batch of notifications', async () => {
    const answer = await post(url(), [{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('refuses a batch of later revisions, by header and by session', async () => {
    const expected = [400, -32600, 'JSON-RPC batches are not part of protocol revision 2025-06-18'];
    const session = { 'mcp-session-id': await openSession(url(), '2025-06-18') };
    for (const headers of [{ 'mcp-protocol-version': '2025-06-18' }, session]) {
      const { status, json } = await post(url(), batch, headers);
      expect([status, json.error.code, json.error.message]).toEqual(expected);
    }
  });

  it.each([
    ['empty', [], 'Bad Request: empty JSON-RPC batch'],
    [
      'with a stranger',
      [rpc('ping'), 7],
      'Bad Request: JSON-RPC batch contains an invalid message',
    ],
    ['with initialize', [rpc('initialize', {})], 'initialize cannot be part of a batch'],
    [
      'too long',
      Array.from({ length: 65 }, (_, id) => rpc('ping', undefined, id)),
      'The batch has 65 messages, more than the 64 allowed',
    ],
  ])('refuses a batch that is %s', async (_title, messages, message) => {
    const answer = await post(url(), messages);
    expect([answer.status, answer.json.error.message]).toEqual([400, message]);
  });
};

const describeRefusals = (url: () => string): void => {
  it.each([
    ['not JSON', '{', -32700],
    ['nothing', '', -32700],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32700],
    ['a string', '"x"', -32600],
    ['no request', '{}', -32600],
    ['an id of the wrong type', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['parameters of the wrong type', '{"jsonrpc":"2.0","id":1,"method":"ping","params":3}', -32600],
    ['nested too deep', `{"a":${'['.repeat(128)}${']'.repeat(128)}}`, -32600],
  ])('refuses a body that is %s', async (_title, body, code) => {
    const answer = await send(url(), { body });
    expect([answer.status, answer.json.error.code]).toEqual([400, code]);
  });

  it('refuses a body of many values, and accepts one at the limit', async () => {
    // The request and its parameters are two objects with five members; one of them is an array.
    const bodyOf = (objects: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'{},'.repeat(objects - 1)}{}]}}`;
    const { status, json } = await send(url(), { body: bodyOf(99_993) });
    expect([status, json.error.message]).toEqual([
      400,
      'The request body has more than the 100000 members, objects and arrays allowed',
    ]);
    expect((await send(url(), { body: bodyOf(99_992) })).status).toBe(200);
  });

  it('accepts a body at the limit of nesting', async () => {
    const value = `${'['.repeat(125)}${']'.repeat(125)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${value}}}`;
    expect((await send(url(), { body })).status).toBe(200);
  });

  it.each(['text/plain', 'application/jsonp', 'multipart/form-data', ''])(
    'refuses the content type %j',
    async (type) => {
      const answer = await post(url(), rpc('ping'), { 'content-type': type });
      expect([answer.status, answer.json.error.message]).toEqual([
        415,
        'Content-Type must be application/json',
      ]);
    },
  );

  it('accepts the content type with a parameter, and refuses a packed body', async () => {
    const json = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await post(url(), rpc('ping'), json)).status).toBe(200);
    expect((await post(url(), rpc('ping'), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it.each([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['*/*', 200],
    ['application/*;q=0.1', 200],
    [BOTH, 200],
  ])('answers a caller that accepts %s with %i', async (accept, status) => {
    expect((await post(url(), rpc('ping'), { accept })).status).toBe(status);
  });

  it('refuses a body over 4 MiB, announced or not, and accepts one just below', async () => {
    const text = 'x'.repeat(4 * 1024 * 1024);
    const { status, json } = await post(url(), call('echo', { text }));
    expect([status, json.error]).toEqual([
      413,
      {
        code: -32000,
        message: 'The request body is larger than the 4194304 bytes allowed',
        data: { reason: 'body-too-large', limit: 4194304 },
      },
    ]);
    const fits = await post(url(), call('kilobyte', { text: text.slice(1_000) }));
    expect(fits.status).toBe(200);
  });
};
