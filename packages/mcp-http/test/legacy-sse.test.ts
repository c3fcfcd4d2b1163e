import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { request } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { McpService } from '../src/index.ts';
import { start, startTwo, type EndpointOptions, type InteractiveEndpoint } from './endpoint.ts';
import { memoryBus } from './peer-bus.ts';
import { as, SIGNED_IN } from './principals.ts';
import { call, post, rpc, until, type Headers } from './wire-client.ts';

const startSse = (options: EndpointOptions = {}): Promise<InteractiveEndpoint> =>
  start({ legacySse: true, ...options });

const sseUrl = ({ port }: { readonly port: number }): string => `http://127.0.0.1:${port}/sse`;

const connect = async (endpoint: InteractiveEndpoint): Promise<Client> => {
  const capabilities = { elicitation: {} };
  const client = new Client({ name: 'old', version: '1' }, { capabilities });
  const answer = { action: 'accept' as const, content: { name: 'Ada' } };
  client.setRequestHandler('elicitation/create', () => answer);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the transport under test
  await client.connect(new SSEClientTransport(new URL(sseUrl(endpoint))));
  onTestFinished(() => client.close());
  return client;
};

/** Opens a stream without the SDK. */
const openStream = async (endpoint: { readonly port: number }, headers: Headers = {}) => {
  const accept = 'text/event-stream';
  const { body } = await request(sseUrl(endpoint), { headers: { accept, ...headers } });
  let [text, isOver] = ['', false];
  body.on('data', (chunk: Buffer) => (text += chunk.toString()));
  body.on('error', () => undefined).on('close', () => (isOver = true));
  await until(() => text.includes('\n\n'));
  const [, path] = /^event: endpoint\ndata: (\S+)\n\n/.exec(text) ?? [];
  const close = (): void => void body.destroy();
  onTestFinished(close);
  /** The address of the stream's messages. */
  const address = `http://127.0.0.1:${endpoint.port}${path ?? ''}`;
  const send = (message: unknown, sent?: Headers) => post(address, message, sent);
  return { address, send, text: () => text, isOver: () => isOver, close };
};

const INITIALIZE = rpc('initialize', { protocolVersion: '2024-11-05', capabilities: {} });
const ELICITATION = {
  method: 'elicitation/create',
  params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
};

describe('a client of the transport of 2024-11-05', () => {
  it('lists, calls and answers questions', async () => {
    const endpoint = await startSse();
    const client = await connect(endpoint);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask');
    const params = { name: 'ask', arguments: { questions: [ELICITATION] } };
    expect(JSON.stringify(await client.callTool(params))).toContain('Ada');
  });

  it('receives progress before the answer', async () => {
    const stream = await openStream(await startSse());
    await stream.send(INITIALIZE);
    const asked = call('ask', { questions: [] }, { progressToken: 'steps' });
    await stream.send({ ...asked, id: 78 });
    await until(() => stream.text().includes('"id":78'));
    const [before] = stream.text().split('"id":78');
    expect(before).toContain('notifications/progress');
    expect(before).toContain('"progressToken":"steps"');
  });

  it('cancels a call', async () => {
    const endpoint = await startSse();
    const client = await connect(endpoint);
    const controller = new AbortController();
    const running = client.callTool({ name: 'wait' }, { signal: controller.signal });
    running.catch(() => undefined);
    await until(() => endpoint.interactive.waiting.length === 1);
    controller.abort('enough');
    await until(() => endpoint.interactive.aborted.length === 1);
    await expect(running).rejects.toThrow();
  });

  it('learns of changed lists', async () => {
    const endpoint = await startSse();
    const client = await connect(endpoint);
    const changed = vi.fn();
    client.setNotificationHandler('notifications/tools/list_changed', changed);
    await client.listTools();
    endpoint.interactive.setTools('', ['other']);
    endpoint.interactive.changed('tools');
    await until(() => changed.mock.calls.length > 0);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['other']);
  });

  it('has a session for as long as its stream, whose calls end with it', async () => {
    const endpoint = await startSse();
    const stream = await openStream(endpoint);
    expect((await stream.send(INITIALIZE)).status).toBe(202);
    expect((await stream.send(call('wait'))).status).toBe(202);
    await until(() => endpoint.interactive.waiting.length === 1);
    expect(endpoint.stats()).toMatchObject({ sessions: 1, streams: 1, inFlight: 1 });
    stream.close();
    await until(() => endpoint.interactive.aborted.length === 1);
    await until(() => endpoint.stats().sessions === 0);
    expect((await stream.send(rpc('ping'))).status).toBe(404);
  });

  it('receives the answers to its running calls before its stream ends with the process', async () => {
    const endpoint = await startSse();
    const stream = await openStream(endpoint);
    await stream.send(INITIALIZE);
    await stream.send({ ...call('wait'), id: 77 });
    await until(() => endpoint.interactive.waiting.length === 1);
    const drained = endpoint.drain(60_000);
    await until(() => stream.text().includes('retry:'));
    expect(stream.isOver()).toBe(false);
    endpoint.interactive.release();
    await drained;
    await until(stream.isOver);
    expect(stream.text()).toContain('"id":77,"result"');
  });
});

describe('the paths of the transport of 2024-11-05', () => {
  it('do not exist without the option', async () => {
    const { port } = await start();
    const { statusCode } = await request(sseUrl({ port }));
    const posted = await post(`http://127.0.0.1:${port}/messages?sessionId=x`, rpc('ping'));
    expect([statusCode, posted.status]).toEqual([404, 404]);
  });

  it('refuse other methods, hosts, origins and framings', async () => {
    const url = sseUrl(await startSse());
    const accept = 'text/event-stream';
    const statuses: number[] = [];
    for (const [target, options] of [
      [url, { method: 'POST', body: '{}' }],
      [url.replace('/sse', '/messages'), {}],
      [url, { headers: { host: 'evil.example', accept } }],
      [url, { headers: { origin: 'http://evil.example', accept } }],
      [url, { headers: { accept: 'application/json' } }],
    ] as const) {
      const { statusCode, body } = await request(target, options);
      statuses.push(statusCode);
      await body.dump();
    }
    expect(statuses).toEqual([405, 405, 403, 403, 406]);
  });

  it('refuse ids that name no stream', async () => {
    const bus = memoryBus();
    const { port } = await startSse({ peers: bus.join('one'), limits: { peerTimeoutMs: 50 } });
    const none = 'A'.repeat(32);
    const ids = ['', 'x', '__proto__', `one.${none}`, `gone.${none}`, 'x'.repeat(8_000)];
    for (const id of ids) {
      const address = `http://127.0.0.1:${port}/messages?sessionId=${id}`;
      expect((await post(address, rpc('ping'))).status).toBe(404);
    }
  });

  it('refuse a second initialize, batches and messages of 2026-07-28', async () => {
    const endpoint = await startSse();
    const { send } = await openStream(endpoint);
    await send(INITIALIZE);
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const bodies = [INITIALIZE, [rpc('ping')], rpc('tools/list', { _meta: meta }), 'text'];
    for (const body of bodies) expect((await send(body)).status).toBe(400);
    expect(endpoint.stats().sessions).toBe(1);
  });

  it('refuse the stream of another user', async () => {
    const endpoint = await startSse(SIGNED_IN);
    const { send } = await openStream(endpoint, as('ada'));
    expect((await send(INITIALIZE, as('eve'))).status).toBe(404);
    expect((await send(INITIALIZE)).status).toBe(401);
    expect((await send(INITIALIZE, as('ada'))).status).toBe(202);
    expect((await send(rpc('ping'), as('eve'))).status).toBe(404);
  });

  it('take the headers that decide the scope from the GET', async () => {
    const change = (service: McpService) => ({ ...service, scopeHeaders: ['x-group'] });
    const endpoint = await startSse({ change });
    endpoint.interactive.setTools('few', ['one']);
    const stream = await openStream(endpoint, { 'x-group': 'few' });
    await stream.send(INITIALIZE);
    const wider = await stream.send(rpc('tools/list'), { 'x-group': 'all' });
    expect(wider.status).toBe(400);
    expect((await stream.send(rpc('tools/list'))).status).toBe(202);
    await until(() => stream.text().includes('"tools":['));
    expect(stream.text()).toContain('"name":"one"');
    expect(stream.text()).not.toContain('"name":"ask"');
  });

  it('limit the streams of a caller', async () => {
    const endpoint = await startSse({ limits: { maxStreamsPerCaller: 1 } });
    await openStream(endpoint);
    const { statusCode, body } = await request(sseUrl(endpoint), { headers: { accept: '*/*' } });
    await body.dump();
    expect(statusCode).toBe(429);
  });
});

describe('a message that arrives in another process', () => {
  it('is handed to the process of its stream, with its sender', async () => {
    const { one, two } = await startTwo({ ...SIGNED_IN, legacySse: true });
    const stream = await openStream(one, as('ada'));
    const elsewhere = stream.address.replace(String(one.port), String(two.port));
    expect((await post(elsewhere, INITIALIZE, as('eve'))).status).toBe(404);
    expect((await post(elsewhere, INITIALIZE, as('ada'))).status).toBe(202);
    await until(() => stream.text().includes('"protocolVersion"'));
    expect((await post(elsewhere, [rpc('ping')], as('ada'))).status).toBe(400);
  });
});
