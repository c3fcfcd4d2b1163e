import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { request } from 'undici';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { McpHttpOptions } from '../src/transports/mcp-http.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { memoryBus } from './peer-bus.ts';
import { as, SIGNED_IN } from './principals.ts';
import { call, post, rpc, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const startSse = (options: McpHttpOptions = {}): Promise<InteractiveEndpoint> =>
  start({ legacySse: true, ...options });

const sseUrl = ({ port }: { readonly port: number }): string => `http://127.0.0.1:${port}/sse`;

const connect = async (
  endpoint: InteractiveEndpoint,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> => {
  const capabilities = { elicitation: {} };
  const client = new Client({ name: 'old', version: '1' }, { capabilities });
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the transport under test
  const transport = new SSEClientTransport(new URL(sseUrl(endpoint)), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
};

interface OpenStream {
  /** The address of the stream's messages. */
  readonly address: string;
  readonly text: () => string;
  readonly isOver: () => boolean;
  readonly close: () => void;
}

/** Opens a stream without the SDK. */
const openStream = async (
  { port }: { readonly port: number },
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> => {
  const { body } = await request(sseUrl({ port }), {
    headers: { accept: 'text/event-stream', ...headers },
  });
  let [text, isOver] = ['', false];
  body.on('data', (chunk: Buffer) => (text += chunk.toString()));
  body.on('error', () => undefined).on('close', () => (isOver = true));
  await until(() => text.includes('\n\n'));
  const [, path] = /^event: endpoint\ndata: (\S+)\n\n/.exec(text) ?? [];
  const close = (): void => void body.destroy();
  onTestFinished(close);
  return {
    address: `http://127.0.0.1:${port}${path ?? ''}`,
    text: () => text,
    isOver: () => isOver,
    close,
  };
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
    await post(stream.address, INITIALIZE);
    const params = {
      ...{ name: 'ask', arguments: { questions: [] } },
      _meta: { progressToken: 'steps' },
    };
    await post(stream.address, { ...rpc('tools/call', params), id: 78 });
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
    expect((await post(stream.address, INITIALIZE)).status).toBe(202);
    expect((await post(stream.address, call('wait'))).status).toBe(202);
    await until(() => endpoint.interactive.waiting.length === 1);
    expect(endpoint.mcp.stats()).toMatchObject({ sessions: 1, streams: 1, inFlight: 1 });
    stream.close();
    await until(() => endpoint.interactive.aborted.length === 1);
    await until(() => endpoint.mcp.stats().sessions === 0);
    expect((await post(stream.address, rpc('ping'))).status).toBe(404);
  });

  it('receives the answers to its running calls before its stream ends with the process', async () => {
    const endpoint = await startSse();
    const stream = await openStream(endpoint);
    await post(stream.address, INITIALIZE);
    await post(stream.address, { ...call('wait'), id: 77 });
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
    const { port } = await startSse();
    const url = sseUrl({ port });
    const refused = [
      await request(url, { method: 'POST', body: '{}' }),
      await request(`http://127.0.0.1:${port}/messages`),
      await request(url, { headers: { host: 'evil.example', accept: 'text/event-stream' } }),
      await request(url, { headers: { origin: 'http://evil.example', accept: '*/*' } }),
      await request(url, { headers: { accept: 'application/json' } }),
    ];
    const statuses = refused.map(({ statusCode }) => statusCode);
    for (const { body } of refused) await body.dump();
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
    const { address } = await openStream(endpoint);
    await post(address, INITIALIZE);
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const bodies = [INITIALIZE, [rpc('ping')], rpc('tools/list', { _meta: meta }), 'text'];
    for (const body of bodies) expect((await post(address, body)).status).toBe(400);
    expect(endpoint.mcp.stats().sessions).toBe(1);
  });

  it('refuse the stream of another user', async () => {
    const endpoint = await startSse(SIGNED_IN);
    const { address } = await openStream(endpoint, as('ada'));
    expect((await post(address, INITIALIZE, as('eve'))).status).toBe(404);
    expect((await post(address, INITIALIZE)).status).toBe(401);
    expect((await post(address, INITIALIZE, as('ada'))).status).toBe(202);
    expect((await post(address, rpc('ping'), as('eve'))).status).toBe(404);
  });

  it('take the headers that decide the scope from the GET', async () => {
    const scoped = (service: InteractiveEndpoint['interactive']['service']) => ({
      ...service,
      scopeHeaders: ['x-group'],
    });
    const endpoint = await start({ legacySse: true, change: scoped });
    endpoint.interactive.setTools('few', ['one']);
    const stream = await openStream(endpoint, { 'x-group': 'few' });
    await post(stream.address, INITIALIZE);
    const wider = await post(stream.address, rpc('tools/list'), { 'x-group': 'all' });
    expect(wider.status).toBe(400);
    expect((await post(stream.address, rpc('tools/list'))).status).toBe(202);
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
    const bus = memoryBus();
    const common = { sessionKey: Buffer.alloc(32, 3), ...SIGNED_IN };
    const one = await startSse({ ...common, peers: bus.join('one') });
    const two = await startSse({ ...common, peers: bus.join('two') });
    const stream = await openStream(one, as('ada'));
    const elsewhere = stream.address.replace(String(one.port), String(two.port));
    expect((await post(elsewhere, INITIALIZE, as('eve'))).status).toBe(404);
    expect((await post(elsewhere, INITIALIZE, as('ada'))).status).toBe(202);
    await until(() => stream.text().includes('"protocolVersion"'));
    expect((await post(elsewhere, [rpc('ping')], as('ada'))).status).toBe(400);
  });
});
