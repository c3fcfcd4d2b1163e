import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createForwarder } from '../src/forward/forward-request.ts';
import { startService } from './harness/peer-service.ts';
import { openToken, startPortal, type TestPortal } from './harness/started-portal.ts';

/** Sends a request with the token of the portal. */
const send = async (
  portal: TestPortal,
  path: string,
  init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> =>
  fetch(new URL(path, portal.url), {
    method: 'POST',
    body: '{}',
    ...init,
    headers: { 'x-portal-token': await openToken(portal), ...init.headers },
  });

describe('a forwarded request', () => {
  it('has the listed headers of the browser alone', async () => {
    const service = await startService();
    const portal = await startPortal({ gateway: `${service.url}/mcp?tenant=a` });
    const listed = {
      accept: 'application/json',
      'content-type': 'application/json',
      'mcp-method': 'tools/call',
      'mcp-param-a': '1',
      'x-gateway-toolset': 'preset:read-only',
    };
    const others = {
      authorization: 'Bearer of-the-browser',
      cookie: 'portal=secret',
      'x-forwarded-host': 'evil.example',
      'x-original-url': '/metrics',
      'proxy-authorization': 'Basic eA==',
      origin: new URL(portal.url).origin,
    };
    const headers = { ...listed, ...others, 'x-forwarded-for': '10.0.0.1' };
    await send(portal, 'mcp', { headers });
    const { host, connection, ...forwarded } = service.received[0]?.headers ?? {};
    expect([host, connection]).toEqual([new URL(service.url).host, 'keep-alive']);
    for (const name of ['content-length', 'transfer-encoding'])
      Reflect.deleteProperty(forwarded, name);
    expect(forwarded).toEqual({ ...listed, 'x-forwarded-for': '10.0.0.1, 127.0.0.1' });
    expect(service.received[0]?.url).toBe('/mcp?tenant=a');
  });

  it('is answered with the listed headers of the service alone', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-request-id': '7',
        'set-cookie': 'portal=planted',
        'access-control-allow-origin': '*',
        'clear-site-data': '"cookies"',
        location: 'http://evil.example',
      });
      response.end('{}');
    });
    const portal = await startPortal({ gateway: service.url });
    const { headers } = await send(portal, 'mcp');
    expect([...headers.keys()].toSorted()).toEqual([
      ...['cache-control', 'connection', 'content-security-policy', 'content-type'],
      ...['cross-origin-resource-policy', 'date', 'keep-alive', 'transfer-encoding'],
      ...['x-content-type-options', 'x-request-id'],
    ]);
  });

  it('names the address of the browser to the gateway alone, which counts its requests', async () => {
    const service = await startService();
    const portal = await startPortal({
      ...{ gateway: service.url, agentManager: service.url },
      metrics: `${service.url}/metrics`,
    });
    await send(portal, 'mcp', { headers: { 'x-forwarded-for': `${'1, '.repeat(900)}192.0.2.1` } });
    await send(portal, 'agent-manager/api/v1/agents');
    await send(portal, 'metrics', { method: 'GET', body: null });
    const named = service.received.map(({ headers }) => headers['x-forwarded-for']);
    expect(named[0]).toMatch(/1, 192\.0\.2\.1, 127\.0\.0\.1$/u);
    expect(String(named[0]).length).toBeLessThan(1_100);
    expect(named.slice(1)).toEqual([undefined, undefined]);
  });

  it.each([
    ['agents?namespace=a%26b', '/base/api/v1/agents?namespace=a%26b'],
    ['agents/a%2Fb', '/base/api/v1/agents/a%2Fb'],
  ])('of agent-manager keeps its path: %s', async (path, url) => {
    const service = await startService();
    const portal = await startPortal({ agentManager: `${service.url}/base` });
    await send(portal, `agent-manager/api/v1/${path}`, { method: 'GET', body: null });
    expect(service.received.map((request) => request.url)).toEqual([url]);
  });

  it.each([
    'agent-manager/metrics',
    'agent-manager//evil.example/api/v1/',
    'agent-manager/api/v1/%2e%2e/%2e%2e/metrics',
  ])('reaches no other path of agent-manager: %s', async (path) => {
    const service = await startService();
    const portal = await startPortal({ agentManager: service.url });
    expect((await send(portal, path)).status).toBe(404);
    expect(service.received).toEqual([]);
  });

  it('shows nothing of a service as a page of the portal', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<script>fetch("x")</script>');
    });
    const portal = await startPortal({ agentManager: service.url });
    const policy = "default-src 'none'; frame-ancestors 'none'; sandbox";
    for (const path of ['agent-manager/api/v1/agents', 'session', 'agent-manager/none']) {
      const { headers } = await fetch(new URL(path, portal.url));
      expect(headers.get('content-security-policy')).toBe(policy);
    }
  });

  it('carries 10 MB in both directions', async () => {
    const service = await startService((request, response) => {
      request.pipe(response);
    });
    const portal = await startPortal({ gateway: service.url });
    const body = 'x'.repeat(10 * 1024 * 1024);
    const response = await send(portal, 'mcp', { body });
    expect((await response.text()) === body).toBe(true);
  });

  it('is answered when the service refuses its body before reading it', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(413).end('too large');
    });
    const portal = await startPortal({ gateway: service.url });
    const response = await send(portal, 'mcp', { body: 'x'.repeat(10 * 1024 * 1024) });
    expect([response.status, await response.text()]).toEqual([413, 'too large']);
  });

  it('ends at the service when the browser goes away', async () => {
    let cancelled = false;
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
      response.once('close', () => (cancelled = true));
    });
    const portal = await startPortal({ gateway: service.url });
    const browser = new AbortController();
    const response = await send(portal, 'mcp', { signal: browser.signal });
    const read = await response.body?.getReader().read();
    expect(new TextDecoder().decode(read?.value as Uint8Array)).toBe(': begun\n\n');
    browser.abort();
    await expect.poll(() => cancelled).toBe(true);
  });

  it('breaks off with the response of a service that ends in the middle', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      setImmediate(() => response.destroy());
    });
    const portal = await startPortal({ gateway: service.url });
    const response = await send(portal, 'mcp');
    await expect(response.text()).rejects.toThrow();
  });
});

describe('a service that does not answer', () => {
  it.each([
    ['mcp', 'The gateway did not answer.'],
    ['agent-manager/api/v1/agents', 'agent-manager did not answer.'],
  ])('is named: %s', async (path, message) => {
    const portal = await startPortal({
      gateway: 'http://127.0.0.1:9/mcp',
      agentManager: 'http://127.0.0.1:9',
    });
    const response = await send(portal, path);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ error: { code: 'backend_error', message } });
  });
});

it('limits the requests of a session that run at the same time', async () => {
  const held: (() => void)[] = [];
  const service = await startService((_request, response) => {
    held.push(() => response.end('{}'));
  });
  const forwarder = createForwarder({ maxPerSession: 1 });
  const front = await startService((request, response) => {
    void forwarder.forward({
      ...{ request, response, token: undefined, unreachable: 'gateway-unreachable' },
      url: new URL(service.url),
      sessionEnd: new AbortController().signal,
      countedAs: request.headers['x-session']?.toString() ?? '',
    });
  });
  const of = (session: string): Promise<Response> =>
    fetch(front.url, { headers: { 'x-session': session } });
  const first = of('alice');
  await expect.poll(() => held).toHaveLength(1);
  expect((await of('alice')).status).toBe(429);
  const other = of('bob');
  await expect.poll(() => held).toHaveLength(2);
  for (const answer of held) answer();
  expect([(await first).status, (await other).status]).toEqual([200, 200]);
  await forwarder.close();
});

describe('a portal that stops', () => {
  it('finishes running requests and is not ready meanwhile', async () => {
    let answer = (): void => undefined;
    const service = await startService((_request, response) => {
      answer = () => response.end('{}');
    });
    const portal = await startPortal({ gateway: service.url });
    const kept = httpRequest(new URL('readyz', portal.url), {
      headers: { connection: 'keep-alive' },
    });
    await once(kept, 'socket');
    const running = send(portal, 'mcp');
    await expect.poll(() => service.received).toHaveLength(1);
    const drained = portal.drain(5_000);
    kept.end();
    const [probe] = (await once(kept, 'response')) as [{ statusCode: number }];
    expect(probe.statusCode).toBe(503);
    answer();
    expect((await running).status).toBe(200);
    await drained;
    await expect(fetch(portal.url)).rejects.toThrow();
  });

  it('ends streams at the end of its time', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
    });
    const portal = await startPortal({ gateway: service.url });
    const stream = await send(portal, 'mcp');
    await portal.drain(50);
    await expect(stream.text()).rejects.toThrow();
  });
});
