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
    readiness: () => 'ready',
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
    expect(await get('/healthz', { readiness: () => 'starting' })).toEqual([
      200,
      '{"status":"ok"}',
    ]);
  });

  it.each([
    ['ready', 200],
    ['starting', 503],
    ['draining', 503],
  ] as const)('answers /readyz with the state %s and %i', async (state, status) => {
    expect(await get('/readyz', { readiness: () => state })).toEqual([
      status,
      `{"status":"${state}"}`,
    ]);
  });

  it('answers /metrics with the scrape, and with 500 when it fails', async () => {
    expect(await get('/metrics', {})).toEqual([200, 'up 1\n']);
    server?.close();
    const scrape = (): Promise<never> => Promise.reject(new Error('no answer'));
    expect(await get('/metrics', { scrape })).toEqual([500, '']);
  });
});
