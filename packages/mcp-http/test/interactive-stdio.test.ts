import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { serveStdio } from '../src/index.ts';
import type { McpHttpLimits } from '../src/protocol/limits.ts';
import type { StdioServing } from '../src/transports/serve-stdio.ts';
import { interactiveService } from './interactive-service.ts';
import { call, ENVELOPE, rpc, until } from './wire-client.ts';

type ClientTransport = Parameters<Client['connect']>[0];

const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };
const ELICITATION = {
  method: 'elicitation/create',
  params: { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } },
};
const ROOTS = { method: 'roots/list', params: {} };
const ADA = { action: 'accept', content: { name: 'Ada' } };

const servings: StdioServing[] = [];
afterEach(async () => {
  await Promise.all(servings.splice(0).map((serving) => serving.close()));
});

const start = (limits: Partial<McpHttpLimits> = {}) => {
  const interactive = interactiveService();
  const input = new PassThrough();
  const output = new PassThrough();
  const errors: unknown[] = [];
  const onError = (error: unknown): number => errors.push(error);
  servings.push(serveStdio(interactive.service, { input, output, limits, onError }));
  // Tests read messages of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const messages: any[] = [];
  const listeners = new Set<(message: unknown) => void>();
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as unknown;
      messages.push(message);
      for (const listener of listeners) listener(message);
    }
  });
  const tell = (message: object): boolean => input.write(`${JSON.stringify(message)}\n`);
  const atLeast = async (count: number) => {
    await until(() => messages.length >= count);
    return messages;
  };
  const initialize = async (): Promise<void> => {
    const clientInfo = { name: 'c', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, clientInfo };
    tell(rpc('initialize', params, 'init'));
    await atLeast(1);
    tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    messages.length = 0;
  };
  const transport: ClientTransport = {
    start: () => {
      listeners.add((message) => transport.onmessage?.(message as never));
      return Promise.resolve();
    },
    send: (message) => {
      tell(message);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  return { interactive, tell, atLeast, initialize, messages, errors, transport };
};

const textOf = (message: unknown): unknown => {
  const { result } = message as { result: { content: readonly [{ text: string }] } };
  return JSON.parse(result.content[0].text);
};

const asking = (questions: readonly object[], params: object = {}, name = 'ask'): object =>
  rpc('tools/call', { name, arguments: { questions }, ...params });

describe('a 2025-era client on standard input and output', () => {
  it('receives a question as a request and answers it with a response', async () => {
    const { tell, atLeast, initialize } = start();
    await initialize();
    tell(asking([ELICITATION]));
    const [question] = await atLeast(1);
    expect(question).toMatchObject(ELICITATION);
    tell({ jsonrpc: '2.0', id: question.id, result: { ...ADA, 'x-own': 1 } });
    const [, answer] = await atLeast(2);
    expect(textOf(answer)).toEqual([{ ok: true, result: { ...ADA, 'x-own': 1 } }]);
  });

  it('receives notifications after a call until its connection ends', async () => {
    const { interactive, tell, atLeast, initialize } = start();
    await initialize();
    tell(call('channel'));
    const [answer] = await atLeast(1);
    expect(textOf(answer)).toBe('opened');
    for (const channel of interactive.channels)
      channel.notify({ method: 'notifications/x', params: { day: 1 } });
    const [, told] = await atLeast(2);
    expect(told).toEqual({ jsonrpc: '2.0', method: 'notifications/x', params: { day: 1 } });
    await servings.at(-1)?.close();
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
    expect(textOf(all.find(({ result }) => result !== undefined))).toEqual([
      { ok: false, error },
      { ok: false, error: { code: -32001, message: 'The client has not answered within 30 ms' } },
    ]);
  });

  it('receives no question after its call is cancelled', async () => {
    const { tell, atLeast, initialize } = start();
    await initialize();
    tell(asking([ELICITATION]));
    const [question] = await atLeast(1);
    tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const [, cancelled] = await atLeast(2);
    expect(cancelled).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: question.id },
    });
  });

  it('receives no question after its call has ended', async () => {
    const { tell, atLeast, initialize } = start();
    await initialize();
    tell(asking([ELICITATION], {}, 'ask-and-leave'));
    const [question, cancelled, answer] = await atLeast(3);
    expect(cancelled.params.requestId).toBe(question.id);
    expect(textOf(answer)).toBe('left');
  });

  it('receives log messages of its level', async () => {
    const { tell, atLeast, initialize, messages } = start();
    await initialize();
    tell(rpc('logging/setLevel', { level: 'error' }, 'level'));
    await atLeast(1);
    messages.length = 0;
    tell(call('log', { levels: ['info', 'critical'] }));
    const [logged, answer] = await atLeast(2);
    expect([logged.params, textOf(answer)]).toEqual([
      { level: 'critical', data: 'critical' },
      'error',
    ]);
  });

  it('receives updates of the resources that it follows, and changed lists', async () => {
    const { tell, atLeast, initialize, interactive } = start();
    await initialize();
    const uri = 'file:///a';
    tell(rpc('resources/subscribe', { uri }));
    await atLeast(1);
    interactive.update(uri, { 'x-own': 1 });
    await atLeast(2);
    tell(rpc('resources/unsubscribe', { uri }));
    await atLeast(3);
    expect(interactive.followed()).toEqual([]);
    interactive.setTools('', ['new']);
    interactive.changed('tools');
    const [, updated, , changed] = await atLeast(4);
    expect(updated).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri, 'x-own': 1 },
    });
    expect(changed.method).toBe('notifications/tools/list_changed');
    tell(rpc('resources/subscribe', { uri: 'file:///none' }));
    const [, , , , none] = await atLeast(5);
    tell(rpc('resources/subscribe', {}));
    const [, , , , , odd] = await atLeast(6);
    expect([none.error.message, odd.error.message]).toEqual([
      'Resource not found',
      'params.uri must be a string',
    ]);
  });

  it('keeps its calls, subscriptions and log level when it initializes again', async () => {
    const { tell, atLeast, initialize, interactive, messages } = start();
    await initialize();
    tell(rpc('logging/setLevel', { level: 'error' }));
    tell(rpc('resources/subscribe', { uri: 'file:///a' }));
    tell({ ...call('wait'), id: 'w' });
    await atLeast(2);
    await until(() => interactive.waiting.length === 1);
    messages.length = 0;
    const params = { protocolVersion: '2025-06-18', capabilities: { roots: {} } };
    tell(rpc('initialize', params, 'again'));
    tell(call('capabilities'));
    tell(call('log', { levels: [] }));
    await atLeast(3);
    interactive.update('file:///a');
    interactive.release();
    const [again, capabilities, level, updated, waited] = await atLeast(5);
    expect(again.result.protocolVersion).toBe('2025-06-18');
    expect([capabilities, level, waited].map(textOf)).toEqual([{ roots: {} }, 'error', 'released']);
    expect(updated.method).toBe('notifications/resources/updated');
  });

  it('is served without initialize, and then cannot be asked', async () => {
    const { tell, atLeast, interactive, messages } = start();
    tell(rpc('initialize', { capabilities: CAPABILITIES }));
    tell(rpc('logging/setLevel', { level: 'error' }));
    tell(call('log', { levels: [] }));
    tell(asking([ROOTS]));
    const [refused, set, level, asked] = await atLeast(4);
    expect(refused.error.message).toBe('params.protocolVersion must be a string');
    expect([set.result, textOf(level)]).toEqual([{}, 'error']);
    expect(textOf(asked)).toMatchObject([{ ok: false, error: { code: -32601 } }]);
    messages.length = 0;
    tell(rpc('resources/subscribe', { uri: 'file:///a' }));
    await atLeast(1);
    interactive.update('file:///a');
    interactive.setTools('', ['new']);
    interactive.changed('tools');
    expect((await atLeast(3)).slice(1).map(({ method }) => method)).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
  });

  it('has calls with a time limit', async () => {
    const { tell, atLeast, initialize, interactive } = start({ callTimeoutMs: 20 });
    await initialize();
    tell(call('wait'));
    const [answer] = await atLeast(1);
    expect(answer.error).toEqual({
      code: -32001,
      message: 'The request timed out after 20 ms',
    });
    expect(interactive.aborted).toEqual(['The call timed out']);
  });

  it('is a client of the SDK', async () => {
    const { transport, interactive } = start();
    const client = new Client({ name: 'c', version: '1' }, { capabilities: CAPABILITIES });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
    await client.connect(transport);
    const args = { questions: [ROOTS] };
    expect(textOf({ result: await client.callTool({ name: 'ask', arguments: args }) })).toEqual([
      { ok: true, result: { roots: [{ uri: 'file:///home' }] } },
    ]);
    expect(interactive.aborted).toEqual([]);
    await client.close();
  });
});

describe('a client of 2026-07-28 on standard input and output', () => {
  const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': CAPABILITIES };

  it('receives a question from a suspended call and answers it with a retry', async () => {
    const { tell, atLeast, errors } = start();
    tell(asking([ELICITATION, ROOTS], { _meta }));
    const [first] = await atLeast(1);
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { q1: ELICITATION, q2: ROOTS },
    });
    const { requestState } = first.result;
    const inputResponses = { q1: ADA, q2: { roots: [] } };
    tell(
      asking([ELICITATION, ROOTS], { _meta, requestState: `${requestState}-x`, inputResponses }),
    );
    const [, changed] = await atLeast(2);
    expect(changed.error.code).toBe(-32602);
    tell(asking([ELICITATION, ROOTS], { _meta, requestState, inputResponses }));
    const [, , second] = await atLeast(3);
    expect(textOf(second)).toEqual([
      { ok: true, result: ADA },
      { ok: true, result: { roots: [] } },
    ]);
    expect(errors).toEqual([]);
  });

  it('receives the changes that it subscribes to, until it stops', async () => {
    const { tell, atLeast, interactive } = start();
    tell(rpc('server/discover', { _meta }, 'd'));
    await atLeast(1);
    interactive.setTools('', ['unannounced']);
    interactive.changed('tools');
    const uri = 'file:///a';
    const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] };
    tell(rpc('subscriptions/listen', { notifications, _meta }, 'sub'));
    await until(() => interactive.followed().length === 1);
    interactive.update(uri);
    const [, acknowledged, updated] = await atLeast(3);
    expect([acknowledged.method, updated]).toEqual([
      'notifications/subscriptions/acknowledged',
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri, _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } },
      },
    ]);
    tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'sub' } });
    await until(() => interactive.followed().length === 0);
  });

  it('receives log messages of the level that its request names', async () => {
    const { tell, atLeast } = start();
    const meta = { ..._meta, 'io.modelcontextprotocol/logLevel': 'error' };
    tell(call('log', { levels: ['info', 'critical'] }, meta));
    const [logged] = await atLeast(2);
    expect(logged.params).toMatchObject({ level: 'critical' });
  });
});
