import type { DetectOutcome } from '@gateway/call-contract';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { detectServer } from '../src/index.ts';
import type { DetectOptions } from '../src/detect/detect-server.ts';
import { modernOnly, sseOnly } from './fixtures/detectable.mjs';
import { findFreePort } from '@gateway/test-peers';
import { EVENTS, JSON_TYPE, respond, serve, startRawHttp } from './harness/raw-http.ts';
import { listen, portOf } from './harness/raw-socket.ts';

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

/** Records the requests to a server of this machine. */
const watch = async (listener: RequestListener) => {
  const requests: IncomingMessage[] = [];
  const { url } = await serve((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  return { url, requests };
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
    const raw = await startRawHttp();
    const ended: unknown[] = [];
    raw.setIntercept(({ method, headers }, response) => {
      response.setHeader('mcp-session-id', 'one');
      if (method === 'DELETE') ended.push(headers['mcp-session-id']);
      return false;
    });
    expect(await detect(raw.url)).toMatchObject({ kind: 'found', serverName: 'raw' });
    expect(ended).toEqual(['one']);
  });

  it.each([
    [
      'it speaks 2026-07-28 only',
      modernOnly,
      {
        transport: 'streamable-http',
        detail: 'MCP server over streamable-http, protocol 2026-07-28',
      },
    ],
    [
      'it does not answer a POST there, over SSE',
      sseOnly,
      { transport: 'sse', requiresAuth: false, serverName: 'gen1', serverVersion: '1.0.0' },
    ],
  ])('is found when %s', async (_what, listener, found) => {
    const { url } = await serve(listener());
    expect(await detect(url)).toMatchObject({ kind: 'found', ...found });
  });

  it('is found when it answers the era probe with 500', async () => {
    const raw = await startRawHttp();
    raw.setIntercept((request, response) => {
      raw.setIntercept(undefined);
      return respond(500)(request, response);
    });
    expect(await detect(raw.url)).toMatchObject({ kind: 'found', serverName: 'raw' });
  });

  it('is found with a required sign-in', async () => {
    const { url, requests } = await watch(respond(401, '', { 'www-authenticate': 'Bearer' }));
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
      respond(request.method === 'POST' ? 404 : 410)(request, response),
    );
    const detail = 'streamable-http: HTTP 404; sse: HTTP 410';
    expect(await detect(url)).toEqual({ kind: 'none', detail });
  });

  it('is not found when it answers with HTML pages', async () => {
    const { url } = await serve(respond(200, '<h1>Hello</h1>', { 'content-type': 'text/html' }));
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
    const server = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        sockets.push(socket);
      }),
    );
    const began = performance.now();
    expect(await detect(`http://127.0.0.1:${portOf(server)}/`, { timeoutMs: 300 })).toEqual({
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

it('a server that calls itself by the header it was sent is found without showing the value', async () => {
  const raw = await startRawHttp();
  raw.onPost(({ id, method }, response, { headers: { authorization = '' } }) => {
    if (method !== 'initialize') return false;
    const version = authorization.slice('Bearer '.length);
    const serverInfo = { name: `a ${authorization}`, version };
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    return true;
  });
  const found = await detect(raw.url, { headers: { authorization: 'Bearer hush-hush' } });
  expect(found).toMatchObject({ kind: 'found', serverName: 'a [redacted]' });
  expect(JSON.stringify(found)).not.toContain('hush');
});

describe('another address', () => {
  it('is not followed when it is a redirect', async () => {
    const inner = await startRawHttp();
    const { url, requests } = await watch(
      respond(307, '', { location: `${inner.url}?token=hush` }),
    );
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
      if (request.method === 'POST') return void respond(404)(request, response);
      response.writeHead(200, EVENTS).write(`event: endpoint\ndata: ${inner.url}\n\n`);
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
  const refusedUnder = (allowPrivate: boolean, url: string, addresses: readonly string[]) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return detect(url, {}, { allowPrivate, resolve: () => Promise.resolve(found) });
  };
  const refused = (detail: string) => ({ kind: 'refused', detail });

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
      expect(await refusedUnder(allowPrivate, url, [])).toEqual(
        refused(`${detail}, which is never asked`),
      );
  });

  it('is one of the own network, unless that is allowed', async () => {
    const raw = await startRawHttp();
    expect(await refusedUnder(false, raw.url, [])).toEqual(
      refused('127.0.0.1 has a loopback address, which is not allowed here'),
    );
    expect(raw.headers).toEqual([]);
    expect(await refusedUnder(true, raw.url, [])).toMatchObject({ kind: 'found' });
  });

  it('is found by the resolver of the system when nothing else is given', async () => {
    const raw = await startRawHttp();
    const url = `http://localhost:${raw.port}/mcp`;
    expect(await detect(url, {}, { allowPrivate: false })).toEqual(
      refused('localhost has a loopback address, which is not allowed here'),
    );
    expect(raw.headers).toEqual([]);
    expect(await detect(url)).toMatchObject({ kind: 'found', serverName: 'raw' });
  });

  it.each([
    [
      true,
      'metadata.google.internal',
      ['169.254.169.254'],
      'a metadata address, which is never asked',
    ],
    [
      false,
      'both.example',
      ['8.8.8.8', '10.0.0.1'],
      'a private address, which is not allowed here',
    ],
    [true, 'both.example', ['10.0.0.1', 'fe80::1%1'], 'a link-local address, which is never asked'],
  ])(
    'is known by what its name means, whichever of several addresses it is: %s %s %s',
    async (allowPrivate, host, addresses, kind) => {
      expect(await refusedUnder(allowPrivate, `http://${host}/`, addresses)).toEqual(
        refused(`${host} has ${kind}`),
      );
    },
  );
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
    const { url } = await serve((request, response) =>
      respond(200, 'a page', { 'content-type': String(request.headers['x-key']) })(
        request,
        response,
      ),
    );
    const outcome = await detect(url, { headers: { 'X-Key': 'hush-hush-hush' } });
    expect(outcome.kind).toBe('none');
    expect(JSON.stringify(outcome)).not.toContain('hush-hush-hush');
  });
});
