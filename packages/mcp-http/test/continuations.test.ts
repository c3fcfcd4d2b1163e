import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { type McpService, serveStdio } from '../src/index.ts';
import { computeFingerprint } from '../src/calls/suspended-calls.ts';
import { readEvents } from './event-reader.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { interactiveService } from './interactive-service.ts';
import { memoryBus } from './peer-bus.ts';
import { call, ENVELOPE, post, postModern, rpc, send, until, type Answer } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const REVISION = { 'mcp-protocol-version': '2025-11-25' };
const CAPABILITIES = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const ELICITATION = { method: 'elicitation/create', params: { message: 'Your name?' } };
const inputResponses = { q1: { action: 'accept', content: { name: 'Ada' } } };

const REFUSED = { code: -32602, message: 'x-group is not a group' };
const OUTSIDE = { content: [{ type: 'text', text: 'outside the group' }], isError: true };
const ANOTHER = { code: -32602, message: 'The requestState belongs to another request' };
const LOST = 'Last-Event-ID names nothing that can be resumed; start again without it';

/** `x-group: bad` is refused whatever it requests; `x-group: narrow` admits no call and no resource; everything else admits all. */
const grouped = (service: McpService): McpService => ({
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

const startGrouped = (): Promise<InteractiveEndpoint> => start({ change: grouped });

/** Two processes of one endpoint. */
const startTwo = async (): Promise<readonly [InteractiveEndpoint, InteractiveEndpoint]> => {
  const bus = memoryBus();
  const shared = { sessionKey: Buffer.alloc(32, 3), change: grouped };
  const limits = { peerTimeoutMs: 500 };
  return [
    await start({ ...shared, limits, peers: bus.join('one') }),
    await start({ ...shared, limits, peers: bus.join('two') }),
  ];
};

const ask = (
  endpoint: InteractiveEndpoint,
  params: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  postModern(
    endpoint.url,
    'tools/call',
    { name: 'ask', arguments: { questions: [ELICITATION] }, ...params, _meta: CAPABILITIES },
    { headers },
  );

const suspend = async (endpoint: InteractiveEndpoint): Promise<string> =>
  (await ask(endpoint)).json.result.requestState as string;

const sessionOf = async (endpoint: InteractiveEndpoint, capabilities: object = {}) => {
  const params = { protocolVersion: '2025-11-25', capabilities };
  const answer = await post(endpoint.url, rpc('initialize', params));
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']), ...REVISION };
};

/** Starts a call and loses its stream. Returns the headers that resume it. */
const loseStream = async (endpoint: InteractiveEndpoint, session: Record<string, string>) => {
  const body = call('wait', {}, { progressToken: 't' });
  const opening = readEvents(endpoint.url, { headers: session, body });
  await until(() => endpoint.interactive.waiting.length === 1);
  endpoint.interactive.waiting[0]?.onProgress?.({ progress: 1 });
  const reader = await opening;
  await reader.atLeast(1);
  reader.cut();
  await until(reader.hasEnded);
  return { ...session, 'last-event-id': reader.lastId() ?? '' };
};

describe('the retry of a suspended call', () => {
  it.each([['in the process of the call'], ['in another process']])(
    'is answered as a new call under headers that do not admit the call, and the call keeps waiting, %s',
    async (where) => {
      const [one, two] = await startTwo();
      const requestState = await suspend(one);
      const at = where === 'in another process' ? two : one;
      const retry = (group: string) =>
        ask(at, { requestState, inputResponses }, { 'x-group': group });
      expect((await retry('narrow')).json.result).toMatchObject(OUTSIDE);
      expect((await retry('bad')).json.error).toEqual(REFUSED);
      const admitted = await retry('wide');
      expect(admitted.text).toContain('"resultType":"complete"');
      expect(admitted.text).toContain('Ada');
    },
  );

  it.each([
    ['other arguments', { arguments: { questions: [] } }],
    ['one argument more', { arguments: { questions: [ELICITATION], more: 1 } }],
    ['no arguments', { arguments: undefined }],
    ['another tool', { name: 'ask-in-turn' }],
    ['another parameter', { task: {} }],
  ])('with %s belongs to another request', async (_title, params) => {
    const [one, two] = await startTwo();
    const requestState = await suspend(one);
    for (const endpoint of [one, two]) {
      const answer = await ask(endpoint, { requestState, inputResponses, ...params });
      expect(answer.json.error).toEqual(ANOTHER);
    }
    expect((await ask(one, { requestState, inputResponses })).text).toContain('Ada');
  });

  it('of another method belongs to another request', async () => {
    const endpoint = await startGrouped();
    const requestState = await suspend(endpoint);
    const { json } = await postModern(endpoint.url, 'prompts/get', {
      ...{ name: 'ask', arguments: { questions: [ELICITATION] }, requestState, inputResponses },
    });
    expect(json.error).toEqual(ANOTHER);
  });

  it('may order the keys of its arguments differently', async () => {
    const endpoint = await startGrouped();
    const requestState = await suspend(endpoint);
    const { method, params } = ELICITATION;
    const questions = [{ params, method }];
    const { text } = await ask(endpoint, {
      requestState,
      inputResponses,
      arguments: { questions },
    });
    expect(text).toContain('Ada');
  });

  it('is refused on standard input and output too when the service no longer admits the call', async () => {
    const interactive = interactiveService();
    let group: readonly string[] | undefined;
    const [input, output] = [new PassThrough(), new PassThrough()];
    const header = (name: string) => (name === 'x-group' ? group : undefined);
    const serving = serveStdio(grouped(interactive.service), { input, output, header });
    let text = '';
    output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const lines = (): string[] => text.split('\n').filter((line) => line !== '');
    const tell = async (params: object): Promise<unknown> => {
      const before = lines().length;
      const _meta = { ...ENVELOPE, ...CAPABILITIES };
      const request = rpc('tools/call', {
        ...{ name: 'ask', arguments: { questions: [ELICITATION] }, ...params, _meta },
      });
      input.write(`${JSON.stringify(request)}\n`);
      await until(() => lines().length > before);
      return JSON.parse(lines().at(-1) ?? '');
    };
    const first = (await tell({})) as { readonly result: { readonly requestState: string } };
    const { requestState } = first.result;
    group = ['narrow'];
    expect(await tell({ requestState, inputResponses })).toMatchObject({ result: OUTSIDE });
    group = ['bad'];
    expect(await tell({ requestState, inputResponses })).toMatchObject({ error: REFUSED });
    group = undefined;
    expect(JSON.stringify(await tell({ requestState, inputResponses }))).toContain('Ada');
    await serving.close();
  });
});

describe('the hash of a call', () => {
  const request = { method: 'tools/call', params: { name: 'a', arguments: { x: [1, { b: 2 }] } } };
  const anonymous = { key: 'anonymous' };

  it('differs for another principal', () => {
    const hashes = [
      computeFingerprint(request, anonymous),
      computeFingerprint(request, { key: '["https://one.example","ada"]' }),
      computeFingerprint(request, { key: '["https://two.example","ada"]' }),
    ];
    expect(new Set(hashes).size).toBe(3);
  });

  it('covers own keys such as __proto__, and not the members of one round', () => {
    const withProto = JSON.parse('{"name":"a","arguments":{"__proto__":{"x":1}}}') as object;
    const { method } = request;
    const other = { method, params: { name: 'a', arguments: {} } };
    expect(computeFingerprint({ method, params: { ...withProto } }, anonymous)).not.toBe(
      computeFingerprint(other, anonymous),
    );
    const params = { ...request.params, _meta: {}, inputResponses: {}, requestState: 's' };
    expect(computeFingerprint({ method, params }, anonymous)).toBe(
      computeFingerprint(request, anonymous),
    );
  });

  it.each([
    [498, 'string'],
    [499, 'undefined'],
    [100_000, 'undefined'],
  ])('of arguments with %i nested lists is a %s', (levels, type) => {
    const deep = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    const params = { name: 'a', arguments: { deep } };
    expect(typeof computeFingerprint({ method: 'tools/call', params }, anonymous)).toBe(type);
  });
});

describe('a stream of a session', () => {
  it('is refused under headers that the service refuses', async () => {
    const endpoint = await startGrouped();
    const session = await sessionOf(endpoint);
    const headers = { ...session, 'x-group': 'bad' };
    const answer = await send(endpoint.url, { method: 'GET', headers });
    expect([answer.status, answer.json.error]).toEqual([400, REFUSED]);
    const reader = await readEvents(endpoint.url, { headers: { ...session, 'x-group': 'narrow' } });
    expect(reader.status).toBe(200);
    reader.cut();
  });

  it.each([['in its process'], ['in another process']])(
    'with the answer of a call is resumed only under headers that admit the call, %s',
    async (where) => {
      const [one, two] = await startTwo();
      const headers = await loseStream(one, await sessionOf(one));
      const at = where === 'in its process' ? one : two;
      const narrow = await send(at.url, {
        method: 'GET',
        headers: { ...headers, 'x-group': 'narrow' },
      });
      expect([narrow.status, narrow.json.error.message]).toEqual([400, LOST]);
      const wide = await readEvents(at.url, { headers: { ...headers, 'x-group': 'wide' } });
      one.interactive.release();
      await wide.ended();
      expect(wide.messages()).toMatchObject([{ id: 1, result: {} }]);
    },
  );

  it('is never taken for the stream of another process that has the same number', async () => {
    const [one, two] = await startTwo();
    const session = await sessionOf(one);
    const headers = await loseStream(one, session);
    const other = readEvents(two.url, {
      headers: session,
      body: call('wait', { secret: 2 }, { progressToken: 'u' }),
    });
    await until(() => two.interactive.waiting.length === 1);
    two.interactive.waiting[0]?.onProgress?.({ progress: 2 });
    const reader = await other;
    await reader.atLeast(1);
    const again = await readEvents(two.url, { headers });
    one.interactive.waiting[0]?.onProgress?.({ progress: 3 });
    expect(await again.atLeast(1)).toMatchObject([{ params: { progressToken: 't', progress: 3 } }]);
    two.interactive.release();
    await reader.ended();
    expect(reader.messages()).toMatchObject([{ params: { progressToken: 'u' } }, { id: 1 }]);
    again.cut();
  });

  it.each([['in its process'], ['in another process']])(
    'announces the lists of the headers that resumed it, %s',
    async (where) => {
      const [one, two] = await startTwo();
      for (const { interactive } of [one, two]) {
        interactive.setTools('wide', ['a', 'b']);
        interactive.setTools('narrow', ['a']);
      }
      const session = await sessionOf(one);
      const reader = await readEvents(one.url, { headers: { ...session, 'x-group': 'wide' } });
      await until(() => reader.lastId() !== undefined);
      reader.cut();
      await until(reader.hasEnded);
      const last = { 'last-event-id': reader.lastId() ?? '' };
      const at = where === 'in its process' ? one : two;
      const headers = { ...session, ...last, 'x-group': 'narrow' };
      const again = await readEvents(at.url, { headers });
      one.interactive.changed('tools');
      // The lists of the new headers differ from those of the old ones.
      await again.atLeast(1);
      one.interactive.setTools('wide', ['a', 'b', 'c']);
      one.interactive.changed('tools');
      one.interactive.setTools('narrow', ['a', 'z']);
      await new Promise((resolve) => setImmediate(resolve));
      one.interactive.changed('tools');
      await again.atLeast(2);
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(again.messages().map(({ method }) => method as unknown)).toEqual([
        'notifications/tools/list_changed',
        'notifications/tools/list_changed',
      ]);
      again.cut();
    },
  );
});

describe('other requests that continue something', () => {
  it('refuses to listen under headers that the service refuses', async () => {
    const endpoint = await startGrouped();
    const params = { notifications: { toolsListChanged: true } };
    const headers = { 'x-group': 'bad' };
    const { json } = await postModern(endpoint.url, 'subscriptions/listen', params, { headers });
    expect(json.error).toEqual(REFUSED);
  });

  it('refuses a second subscription to a resource under headers that do not admit it', async () => {
    const endpoint = await startGrouped();
    const session = await sessionOf(endpoint);
    const subscribe = async (group: string): Promise<unknown> => {
      const body = rpc('resources/subscribe', { uri: 'file:///a' });
      const { json } = await post(endpoint.url, body, { ...session, 'x-group': group });
      return (json.error ?? json.result) as unknown;
    };
    expect(await subscribe('wide')).toEqual({});
    expect(await subscribe('narrow')).toEqual({ code: -32602, message: 'outside the group' });
    expect(await subscribe('bad')).toEqual(REFUSED);
    expect(await subscribe('wide')).toEqual({});
  });

  it('refuses the answer to a question under headers that the service refuses, and the call keeps waiting', async () => {
    const endpoint = await startGrouped();
    const session = await sessionOf(endpoint, { elicitation: {} });
    const reader = await readEvents(endpoint.url, {
      headers: session,
      body: call('ask', { questions: [ELICITATION] }),
    });
    const [{ id }] = await reader.atLeast(1);
    const answer = { jsonrpc: '2.0', id, result: inputResponses.q1 };
    const bad = await post(endpoint.url, answer, { ...session, 'x-group': 'bad' });
    expect([bad.status, bad.json.error]).toEqual([400, REFUSED]);
    expect((await post(endpoint.url, answer, session)).status).toBe(202);
    await reader.ended();
    expect(JSON.stringify(reader.messages().at(-1))).toContain('Ada');
  });
});
