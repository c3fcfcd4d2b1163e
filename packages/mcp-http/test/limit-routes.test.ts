import { describe, expect, it, onTestFinished } from 'vitest';
import { createRouteLimit } from '../src/calls/admission.ts';
import { serveRoutes } from '../src/transports/http-server.ts';

const BURST = 3;

const serve = async (trustedProxies: readonly string[]): Promise<URL> => {
  const limit = createRouteLimit({
    rateLimit: { requestsPerSecond: 0.001, burst: BURST },
    trustedProxies,
  });
  const routes = limit({
    '/one': (_request, response) => response.end('one'),
    '/two': (_request, response) => response.end('two'),
  });
  const { url, close } = await serveRoutes({ host: '127.0.0.1', port: 0, routes });
  onTestFinished(close);
  return new URL(url);
};

const get = (url: URL, path: string, address: string): Promise<Response> =>
  fetch(new URL(path, url), { headers: { 'x-forwarded-for': address } });

describe('the limit of routes', () => {
  it('answers 429 to an address that exceeds its rate, and serves others', async () => {
    const url = await serve(['127.0.0.1']);
    const statuses: number[] = [];
    for (const path of ['/one', '/two', '/one', '/two'])
      statuses.push((await get(url, path, '192.0.2.1')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await get(url, '/one', '192.0.2.1');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get(url, '/one', '192.0.2.2')).status).toBe(200);
  });

  it('counts the addresses of one IPv6 network (/64) as one', async () => {
    const url = await serve(['127.0.0.1']);
    for (let at = 1; at <= BURST; at += 1)
      expect((await get(url, '/one', `2001:db8::${at}`)).status).toBe(200);
    expect((await get(url, '/one', '2001:db8::ffff')).status).toBe(429);
    expect((await get(url, '/one', '2001:db8:0:1::1')).status).toBe(200);
  });

  it('does not read the address that a caller claims where no proxy is trusted', async () => {
    const url = await serve([]);
    for (let at = 1; at <= BURST; at += 1)
      expect((await get(url, '/one', `192.0.2.${at}`)).status).toBe(200);
    expect((await get(url, '/one', '192.0.2.99')).status).toBe(429);
  });
});
