import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { McpHttpLimits } from '../src/protocol/limits.ts';
import type { ServeStdioOptions } from '../src/transports/serve-stdio.ts';
import { interactiveService } from './interactive-service.ts';
import { ODD_RESULT, sampleService } from './sample-service.ts';
import { openStdio } from './stdio-client.ts';
import { call, ENVELOPE, readText, rpc, tell as notification, until } from './wire-client.ts';

const startSample = (options?: ServeStdioOptions) => {
  const sample = sampleService();
  return { ...openStdio(sample.service, options), sample };
};

const start = (limits: Partial<McpHttpLimits> = {}) => {
  const interactive = interactiveService();
  const client = openStdio(interactive.service, { limits });
  return { ...client, interactive, initialize: () => client.initialize(CAPABILITIES) };
};

const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };
const requestedSchema = { type: 'object', properties: {} };
const ELICITATION = {
  method: 'elicitation/create',
  params: { message: 'Your name?', requestedSchema },
};
const ROOTS = { method: 'roots/list', params: {} };
const ADA = { action: 'accept', content: { name: 'Ada' } };
const URI = 'file:///a';

const readResult = ({ result }: { readonly result?: unknown }): unknown => readText(result);

const asking = (questions: readonly object[], params: object = {}, name = 'ask'): object =>
  rpc('tools/call', { name, arguments: { questions }, ...params });

describe('serving over standard input and output', () => {
  it('counts null as absent', async () => {
    const { ask, initialize } = startSample();
    await initialize();
    const absent = [null, { cursor: null }, { _meta: null }, { _meta: { progressToken: null } }];
    for (const params of absent)
      for (const method of ['tools/list', 'ping'])
        expect(await ask(rpc(method, params))).toMatchObject({ result: {} });
    const params = { name: 'odd', arguments: null, _meta: null };
    expect(await ask(rpc('tools/call', params))).toMatchObject({ result: {} });
  });

  it('serves a client of the 2025 revisions, and one of 2026-07-28 on the same connection', async () => {
    const { ask, initialize, sample } = startSample();
    expect((await initialize()).result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'sample', version: '1.2.3', title: 'Sample' },
      instructions: 'Use echo.',
    });
    expect((await ask(rpc('tools/list'))).result).toEqual({ tools: sample.service.tools });
    const echoed = { args: { a: 1 }, meta: { k: 'v' } };
    expect(readResult(await ask(call('echo', { a: 1 }, { k: 'v' })))).toEqual(echoed);
    expect((await ask(call('odd'))).result).toEqual(ODD_RESULT);
    const discovered = await ask(rpc('server/discover', { _meta: ENVELOPE }));
    expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const modern = await ask(rpc('tools/call', { name: 'echo', _meta: ENVELOPE }));
    expect([modern.result.resultType, readResult(modern)]).toEqual(['complete', {}]);
    expect((await ask(rpc('ping'))).result).toEqual({});
  });

  it('answers a malformed request and a batch with an error', async () => {
    const { ask } = startSample();
    const malformed = await ask({ jsonrpc: '1.0', id: 7, method: 'ping' });
    expect(malformed).toMatchObject({ id: 7, error: { code: -32600 } });
    const message = 'Send the messages of a batch one by one';
    expect((await ask([rpc('ping')])).error).toEqual({ code: -32600, message });
  });

  it('gives the tool the header that stands in for that of HTTP, and no session', async () => {
    const { ask, initialize } = startSample({
      header: (name) => (name === 'x-gateway-toolset' ? ['server:a', 'tool:b'] : undefined),
    });
    await initialize();
    expect(readResult(await ask(call('headers')))).toEqual([['server:a', 'tool:b']]);
    expect(readResult(await ask(call('echo')))).toEqual({ args: {} });
  });

  it('reports progress only to a caller that asks', async () => {
    const { ask, atLeast, messages, initialize } = startSample();
    await initialize();
    expect(readResult(await ask(call('progress')))).toBe('unasked');
    messages.length = 0;
    await ask(call('progress', {}, { progressToken: 7 }));
    const [half, whole, answer] = await atLeast(3);
    const first = { progressToken: 7, progress: 1, total: 2, message: 'half' };
    const odd = { 'x-unit': ['files'], _meta: { 'example.org/step': 2 } };
    const second = { progressToken: 7, progress: 2, total: 2, ...odd };
    expect(half).toEqual(notification('notifications/progress', first));
    expect(whole).toEqual(notification('notifications/progress', second));
    expect(readResult(answer)).toBe('asked');
  });

  it('answers unknown tools, unknown methods and errors of the service', async () => {
    const { ask, initialize, errors } = startSample();
    await initialize();
    const message = 'Unknown tool: "nobody"';
    expect((await ask(call('nobody'))).error).toEqual({ code: -32602, message });
    expect((await ask(rpc('resources/list'))).error.code).toBe(-32601);
    const internal = { code: -32603, message: 'Internal error' };
    for (const name of ['throw', 'no-object', 'no-json'])
      expect((await ask(call(name))).error).toEqual(internal);
    expect(errors).toContainEqual(new Error('secret: /etc/passwd'));
  });

  it('cancels a call', async () => {
    const { ask, tell, initialize, sample } = startSample();
    await initialize();
    tell({ ...call('hang'), id: 'h' });
    await until(() => sample.waiting() === 1);
    tell(notification('notifications/cancelled', { requestId: 'h' }));
    await until(() => sample.aborted.length === 1);
    expect((await ask(rpc('ping'))).result).toEqual({});
  });

  it('ends when the client closes its side, and cancels running calls', async () => {
    const { tell, atLeast, input, initialize, serving, sample } = startSample();
    await initialize();
    tell(call('hang'));
    await until(() => sample.waiting() === 1);
    input.end();
    const [answer] = await atLeast(1);
    expect(answer.error.message).toBe('The server is shutting down');
    await serving.closed;
    await until(() => sample.aborted.length === 1);
  });
});

describe('a 2025-era client on standard input and output', () => {
  it('receives a question as a request and answers it with a response', async () => {
    const { ask, initialize } = start();
    await initialize();
    const question = await ask(asking([ELICITATION]));
    expect(question).toMatchObject(ELICITATION);
    const result = { ...ADA, 'x-own': 1 };
    const answer = await ask({ jsonrpc: '2.0', id: question.id, result });
    expect(readResult(answer)).toEqual([{ ok: true, result }]);
  });

  it('receives notifications after a call until its connection ends', async () => {
    const { interactive, ask, atLeast, initialize, serving } = start();
    await initialize();
    expect(readResult(await ask(call('channel')))).toBe('opened');
    const news = { method: 'notifications/x', params: { day: 1 } };
    for (const channel of interactive.channels) channel.notify(news);
    expect((await atLeast(2))[1]).toEqual({ jsonrpc: '2.0', ...news });
    await serving.close();
    expect(interactive.channels.size).toBe(0);
  });

  it('may answer by an error, or not at all', async () => {
    const { tell, atLeast, initialize } = start({ questionTimeoutMs: 30 });
    await initialize();
    tell(asking([ELICITATION, ROOTS]));
    const [question] = await atLeast(2);
    const error = { code: -1, message: 'User rejected', data: 7 };
    tell({ jsonrpc: '2.0', id: question.id, error });
    const all = await atLeast(4);
    const timeout = { code: -32001, message: 'The client has not answered within 30 ms' };
    expect(readResult(all.find(({ result }) => result !== undefined))).toEqual([
      { ok: false, error },
      { ok: false, error: timeout },
    ]);
  });

  it('is told to forget the question of a call that is cancelled or has ended', async () => {
    const { tell, ask, atLeast, initialize, messages } = start();
    await initialize();
    const question = await ask(asking([ELICITATION]));
    const cancelled = await ask(notification('notifications/cancelled', { requestId: 1 }));
    expect(cancelled).toMatchObject({ method: 'notifications/cancelled' });
    expect(cancelled.params.requestId).toBe(question.id);
    messages.length = 0;
    tell(asking([ELICITATION], {}, 'ask-and-leave'));
    const [left, forgotten, answer] = await atLeast(3);
    expect(forgotten.params.requestId).toBe(left.id);
    expect(readResult(answer)).toBe('left');
  });

  it('receives log messages of its level', async () => {
    const { tell, ask, atLeast, initialize } = start();
    await initialize();
    await ask(rpc('logging/setLevel', { level: 'error' }, 'level'));
    tell(call('log', { levels: ['info', 'critical'] }));
    const [, logged, answer] = await atLeast(3);
    expect(logged.params).toEqual({ level: 'critical', data: 'critical' });
    expect(readResult(answer)).toBe('error');
  });

  it('receives updates of the resources that it follows, and changed lists', async () => {
    const { ask, atLeast, initialize, interactive } = start();
    await initialize();
    await ask(rpc('resources/subscribe', { uri: URI }));
    interactive.update(URI, { 'x-own': 1 });
    await atLeast(2);
    await ask(rpc('resources/unsubscribe', { uri: URI }));
    expect(interactive.followed()).toEqual([]);
    interactive.setTools('', ['new']);
    interactive.changed('tools');
    const [, updated, , changed] = await atLeast(4);
    const params = { uri: URI, 'x-own': 1 };
    expect(updated).toEqual(notification('notifications/resources/updated', params));
    expect(changed.method).toBe('notifications/tools/list_changed');
    const none = await ask(rpc('resources/subscribe', { uri: 'file:///none' }));
    expect(none.error.message).toBe('Resource not found');
    const odd = await ask(rpc('resources/subscribe', {}));
    expect(odd.error.message).toBe('params.uri must be a string');
  });

  it('keeps its calls, subscriptions and log level when it initializes again', async () => {
    const { tell, atLeast, initialize, interactive, messages } = start();
    await initialize();
    tell(rpc('logging/setLevel', { level: 'error' }));
    tell(rpc('resources/subscribe', { uri: URI }));
    tell({ ...call('wait'), id: 'w' });
    await atLeast(2);
    await until(() => interactive.waiting.length === 1);
    messages.length = 0;
    const params = { protocolVersion: '2025-06-18', capabilities: { roots: {} } };
    tell(rpc('initialize', params, 'again'));
    tell(call('capabilities'));
    tell(call('log', { levels: [] }));
    await atLeast(3);
    interactive.update(URI);
    interactive.release();
    const [again, capabilities, level, updated, waited] = await atLeast(5);
    expect(again.result.protocolVersion).toBe('2025-06-18');
    const results = [capabilities, level, waited].map(readResult);
    expect(results).toEqual([{ roots: {} }, 'error', 'released']);
    expect(updated.method).toBe('notifications/resources/updated');
  });

  it('is served without initialize, and then cannot be asked', async () => {
    const { tell, ask, atLeast, interactive, messages } = start();
    const refused = await ask(rpc('initialize', { capabilities: CAPABILITIES }));
    expect(refused.error.message).toBe('params.protocolVersion must be a string');
    expect((await ask(rpc('logging/setLevel', { level: 'error' }))).result).toEqual({});
    expect(readResult(await ask(call('log', { levels: [] })))).toBe('error');
    const asked = readResult(await ask(asking([ROOTS])));
    expect(asked).toMatchObject([{ ok: false, error: { code: -32601 } }]);
    messages.length = 0;
    tell(rpc('resources/subscribe', { uri: URI }));
    await atLeast(1);
    interactive.update(URI);
    interactive.setTools('', ['new']);
    interactive.changed('tools');
    expect((await atLeast(3)).slice(1).map(({ method }) => method)).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
  });

  it('has calls with a time limit', async () => {
    const { ask, initialize, interactive } = start({ callTimeoutMs: 20 });
    await initialize();
    const message = 'The request timed out after 20 ms';
    expect((await ask(call('wait'))).error).toEqual({ code: -32001, message });
    expect(interactive.aborted).toEqual(['The call timed out']);
  });

  it('is a client of the SDK', async () => {
    const { tell, listeners, interactive } = start();
    const client = new Client({ name: 'c', version: '1' }, { capabilities: CAPABILITIES });
    const roots = { roots: [{ uri: 'file:///home' }] };
    client.setRequestHandler('roots/list', () => roots);
    const transport: Parameters<Client['connect']>[0] = {
      start: async () => void listeners.add((message) => transport.onmessage?.(message as never)),
      send: async (message) => void tell(message),
      close: () => Promise.resolve(),
    };
    await client.connect(transport);
    const result = await client.callTool({ name: 'ask', arguments: { questions: [ROOTS] } });
    expect(readText(result)).toEqual([{ ok: true, result: roots }]);
    expect(interactive.aborted).toEqual([]);
    await client.close();
  });
});

describe('a client of 2026-07-28 on standard input and output', () => {
  const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': CAPABILITIES };

  it('receives a question from a suspended call and answers it with a retry', async () => {
    const { ask, errors } = start();
    const { result } = await ask(asking([ELICITATION, ROOTS], { _meta }));
    const inputRequests = { q1: ELICITATION, q2: ROOTS };
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests });
    const inputResponses = { q1: ADA, q2: { roots: [] } };
    const retry = (requestState: string) =>
      ask(asking([ELICITATION, ROOTS], { _meta, requestState, inputResponses }));
    expect((await retry(`${result.requestState}-x`)).error.code).toBe(-32602);
    expect(readResult(await retry(result.requestState))).toEqual([
      { ok: true, result: ADA },
      { ok: true, result: { roots: [] } },
    ]);
    expect(errors).toEqual([]);
  });

  it('receives the changes that it subscribes to, until it stops', async () => {
    const { tell, ask, atLeast, interactive } = start();
    await ask(rpc('server/discover', { _meta }, 'd'));
    interactive.setTools('', ['unannounced']);
    interactive.changed('tools');
    const notifications = { toolsListChanged: true, resourceSubscriptions: [URI] };
    tell(rpc('subscriptions/listen', { notifications, _meta }, 'sub'));
    await until(() => interactive.followed().length === 1);
    interactive.update(URI);
    const [, acknowledged, updated] = await atLeast(3);
    expect(acknowledged.method).toBe('notifications/subscriptions/acknowledged');
    const params = { uri: URI, _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } };
    expect(updated).toEqual(notification('notifications/resources/updated', params));
    tell(notification('notifications/cancelled', { requestId: 'sub' }));
    await until(() => interactive.followed().length === 0);
  });

  it('receives log messages of the level that its request names', async () => {
    const { ask } = start();
    const meta = { ..._meta, 'io.modelcontextprotocol/logLevel': 'error' };
    const logged = await ask(call('log', { levels: ['info', 'critical'] }, meta));
    expect(logged.params).toMatchObject({ level: 'critical' });
  });
});
