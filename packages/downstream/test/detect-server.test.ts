import type { DetectOutcome } from '@gateway/call-contract';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { detectServer } from '../src/index.ts';
import type { DetectOptions } from '../src/detect/detect-server.ts';
import { modernOnly, sseOnly } from './fixtures/detectable.mjs';
import { findFreePort } from '@gateway/test-peers';
import { startRawHttp } from './harness/raw-http.ts';

const clientInfo = { name: 'gateway', version: '0.0.0' };

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Returns the result of a detection that may connect to this machine. */
const detect = (
  url: string,
  { headers = {}, timeoutMs = 5_000 }: Asked = {},
  options: Partial<DetectOptions> = {},
): Promise<DetectOutcome> =>
  detectServer({ url, headers, timeoutMs }, { clientInfo, allowPrivate: true, ...options });

interface Listening {
  readonly url: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
}

/** Serves on a port of this machine until the test ends. */
const serve = async (listener: RequestListener): Promise<Listening> => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, port, requests };
};

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(code, headers).end('nothing here');
  };

describe('a server that is there', () => {
  it('is found over Streamable HTTP, with the required headers', async () => {
    const raw = await startRawHttp();
    expect(await detect(raw.url, { headers: { Authorization: 'Bearer hush' } })).toEqual({
      kind: 'found',
      transport: 'streamable-http',
      requiresAuth: false,
      serverName: 'raw',
      serverVersion: '1.2.3',
      detail: 'MCP server over streamable-http, protocol 2025-11-25',
    });
    expect(raw.headers.every(({ authorization }) => authorization === 'Bearer hush')).toBe(true);
  });

  it('is found when it takes half of the time to answer for the first time', async () => {
    const raw = await startRawHttp();
    const answered = sleep(1_200);
    const { port } = raw;
    const { url: late } = await serve((request, response) => {
      const forward = (): void => {
        const options = { port, path: '/mcp', method: request.method, headers: request.headers };
        const onward = httpRequest(options, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
        request.pipe(onward);
      };
      answered.then(forward, () => response.destroy());
    });
    expect(await detect(late, { timeoutMs: 4_000 })).toMatchObject({ serverName: 'raw' });
  });

  it('receives the end of the session', async () => {
    const ended: unknown[] = [];
    const { url } = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        if (request.method === 'DELETE') ended.push(request.headers['mcp-session-id']);
        if (request.method !== 'POST') {
          response.writeHead(405).end();
          return;
        }
        const { id, method } = JSON.parse(body) as { id?: number; method: string };
        const serverInfo = { name: 'stateful', version: '1' };
        const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo };
        const answer =
          method === 'initialize' ? { result } : { error: { code: -32601, message: 'unknown' } };
        response
          .writeHead(id === undefined ? 202 : 200, {
            'content-type': 'application/json',
            ...(method === 'initialize' && { 'mcp-session-id': 'one' }),
          })
          .end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
    expect(await detect(url)).toMatchObject({ kind: 'found', serverName: 'stateful' });
    expect(ended).toEqual(['one']);
  });

  it('is found when it answers with an event stream', async () => {
    const raw = await startRawHttp({ events: true });
    expect(await detect(raw.url)).toMatchObject({ kind: 'found', serverName: 'raw' });
  });

  it('is found when it speaks 2026-07-28 only', async () => {
    const { url } = await serve(modernOnly());
    expect(await detect(url)).toMatchObject({
      kind: 'found',
      transport: 'streamable-http',
      detail: 'MCP server over streamable-http, protocol 2026-07-28',
    });
  });

  it('is found over SSE when it does not answer a POST there', async () => {
    const { url } = await serve(sseOnly());
    expect(await detect(url)).toMatchObject({
      kind: 'found',
      transport: 'sse',
      requiresAuth: false,
      serverName: 'gen1',
      serverVersion: '1.0.0',
    });
  });

  it('is found when it answers the era probe with 500', async () => {
    const raw = await startRawHttp();
    raw.setIntercept((request, response) => {
      raw.setIntercept(undefined);
      request.resume();
      response.writeHead(500).end();
      return true;
    });
    expect(await detect(raw.url)).toMatchObject({ kind: 'found', serverName: 'raw' });
  });

  it('is found with a required sign-in', async () => {
    const { url, requests } = await serve(status(401, { 'www-authenticate': 'Bearer' }));
    expect(await detect(url)).toEqual({
      kind: 'found',
      transport: 'streamable-http',
      requiresAuth: true,
      detail: 'HTTP 401: sign-in is required; whether it is an MCP server shows behind it',
    });
    expect(requests).toHaveLength(1);
  });
});

describe('an address without such a server', () => {
  it('is not found, with both answers', async () => {
    const { url } = await serve((request, response) =>
      status(request.method === 'POST' ? 404 : 410)(request, response),
    );
    expect(await detect(url)).toEqual({
      kind: 'none',
      detail: 'streamable-http: HTTP 404; sse: HTTP 410',
    });
  });

  it('is not found when it answers with HTML pages', async () => {
    const { url } = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    });
    expect(await detect(url)).toMatchObject({ kind: 'none' });
  });

  it('is not found on a closed port, after one attempt', async () => {
    const port = await findFreePort();
    expect(await detect(`http://127.0.0.1:${port}/mcp`)).toEqual({
      kind: 'none',
      detail: expect.stringMatching(/ECONNREFUSED/u) as unknown,
    });
  });

  it('is not found within the bound when it accepts and hangs', async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      sockets.push(socket);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const began = performance.now();
    expect(await detect(`http://127.0.0.1:${port}/`, { timeoutMs: 300 })).toEqual({
      kind: 'none',
      detail: 'it did not answer in time',
    });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(sockets.length).toBeGreaterThan(0);
    for (const socket of sockets) if (!socket.closed) await once(socket.resume(), 'close');
  });

  it('is cancelled with its caller', async () => {
    const { url } = await serve(() => undefined);
    const given = new AbortController();
    const outcome = detect(url, { timeoutMs: 60_000 }, { signal: given.signal });
    given.abort();
    expect(await outcome).toMatchObject({ kind: 'none' });
  });

  it('is read up to a limit', async () => {
    let written = 0;
    const { url } = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const write = (): void => {
        while (response.writable && written < 512 * 1024 * 1024) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', write);
            return;
          }
        }
      };
      write();
    });
    expect(await detect(url)).toMatchObject({ kind: 'none' });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('is not found when the host has no address', async () => {
    const missing = () => Promise.reject(new Error('getaddrinfo ENOTFOUND nowhere.example'));
    expect(await detect('http://nowhere.example/', {}, { resolve: missing })).toEqual({
      kind: 'none',
      detail: 'getaddrinfo ENOTFOUND nowhere.example',
    });
    expect(
      await detect(
        'http://nowhere.example/',
        { timeoutMs: 20 },
        { resolve: () => new Promise(() => undefined) },
      ),
    ).toEqual({ kind: 'none', detail: 'its address was not found in time' });
  });
});

describe('a server that calls itself by the header it was sent', () => {
  it('is found without showing the value', async () => {
    const { url } = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const { id, method } = JSON.parse(body) as { id?: unknown; method: string };
        if (id === undefined) return response.writeHead(202).end();
        const name = request.headers.authorization;
        const serverInfo = { name: `a ${name ?? ''}`, version: name?.slice('Bearer '.length) };
        const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo };
        const answer =
          method === 'initialize' ? { result } : { error: { code: -32601, message: 'no' } };
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
    const found = await detect(url, { headers: { authorization: 'Bearer hush-hush' } });
    expect(found).toMatchObject({ kind: 'found', serverName: 'a [redacted]' });
    expect(JSON.stringify(found)).not.toContain('hush');
  });
});

describe('another address', () => {
  it('is not followed when it is a redirect', async () => {
    const inner = await startRawHttp();
    const { url, requests } = await serve(status(307, { location: `${inner.url}?token=hush` }));
    expect(await detect(url)).toEqual({
      kind: 'none',
      detail: `HTTP 307: redirect to ${inner.url} not followed; use that URL if it is the intended server`,
    });
    expect(requests.map(({ method }) => method)).toContain('GET');
    expect(inner.headers).toEqual([]);
  });

  it('is not followed when an event stream names another origin for messages', async () => {
    const inner = await startRawHttp();
    const { url } = await serve((request, response) => {
      request.resume();
      if (request.method === 'POST') response.writeHead(404).end();
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`event: endpoint\ndata: ${inner.url}\n\n`);
      }
    });
    expect(await detect(url, { timeoutMs: 1_000 })).toMatchObject({ kind: 'none' });
    expect(inner.headers).toEqual([]);
  });

  it('is not connected to when a name resolves to another address later', async () => {
    const raw = await startRawHttp();
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '169.254.169.254', family: 4 }],
    ];
    let asked = 0;
    const resolve = () => Promise.resolve(answers[asked++] ?? []);
    expect(await detect(`http://rebinding.example:${raw.port}/mcp`, {}, { resolve })).toMatchObject(
      { kind: 'found', serverName: 'raw' },
    );
    expect(asked).toBe(1);
    expect(raw.headers[0]?.host).toBe(`rebinding.example:${raw.port}`);
  });
});

describe('an address that is not allowed', () => {
  const refusedUnder = async (allowPrivate: boolean, url: string, addresses: readonly string[]) => {
    const resolve = () =>
      Promise.resolve(
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    return detect(url, {}, { allowPrivate, resolve });
  };

  it.each([
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254 has a metadata address'],
    ['http://0xa9fea9fe/', '169.254.169.254 has a metadata address'],
    ['http://2852039166/', '169.254.169.254 has a metadata address'],
    ['http://0251.0376.0251.0376/', '169.254.169.254 has a metadata address'],
    ['http://[::ffff:169.254.169.254]/', '::ffff:a9fe:a9fe has a metadata address'],
    ['http://[fd00:ec2::254]/', 'fd00:ec2::254 has a metadata address'],
    ['http://0.0.0.0:8090/', '0.0.0.0 has an unspecified address'],
    ['http://0/', '0.0.0.0 has an unspecified address'],
    ['http://[::]/', ':: has an unspecified address'],
    ['http://[ff02::1]/', 'ff02::1 has a multicast address'],
    ['http://224.0.0.1/', '224.0.0.1 has a multicast address'],
  ])('%s is always refused', async (url, detail) => {
    for (const allowPrivate of [true, false])
      expect(await refusedUnder(allowPrivate, url, [])).toEqual({
        kind: 'refused',
        detail: `${detail}, which is never asked`,
      });
  });

  it('is one of the own network, unless that is allowed', async () => {
    const raw = await startRawHttp();
    expect(await refusedUnder(false, raw.url, [])).toEqual({
      kind: 'refused',
      detail: '127.0.0.1 has a loopback address, which is not allowed here',
    });
    expect(raw.headers).toEqual([]);
    expect(await refusedUnder(true, raw.url, [])).toMatchObject({ kind: 'found' });
  });

  it('is found by the resolver of the system when nothing else is given', async () => {
    const raw = await startRawHttp();
    const url = `http://localhost:${raw.port}/mcp`;
    expect(await detect(url, {}, { allowPrivate: false })).toEqual({
      kind: 'refused',
      detail: 'localhost has a loopback address, which is not allowed here',
    });
    expect(raw.headers).toEqual([]);
    expect(await detect(url)).toMatchObject({ kind: 'found', serverName: 'raw' });
  });

  it('is known by what its name means, whichever of several addresses it is', async () => {
    expect(
      await refusedUnder(true, 'http://metadata.google.internal/', ['169.254.169.254']),
    ).toEqual({
      kind: 'refused',
      detail: 'metadata.google.internal has a metadata address, which is never asked',
    });
    expect(await refusedUnder(false, 'http://both.example/', ['8.8.8.8', '10.0.0.1'])).toEqual({
      kind: 'refused',
      detail: 'both.example has a private address, which is not allowed here',
    });
    expect(await refusedUnder(true, 'http://both.example/', ['10.0.0.1', 'fe80::1%1'])).toEqual({
      kind: 'refused',
      detail: 'both.example has a link-local address, which is never asked',
    });
  });
});

describe('a refused request', () => {
  it.each([
    ['not a url', 'the URL is not valid'],
    ['file:///etc/passwd', 'the URL must begin with http:// or https://'],
    ['gopher://127.0.0.1/', 'the URL must begin with http:// or https://'],
    ['http://bot:hush@127.0.0.1/', 'the URL must not hold credentials; send them as headers'],
    ['http://hush@127.0.0.1/', 'the URL must not hold credentials; send them as headers'],
  ])('is %s', async (url, detail) => {
    expect(await detect(url)).toEqual({ kind: 'refused', detail });
  });

  const many = Object.fromEntries(
    Array.from({ length: 129 }, (_, index) => [`x-${index}`, 'hush']),
  );

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ['the header host must not be set', { Host: 'inner' }],
    ['the header mcp-session-id must not be set', { 'Mcp-Session-Id': '1' }],
    ['the header proxy-authorization must not be set', { 'Proxy-Authorization': 'Basic hush' }],
    ['the header x-forwarded-for must not be set', { 'X-Forwarded-For': '127.0.0.1' }],
    ['a header has no valid name', { 'a b': 'hush' }],
    ['the value of the header x-key is not valid', { 'X-Key': 'hush\r\nHost: inner' }],
    ['the value of the header x-key is not valid', { 'X-Key': 'hush\u{1f600}' }],
    ['there are more than 128 headers', many],
  ])('returns: %s', async (detail, headers) => {
    expect(await detect('http://127.0.0.1/', { headers })).toEqual({ kind: 'refused', detail });
  });

  it('never shows the value of a header, even when the server does', async () => {
    const { url } = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': String(request.headers['x-key']) }).end('a page');
    });
    const outcome = await detect(url, { headers: { 'X-Key': 'hush-hush-hush' } });
    expect(outcome.kind).toBe('none');
    expect(JSON.stringify(outcome)).not.toContain('hush-hush-hush');
  });
});
