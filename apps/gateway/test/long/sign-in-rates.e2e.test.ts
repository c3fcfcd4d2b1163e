import { findFreePort } from '@gateway/test-peers';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { startGateway } from '../harness/gateway.ts';
import { startBrokerProvider, brokerAuth } from '../harness/broker-gateway.ts';
import { listenHttp } from '../harness/http-listener.ts';
import { testDirectory } from '../harness/lifetime.ts';

interface Sent {
  readonly from: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request from an address of this machine and returns its status. */
const statusOf = (url: URL, { from, method = 'GET', headers = {} }: Sent): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { localAddress: from, method, headers };
    const sent = request(url, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end();
  });

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

const flood = (url: URL, count: number, sent: (at: number) => Sent): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => statusOf(url, sent(at))));

it('an address that floods a gateway cannot use up the sign-ins that all addresses may start in a minute', async () => {
  const { provider, port } = await startBrokerProvider();
  const directory = testDirectory();
  directory.config({
    auth: brokerAuth(directory, provider.issuer, { allowPrivate: true }),
    http: { rateLimit: { enabled: true, burst: 5_000 } },
  });
  const gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
  const start = new URL('/oauth/authorize', gateway.url);
  start.search = new URLSearchParams({
    ...{ client_id: 'gateway-cli', redirect_uri: 'http://127.0.0.1:7/callback' },
    ...{ response_type: 'code', scope: 'mcp:read', code_challenge_method: 'S256' },
    code_challenge: 'a'.repeat(43),
  }).toString();
  const statuses: number[] = [];
  for (let round = 0; round < 11; round += 1)
    statuses.push(...(await flood(start, 200, () => ({ from: '127.0.0.2' }))));
  expect(countOf(statuses, 429)).toBeGreaterThan(1_500);
  expect(countOf(statuses, 303)).toBeGreaterThanOrEqual(100);
  expect(await statusOf(start, { from: '127.0.0.1' })).toBe(303);
});

it('an address that sends tokens which nobody knows is limited before they are verified, so that others are verified', async () => {
  let waiting = 0;
  // It answers no request, so that each token that is shown to it stays pending.
  const issuer = await listenHttp(() => {
    waiting += 1;
  });
  const directory = testDirectory();
  directory.write('secret', 'secret');
  const introspection = {
    ...{ endpoint: `${issuer}/introspect`, clientId: 'gateway', clientSecretFile: 'secret' },
  };
  directory.config({
    auth: { mode: 'resource-server', allowPrivate: true, issuers: [{ issuer, introspection }] },
    http: { rateLimit: { enabled: true, requestsPerSecond: 1, burst: 20 } },
  });
  const args = ['--port', String(await findFreePort())];
  const gateway = await startGateway(directory.path, { args });
  const url = new URL('/mcp', gateway.url);
  const sent = (from: string, token: string): Sent => ({
    from,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  const statuses = flood(url, 600, (at) => sent('127.0.0.2', `unknown-${at}`));
  await expect.poll(() => waiting).toBeGreaterThanOrEqual(20);
  const other = statusOf(url, sent('127.0.0.1', 'of-somebody-else'));
  const before = waiting;
  await expect.poll(() => waiting).toBeGreaterThan(before);
  expect(waiting).toBeLessThan(60);
  expect(countOf(await statuses, 429)).toBeGreaterThan(500);
  expect(await other).toBe(503);
});
