import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
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

const ready = (missing?: readonly string[]) => ({
  readiness: () => ({ status: 'ready' as const, ...(missing && { missing }) }),
});
const inState = (status: 'starting' | 'draining') => ({ readiness: () => ({ status }) });
const failing = (): Promise<never> => Promise.reject(new Error('no answer'));
const refuseMetrics = (): string => 'Host "evil.example" is not allowed';

it.each([
  ['/healthz', 'although it is not ready', inState('starting'), 200, '{"status":"ok"}'],
  ['/readyz', 'when it is ready', ready(), 200, '{"status":"ready"}'],
  ['/readyz', 'while it starts', inState('starting'), 503, '{"status":"starting"}'],
  ['/readyz', 'while it drains', inState('draining'), 503, '{"status":"draining"}'],
  [
    '/readyz',
    'with the parts that are missing',
    ready(['slow', 'zeta']),
    200,
    '{"status":"ready","missing":["slow","zeta"]}',
  ],
  ['/readyz', 'without missing parts', ready([]), 200, '{"status":"ready"}'],
  ['/metrics', 'with the scrape', {}, 200, 'up 1\n'],
  ['/metrics', 'when the scrape fails', { scrape: failing }, 500, ''],
  [
    '/metrics',
    'when the request is refused, without a scrape',
    { refuseMetrics, scrape: failing },
    403,
    '{"error":"Host \\"evil.example\\" is not allowed"}',
  ],
] as const)('the routes of a process answer %s %s', async (path, _when, state, ...expected) => {
  expect(await get(path, state)).toEqual(expected);
});
