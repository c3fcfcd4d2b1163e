import { retryAssertion } from '@gateway/repo-checks';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { findFreePort } from '@gateway/test-peers';
import { CLI, launchGateway, startGateway, type RunningGateway } from '../harness/gateway.ts';
import { atEnd, setUp, testDirectory } from '../harness/lifetime.ts';
import { startNode } from '../harness/process.ts';
import { rawRequest, type RawAnswer, type RawRequest } from '../harness/raw-http.ts';

const healthUrlOf = (gateway: RunningGateway): URL => {
  const line = gateway.logs().find(({ msg }) => msg === 'listening');
  return new URL(String(line?.['health']));
};

const get = (url: URL, path: string, headers: RawRequest['headers'] = []): Promise<RawAnswer> =>
  rawRequest(url, { path, method: 'GET', headers });

const directory = testDirectory();

describe('the listener for probes and metrics', () => {
  const hanging = testDirectory();
  let gateway: RunningGateway;

  setUp(async () => {
    hanging.server('silent', fixture('silent'));
    hanging.config({ health: { readySeconds: 1 } });
    gateway = await launchGateway(hanging.path, { args: ['--health-port', '0'] });
  });

  it('is ready after the configured time and names the server that hangs', async () => {
    await retryAssertion(async () => {
      for (const url of [healthUrlOf(gateway), gateway.url])
        expect(await get(url, '/readyz')).toMatchObject({
          ...{ status: 200, body: '{"status":"ready","missing":["silent"]}' },
        });
    });
  });

  it('answers /healthz and nothing of the endpoint', async () => {
    const url = healthUrlOf(gateway);
    expect(await get(url, '/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(await get(url, '/mcp')).toMatchObject({ status: 404, body: '' });
    expect(await get(url, '/')).toMatchObject({ status: 404, body: '' });
  });

  it('answers /metrics under its address and refuses a foreign Host on both ports', async () => {
    const url = healthUrlOf(gateway);
    const foreign = [['Host', 'evil.example']] as const;
    const refusal = { status: 403, body: '{"error":"Host \\"evil.example\\" is not allowed"}' };
    expect(await get(url, '/metrics', foreign)).toMatchObject(refusal);
    expect(await get(gateway.url, '/metrics', foreign)).toMatchObject(refusal);
    const scraped = await get(url, '/metrics', [['Host', '10.1.2.3:9464']]);
    expect([scraped.status, scraped.body.includes('process_cpu_seconds_total')]).toEqual([
      200,
      true,
    ]);
    expect(await get(gateway.url, '/metrics', [['Host', '10.1.2.3:8090']])).toMatchObject({
      status: 200,
    });
  });
});

describe('/readyz during the start', () => {
  it('reports ready only when the endpoint accepts connections', async () => {
    const [port, healthPort] = [String(await findFreePort()), String(await findFreePort())];
    const args = ['--port', port, '--health-port', healthPort];
    const started = startNode([CLI, 'serve', '--config-dir', directory.path, ...args]);
    atEnd(() => started.stop());
    const health = `http://127.0.0.1:${healthPort}`;
    await retryAssertion(async () => {
      expect((await fetch(`${health}/healthz`)).status).toBe(200);
    });
    let readiness = await fetch(`${health}/readyz`);
    while (!readiness.ok) readiness = await fetch(`${health}/readyz`);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(String);
    expect(answer).toMatchObject({ status: 200 });
  });
});

/** Takes the default port. A gateway of another test may have it for a short time; another program may have it for good. */
const takeDefaultPort = async (): Promise<void> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const server = createServer().listen(9464, '127.0.0.1');
    try {
      await once(server, 'listening');
      return atEnd(() => server.close());
    } catch {
      await delay(100);
    }
  }
};

it('a default port that is in use causes a warning', async () => {
  await takeDefaultPort();
  const gateway = await startGateway(directory.path, { health: 'default' });
  const warnings = gateway.logs().filter(({ level }) => level === 'warn');
  expect(warnings.map(({ msg }) => msg)).toEqual([
    'no listener for health checks: listen EADDRINUSE: address already in use 127.0.0.1:9464; change health.port (--health-port) or health.host, or use --no-health-listener',
  ]);
  expect(await get(gateway.url, '/healthz')).toMatchObject({ status: 200 });
});
