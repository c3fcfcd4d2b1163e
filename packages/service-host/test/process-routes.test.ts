import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createProcessRoutes } from '../src/index.ts';
import type { ProcessState } from '../src/process-routes.ts';

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

async function get(path: '/healthz' | '/readyz' | '/metrics', state: Partial<ProcessState>) {
  const routes = createProcessRoutes({
    readiness: () => ({ status: 'ready' }),
    scrape: () => Promise.resolve({ contentType: 'text/plain', text: 'up 1\n' }),
    ...state,
  });
  server = createServer(routes[path]);
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port.toString()}${path}`);
  return [response.status, await response.text()];
}

describe('the routes of a process', () => {
  it('answers /healthz while the process runs, ready or not', async () => {
    expect(await get('/healthz', { readiness: () => ({ status: 'starting' }) })).toEqual([
      200,
      '{"status":"ok"}',
    ]);
  });

  it.each([
    ['ready', 200],
    ['starting', 503],
    ['draining', 503],
  ] as const)('answers /readyz with the state %s and %i', async (state, status) => {
    expect(await get('/readyz', { readiness: () => ({ status: state }) })).toEqual([
      status,
      `{"status":"${state}"}`,
    ]);
  });

  it('names the parts that are missing in the body of /readyz, ready or not', async () => {
    const missing = ['slow', 'zeta'];
    expect(await get('/readyz', { readiness: () => ({ status: 'ready', missing }) })).toEqual([
      200,
      '{"status":"ready","missing":["slow","zeta"]}',
    ]);
    server?.close();
    expect(await get('/readyz', { readiness: () => ({ status: 'ready', missing: [] }) })).toEqual([
      200,
      '{"status":"ready"}',
    ]);
  });

  it('answers /metrics with 403 to a request that is refused, and does not scrape', async () => {
    const refuseMetrics = (): string => 'Host "evil.example" is not allowed';
    const scrape = (): Promise<never> => Promise.reject(new Error('not scraped'));
    expect(await get('/metrics', { refuseMetrics, scrape })).toEqual([
      403,
      '{"error":"Host \\"evil.example\\" is not allowed"}',
    ]);
  });

  it('answers /metrics with the scrape, and with 500 when it fails', async () => {
    expect(await get('/metrics', {})).toEqual([200, 'up 1\n']);
    server?.close();
    const scrape = (): Promise<never> => Promise.reject(new Error('no answer'));
    expect(await get('/metrics', { scrape })).toEqual([500, '']);
  });
});
