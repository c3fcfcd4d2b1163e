import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runBridge, type BridgeOptions } from '../src/bridge/bridge.ts';

interface Received {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Handler = (received: Received, response: ServerResponse) => void;

const json = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};

/** A server of HTTP that records its requests; `GET` is answered with 405. */
const startServer = async (onPost: Handler) => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const one = { method: request.method ?? '', headers: request.headers, body };
      received.push(one);
      if (request.method === 'POST') onPost(one, response);
      else response.writeHead(405).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${String(port)}/mcp`), received };
};

/** A bridge to a server, with the lines that its client receives. */
const startBridge = (url: URL, options: Partial<BridgeOptions> = {}) => {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let held = '';
  output.on('data', (chunk: Buffer) => {
    const parts = (held + chunk.toString()).split('\n');
    held = parts.pop() ?? '';
    lines.push(...parts);
    for (const check of waiting) check();
  });
  const ending = new AbortController();
  const ended = runBridge({
    url,
    input,
    output,
    signal: ending.signal,
    log: () => undefined,
    patience: { firstWaitMs: 5, maxWaitMs: 20, totalMs: 200 },
    ...options,
  });
  onTestFinished(async () => {
    ending.abort();
    await ended;
  });
  const line = (at: number): Promise<string> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (lines[at] !== undefined) resolve(lines[at]);
      };
      waiting.add(check);
      check();
    });
  return {
    ended,
    input,
    say: (message: unknown) => input.write(`${JSON.stringify(message)}\n`),
    line,
    message: async (at: number) => JSON.parse(await line(at)) as unknown,
  };
};

/** A server whose answers are these, and a bridge to it. */
const bridgeTo = async (onPost: Handler, options: Partial<BridgeOptions> = {}) => {
  const { url, received } = await startServer(onPost);
  return { received, ...startBridge(url, options) };
};
/** A bridge to a server that answers with one text. */
const bridgeToText = (status: number, body: string) =>
  bridgeTo((_one, response) => {
    json(response, status, body);
  });

const PONG = '{"jsonrpc":"2.0","id":7,"result":{}}';
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {} } };

describe('a request', () => {
  it('is sent as the client wrote it, with the headers and a token of that moment', async () => {
    let tokens = 0;
    const bridge = await bridgeTo((_one, response) => json(response, 200, PONG), {
      headers: { 'x-gateway-toolset': 'server:a' },
      accessToken: () => Promise.resolve(`token-${String((tokens += 1))}`),
    });
    const body = '{"id":7,  "jsonrpc":"2.0","method":"ping"}';
    bridge.input.write(`${body}\n`);
    expect(await bridge.line(0)).toBe(PONG);
    expect(bridge.received.at(-1)).toMatchObject({
      body,
      headers: { 'x-gateway-toolset': 'server:a', authorization: 'Bearer token-2' },
    });
  });

  it('of 2026-07-28 has the headers that repeat its method, name and mirrored arguments', async () => {
    const schema = { type: 'object', properties: { at: { type: 'string', 'x-mcp-header': 'At' } } };
    const bridge = await bridgeTo(({ body }, response) => {
      const { id } = JSON.parse(body) as { id: number };
      const result = { tools: [{ name: 'go', inputSchema: schema }] };
      json(response, 200, JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    bridge.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } });
    await bridge.line(0);
    const params = { name: 'go', arguments: { at: 'é' }, _meta };
    bridge.say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    await bridge.line(1);
    expect(bridge.received.at(-1)?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'go',
      'mcp-param-at': '=?base64?w6k=?=',
    });
  });
});

describe('an answer', () => {
  const BATCH = `[${PONG}]`;
  it.each([
    [
      'with line ends between its tokens becomes one line',
      '{\r\n "jsonrpc": "2.0",\n "id": 7, "result": {"a": "\\n"}\n}',
      '{ "jsonrpc": "2.0", "id": 7, "result": {"a": "\\n"}}',
    ],
    ['to a batch is passed on whole', BATCH, BATCH],
  ])('%s', async (_title, body, line) => {
    const bridge = await bridgeToText(200, body);
    bridge.say(body === BATCH ? [PING] : PING);
    expect(await bridge.line(0)).toBe(line);
  });

  it('that is an error without an id gets that of the request', async () => {
    const error = { code: -32020, message: 'no' };
    const bridge = await bridgeToText(400, JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    bridge.say(PING);
    expect(await bridge.message(0)).toEqual({ jsonrpc: '2.0', id: 7, error });
  });

  it.each([
    [401, 'requires a sign-in: run gateway auth login'],
    [403, 'refuses this client: HTTP 403'],
    [502, 'answers HTTP 502 with something else than MCP'],
  ])('of status %i without a message is an error that names the cause', async (status, text) => {
    const bridge = await bridgeTo((_one, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<p>secret</p>');
    });
    bridge.say(PING);
    const line = await bridge.line(0);
    expect(line).toContain(text);
    expect(line).not.toContain('secret');
  });

  it('that breaks off after its request was sent is an error for a call, which is not sent again', async () => {
    const bridge = await bridgeTo((_one, response) => response.destroy());
    bridge.say({ ...PING, method: 'tools/call', params: { name: 'pay' } });
    expect(await bridge.line(0)).toContain('a call may have been executed');
    expect(bridge.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('a session of the 2025 revisions', () => {
  /** A server that forgets its first session when the client asks `ping`. */
  const forgetful: Handler = ({ body, headers }, response) => {
    const { method, id } = JSON.parse(body) as { method: string; id?: number };
    const isGone = sessions > 0 && headers['mcp-session-id'] === 's1' && method === 'ping';
    if (isGone)
      json(response, 404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"gone"}}');
    else if (id === undefined) response.writeHead(202).end();
    else {
      if (method === 'initialize') sessions += 1;
      const capabilities = { tools: { listChanged: true } };
      const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities } : {};
      response.setHeader('mcp-session-id', `s${String(sessions)}`);
      json(response, 200, JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  };
  let sessions = 0;
  const startSession = async () => {
    sessions = 0;
    const bridge = await bridgeTo(forgetful);
    bridge.say(INITIALIZE);
    await bridge.line(0);
    return bridge;
  };

  it('that has ended is replaced, with what the client has subscribed to', async () => {
    const bridge = await startSession();
    bridge.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    bridge.say({ jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri: 'a:b' } });
    await bridge.line(1);
    bridge.say(PING);
    const notification = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    expect(await bridge.message(2)).toEqual(notification);
    expect(await bridge.line(3)).toBe(PONG);
    const second = bridge.received.filter(({ headers }) => headers['mcp-session-id'] === 's2');
    const methods = second.flatMap(({ body }) =>
      body === '' ? [] : [(JSON.parse(body) as { method: string }).method],
    );
    expect(methods).toEqual(['notifications/initialized', 'resources/subscribe', 'ping']);
  });

  it('does not send a revision that cannot be a value of a header', async () => {
    const result = { protocolVersion: '2025-11-25\r\nx-other: 1', capabilities: {} };
    const bridge = await bridgeToText(200, JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    bridge.say(INITIALIZE);
    await bridge.line(0);
    bridge.say({ ...PING, id: 1 });
    expect(await bridge.message(1)).toMatchObject({ id: 1, result: {} });
    expect(bridge.received.at(-1)?.headers['mcp-protocol-version']).toBeUndefined();
  });

  it('ends with the input of the client', async () => {
    const bridge = await startSession();
    bridge.input.end();
    expect(await bridge.ended).toEqual({ ok: true });
    const headers = { 'mcp-session-id': 's1' };
    expect(bridge.received.at(-1)).toMatchObject({ method: 'DELETE', headers });
  });
});

describe('a gateway that takes nothing', () => {
  const LINE = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { a: 'x'.repeat(1_000_000) } })}\n`;
  const RESPONSE = `${JSON.stringify({ jsonrpc: '2.0', id: 'q', result: {} })}\n`;
  /** Longer than a test: a message that waits is not dropped for its age. */
  const PATIENCE = { firstWaitMs: 5, maxWaitMs: 20, totalMs: 60_000 };

  /** Answers requests and takes no other message. */
  const takingRequests: Handler = ({ body }, response) => {
    const { id, method } = JSON.parse(body) as { id?: unknown; method?: string };
    if (id === undefined || method === undefined) return;
    response.setHeader('mcp-session-id', 's1');
    json(response, 200, JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  };

  it.each([
    ['notifications', LINE, 20],
    ['responses', RESPONSE, 300],
  ])('gets requests and the end of the client after many %s', async (_what, line, count) => {
    const logged: string[] = [];
    const log = (text: string) => void logged.push(text);
    const bridge = await bridgeTo(takingRequests, { patience: PATIENCE, log });
    for (let sent = 0; sent < count; sent += 1) bridge.input.write(line);
    bridge.say(PING);
    expect(await bridge.line(0)).toBe(PONG);
    expect(logged).toEqual([
      'notifications or responses were dropped: too many wait for the gateway',
    ]);
    expect(bridge.received.length).toBeLessThan(count);
    bridge.input.end();
    expect(await bridge.ended).toEqual({ ok: true });
  });

  it('gets small notifications after large ones were dropped', async () => {
    const open: ServerResponse[] = [];
    const bridge = await bridgeTo((_one, response) => void open.push(response), {
      patience: PATIENCE,
    });
    for (let sent = 0; sent < 20; sent += 1) bridge.input.write(LINE);
    bridge.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const take = (): boolean => {
      for (const response of open.splice(0)) response.writeHead(202).end();
      return bridge.received.at(-1)?.body.includes('notifications/initialized') ?? false;
    };
    await expect.poll(take).toBe(true);
  });

  it('is asked for the stream of the session also when initialized was dropped', async () => {
    const bridge = await bridgeTo(takingRequests);
    bridge.say(INITIALIZE);
    await bridge.line(0);
    bridge.say({ jsonrpc: '2.0', method: 'notifications/x' });
    bridge.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const gets = (): number => bridge.received.filter(({ method }) => method === 'GET').length;
    // The first looks for the gateway.
    await expect.poll(gets).toBe(2);
  });

  it('stops the reading when the client does not read refusals', async () => {
    const { url } = await startServer((_one, response) => json(response, 200, '{}'));
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1 });
    const ending = new AbortController();
    const ended = runBridge({ url, input, output, signal: ending.signal, log: () => undefined });
    let sent = 0;
    while (!input.isPaused()) {
      input.write('no message\n'.repeat(100));
      await new Promise((resolve) => void setImmediate(resolve));
      sent += 1;
      expect(sent).toBeLessThan(100_000);
    }
    output.resume();
    await new Promise<void>((resolve) => void input.once('resume', resolve));
    ending.abort();
    await ended;
  });
});

describe('a question of the gateway', () => {
  const sse = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`;

  /** Asks during a call, and ends the call with the answer. */
  const asking = (method: string) => {
    const open: ServerResponse[] = [];
    return bridgeTo(({ body }, response) => {
      const { id, result } = JSON.parse(body) as { id: unknown; result?: unknown };
      if (id === 'q1') {
        response.writeHead(202).end();
        open[0]?.end(sse({ jsonrpc: '2.0', id: 7, result: { content: [], answer: result } }));
        return;
      }
      open.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse({ jsonrpc: '2.0', id: 'q1', method, params: { message: 'a?' } }));
    });
  };
  const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'x' } };

  it.each(['sampling/createMessage', 'elicitation/create'])(
    '%s reaches the client, and its answer the gateway',
    async (method) => {
      const bridge = await asking(method);
      bridge.say(CALL);
      const question = { jsonrpc: '2.0', id: 'q1', method, params: { message: 'a?' } };
      expect(await bridge.message(0)).toEqual(question);
      const answer = { from: 'the client' };
      bridge.say({ jsonrpc: '2.0', id: 'q1', result: answer });
      const result = { content: [], answer };
      expect(await bridge.message(1)).toEqual({ jsonrpc: '2.0', id: 7, result });
    },
  );

  it('ends with the client that dies before it answers, and the call with it', async () => {
    const closed: string[] = [];
    const bridge = await bridgeTo((_one, response) => {
      response.once('close', () => closed.push('call'));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse({ jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params: {} }));
    });
    bridge.say(CALL);
    await bridge.line(0);
    bridge.input.end();
    expect(await bridge.ended).toEqual({ ok: true });
    await expect.poll(() => closed).toEqual(['call']);
  });
});
