import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, request as sendRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { BUNDLED_PROGRAM } from '@gateway/repo-checks';
import { startProvider, startRedis, type TestProvider, type TestRedis } from '@gateway/test-peers';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  authorizationRequest,
  clientBrowser,
  continueUntil,
  exchange,
  isConsent,
  redirected,
  refresh,
  submitForm,
} from '../broker/harness/client.ts';
import { upstreamClient } from '../broker/harness/gateway.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const outDir = at(`../../node_modules/.broker-${process.pid}`);
const key = randomBytes(32).toString('base64');

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Forwards each request to the process that a test chooses, as a load balancer does. */
const startFront = async () => {
  let target = 0;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const forwarded = sendRequest({ host: '127.0.0.1', port: target, method, path: url, headers });
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    use: (port: number): void => void (target = port),
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

let front: Awaited<ReturnType<typeof startFront>>;
let provider: TestProvider;
let redis: TestRedis;
const children: ChildProcess[] = [];

const startProcess = async (): Promise<{ port: number; child: ChildProcess }> => {
  const child = fork(`${outDir}/broker.mjs`, [front.url, provider.issuer, String(redis.url), key]);
  children.push(child);
  const [port] = (await once(child, 'message')) as [number];
  return { port, child };
};

const kill = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

beforeAll(async () => {
  buildSync({
    ...BUNDLED_PROGRAM,
    entryPoints: { broker: at('../broker/fixtures/broker-process.ts') },
    outdir: outDir,
    conditions: ['@gateway/source'],
  });
  front = await startFront();
  redis = await startRedis();
  provider = await startProvider({ clients: [upstreamClient(front.url)] });
});
afterAll(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) await kill(child);
  front.close();
  await provider.close();
  await redis.close();
  await rm(outDir, { recursive: true, force: true });
});

const isActive = async (port: number, token: unknown): Promise<boolean> => {
  const response = await fetch(`http://127.0.0.1:${port}/verify`, {
    headers: { authorization: String(token) },
  });
  return ((await response.json()) as { ok: boolean }).ok;
};

it('finishes at one process a sign-in that started at another one, which was killed', async () => {
  const first = await startProcess();
  front.use(first.port);
  const gateway = { url: front.url, resource: `${front.url}/mcp` };
  const { url, verifier } = authorizationRequest(gateway);
  const browser = clientBrowser();
  const loginPage = await browser.open(url);
  expect(loginPage.url.startsWith(provider.issuer)).toBe(true);

  await kill(first.child);
  const [second, third] = await Promise.all([startProcess(), startProcess()]);
  front.use(second.port);
  const consent = await continueUntil(isConsent, browser, loginPage);
  // The consent is decided at the third process.
  front.use(third.port);
  const page = await submitForm(browser, consent);
  front.use(second.port);
  const tokens = await exchange(gateway, redirected(page).get('code') ?? '', verifier);
  expect(tokens.status).toBe(200);
  expect(await isActive(third.port, tokens.body['access_token'])).toBe(true);

  // Of refreshes at both processes at the same time, at most one succeeds, and reuse ends the sign-in for both.
  await Promise.all(
    [second, third].map(({ port }) =>
      refresh({ url: `http://127.0.0.1:${port}` }, tokens.body['refresh_token']),
    ),
  );
  expect((await refresh(gateway, tokens.body['refresh_token'])).status).toBe(400);
  expect(await isActive(second.port, tokens.body['access_token'])).toBe(false);
});
