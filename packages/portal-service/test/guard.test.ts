import { describe, expect, it } from 'vitest';
import { rawRequest, requestText } from './harness/raw-request.ts';
import { startService } from './harness/peer-service.ts';
import { openToken, startPortal } from './harness/started-portal.ts';

const POST = { method: 'POST', body: '{}' };

const statusOf = async (url: URL, init: RequestInit): Promise<string> => {
  const response = await fetch(url, init);
  await response.text();
  return `${response.status} ${response.headers.get('x-portal-refusal') ?? ''}`.trim();
};

describe('a request that changes something', () => {
  it.each([
    ['without the token', {}],
    ['with another token', { 'x-portal-token': 'x'.repeat(43) }],
  ])('is refused %s', async (_name, headers) => {
    const service = await startService();
    const { url } = await startPortal({ gateway: `${service.url}/mcp`, agentManager: service.url });
    for (const path of ['mcp', 'agent-manager/api/v1/agents'])
      expect(await statusOf(new URL(path, url), { ...POST, headers })).toBe('403 forged-request');
    expect(service.received).toEqual([]);
  });

  it.each([
    ['origin', { origin: 'http://evil.example' }, '403 foreign-host'],
    ['loopback origin', { origin: 'http://127.0.0.1:1' }, '403 forged-request'],
    ['opaque origin', { origin: 'null' }, '403 foreign-host'],
    ['site', { 'sec-fetch-site': 'cross-site' }, '403 forged-request'],
    ['subdomain', { 'sec-fetch-site': 'same-site' }, '403 forged-request'],
  ])('is refused with the token and a foreign %s', async (_name, headers, refusal) => {
    const service = await startService();
    const portal = await startPortal({ gateway: `${service.url}/mcp` });
    const sent = { 'x-portal-token': await openToken(portal), ...headers };
    expect(await statusOf(new URL('mcp', portal.url), { ...POST, headers: sent })).toBe(refusal);
    expect(service.received).toEqual([]);
  });

  it('is forwarded with the token, of a page and of any loopback name', async () => {
    const service = await startService();
    const portal = await startPortal({ gateway: `${service.url}/mcp` });
    const token = await openToken(portal);
    const { port } = new URL(portal.url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      const text = await rawRequest(
        portal.address,
        `POST /mcp HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\nx-portal-token: ${token}\r\nsec-fetch-site: same-origin\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
      );
      expect(text).toContain('HTTP/1.1 200 OK');
    }
  });
});

describe('a request that reads', () => {
  it('is refused with the token of another session, as of a page that the user before left open', async () => {
    const service = await startService();
    const portal = await startPortal({ agentManager: service.url });
    const url = new URL('agent-manager/api/v1/agents', portal.url);
    const headers = { 'x-portal-token': 'of-another-session' };
    expect(await statusOf(url, { headers })).toBe('403 forged-request');
    expect(service.received).toEqual([]);
    const own = { 'x-portal-token': await openToken(portal) };
    expect(await statusOf(url, { headers: own })).toBe('200');
    expect(await statusOf(url, {})).toBe('200');
  });
});

describe('the host of a request', () => {
  /** Returns the status of a path that is asked for at a host. */
  const ask = async (address: string, path: string, host: string): Promise<string> => {
    const text = await rawRequest(address, requestText(path, [`host: ${host}`]));
    return text.slice('HTTP/1.1 '.length, 12);
  };

  it('is refused when a foreign name leads to this machine', async () => {
    const { address } = await startPortal();
    for (const path of ['/', '/session', '/assets/main-1.js', '/mcp'])
      expect(await ask(address, path, 'evil.example')).toBe('403');
  });

  it('is that of the public URL, a loopback name, or one of --allowed-hosts', async () => {
    const publicUrl = 'https://portal.example.com/';
    const { address } = await startPortal({ publicUrl, allowedHosts: 'inner.example' });
    for (const host of ['portal.example.com', 'inner.example', 'localhost:1'])
      expect(await ask(address, '/', host)).toBe('200');
  });

  it('is a loopback name when the portal listens on all addresses', async () => {
    const { url } = await startPortal({ host: '0.0.0.0' });
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(await ask(url, '/session', new URL(url).host)).toBe('200');
    expect(await ask(url, '/', '10.0.0.7:1')).toBe('403');
  });

  it('does not matter to probes', async () => {
    const { address } = await startPortal();
    for (const path of ['/healthz', '/readyz'])
      expect(await ask(address, path, '10.0.0.7:8070')).toBe('200');
  });
});

describe('the target of a request', () => {
  it.each(['//[', '//evil.example/mcp', 'http://[/', '/%', '/?%ff', '/assets/../../etc/passwd'])(
    '%s is answered',
    async (target) => {
      const portal = await startPortal();
      const { host } = new URL(portal.url);
      const text = await rawRequest(portal.address, requestText(target, [`host: ${host}`]));
      expect(text).toMatch(/^HTTP\/1\.1 (?:200|400|404)/u);
      expect((await fetch(new URL('session', portal.url))).status).toBe(200);
    },
  );

  it.each([
    ['GET', 'assets/__proto__', '404 not-found'],
    ['GET', 'assets/..%2findex.html', '404 not-found'],
    ['POST', 'assets/main-1.js', '405 method-not-allowed'],
    ['POST', 'catalog', '405 method-not-allowed'],
    ['POST', 'session', '405 method-not-allowed'],
    ['GET', 'metrics', '404 not-found'],
    ['GET', 'auth/start', '404 not-found'],
    ['GET', 'agent-manager/api/v1/agents', '404 no-agent-manager'],
  ])('%s %s is answered with %s', async (method, path, answer) => {
    const { url } = await startPortal();
    expect(await statusOf(new URL(path, url), { method })).toBe(answer);
  });
});

describe('a request that two readers could read differently', () => {
  const post = (host: string, token: string, headers: readonly string[], body: string): string =>
    ['POST /mcp HTTP/1.1', `host: ${host}`, `x-portal-token: ${token}`, ...headers, '', body].join(
      '\r\n',
    );

  it.each([
    ['two lengths', ['content-length: 2', 'content-length: 40']],
    ['a length and chunks', ['content-length: 2', 'transfer-encoding: chunked']],
    ['an unknown coding', ['transfer-encoding: xchunked']],
    ['a name with a space', ['transfer-encoding : chunked']],
    ['a folded line', ['x-a: 1', ' transfer-encoding: chunked']],
    ['a line that ends early', ['x-a: 1\ntransfer-encoding: chunked']],
    ['two hosts', ['host: evil.example']],
  ])('is refused, and nothing of it reaches the gateway: %s', async (_name, headers) => {
    const service = await startService();
    const portal = await startPortal({ gateway: service.url });
    const { host } = new URL(portal.url);
    const hidden = `0\r\n\r\n${requestText('/mcp', [`host: ${host}`, 'x-hidden: 1'])}`;
    const text = await rawRequest(
      portal.address,
      post(host, await openToken(portal), ['connection: close', ...headers], hidden),
    );
    expect(text).toMatch(/^HTTP\/1\.1 40[03] /u);
    expect(service.received).toEqual([]);
  });
});

describe('the page', () => {
  it('has exactly these headers', async () => {
    const { url } = await startPortal();
    const response = await fetch(url);
    const nonce = /<script nonce="([\w-]{24})">/u.exec(await response.text())?.[1] ?? '';
    const {
      date,
      connection,
      'keep-alive': _keepAlive,
      ...headers
    } = Object.fromEntries(response.headers);
    expect([typeof date, connection]).toEqual(['string', 'keep-alive']);
    expect(headers).toEqual({
      'content-security-policy': `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; media-src data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'self'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'content-type': 'text/html; charset=utf-8',
      'content-length': headers['content-length'],
      'cache-control': 'no-store',
    });
  });

  it('has another nonce in each answer', async () => {
    const { url } = await startPortal();
    const [first, second] = await Promise.all([fetch(url), fetch(url)]);
    expect(await first.text()).not.toBe(await second.text());
  });

  it('is served below the prefix, at every path', async () => {
    const { address } = await startPortal({ publicUrl: 'http://127.0.0.1:1/tools/portal' });
    for (const path of ['', 'catalog', 'agents/default/scribe']) {
      const response = await fetch(`${address}/tools/portal/${path}`);
      expect(await response.text()).toContain('<base href="/tools/portal/">');
    }
    expect((await fetch(`${address}/catalog`)).status).toBe(404);
    const bare = await fetch(`${address}/tools/portal`, { redirect: 'manual' });
    expect([bare.status, bare.headers.get('location')]).toEqual([308, '/tools/portal/']);
  });
});

describe('a file of the web application', () => {
  it.each([
    ['br, gzip', 'brotli', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['br;q=0', 'plain', undefined],
    ['', 'plain', undefined],
  ])('with accept-encoding "%s" is %s', async (accepted, body, coding) => {
    const portal = await startPortal();
    const { host } = new URL(portal.url);
    const text = await rawRequest(
      portal.address,
      requestText('/assets/main-1.js', [`host: ${host}`, `accept-encoding: ${accepted}`]),
    );
    const [head = '', content] = text.split('\r\n\r\n');
    expect(content).toBe(body);
    expect(/content-encoding: (\w+)/u.exec(head)?.[1]).toBe(coding);
    expect(head).toContain('cache-control: public, max-age=31536000, immutable');
  });
});
