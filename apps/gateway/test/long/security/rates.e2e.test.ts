import { beforeAll, describe, expect, it } from 'vitest';
import { callTool, textOf } from '../../harness/answers.ts';
import { connect } from '../../harness/clients.ts';
import { fixture } from '../../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { setUp, testDirectory } from '../../harness/lifetime.ts';
import { rawRequest } from '../../harness/raw-http.ts';

const directory = testDirectory();
const RATE = { requestsPerSecond: 1, burst: 20 };
const FLOOD = 60;

const PING = {
  headers: [
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ],
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
} as const;

beforeAll(() => {
  directory.config({
    coreTools: { writes: 'all' },
    http: {
      rateLimit: RATE,
      trustedProxies: ['127.0.0.1'],
      maxConcurrentCallsPerCaller: 1,
      maxQueuedCallsPerCaller: 2,
    },
    servers: { maxConcurrentCalls: 1, maxQueuedCalls: 1 },
  });
  directory.server('plain', fixture('plain'));
  const echo = (id: string) => ({ id, tool: 'x_plain_echo', args: { text: id } });
  directory.workflow('inner', { steps: [echo('a'), echo('b')] });
  directory.workflow('outer', { steps: [{ id: 'run', tool: 'workflow_inner' }, echo('c')] });
});

/** Sends requests of one caller behind the proxy at once, and counts the answers by status. */
async function flood({ url }: RunningGateway, caller: string): Promise<Record<string, number>> {
  const headers = [...PING.headers, ['x-forwarded-for', caller]] as const;
  const sent = Array.from({ length: FLOOD }, () => rawRequest(url, { ...PING, headers }));
  const counts: Record<string, number> = {};
  for (const { status } of await Promise.all(sent)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('callers of other machines', () => {
  let gateway: RunningGateway;
  setUp(async () => {
    gateway = await startGateway(directory.path, { args: ['--host', '0.0.0.0'] });
    // The address that it reports is not one to connect to.
    gateway.url.hostname = '127.0.0.1';
  });
  it('are limited in their rate, each on its own, while health checks are served', async () => {
    for (const caller of ['192.0.2.1', '2001:db8::1']) {
      const counts = await flood(gateway, caller);
      expect(counts['200']).toBeGreaterThanOrEqual(RATE.burst);
      expect(counts['200']).toBeLessThanOrEqual(RATE.burst + 5);
      expect((counts['200'] ?? 0) + (counts['429'] ?? 0)).toBe(FLOOD);
    }
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await rawRequest(gateway.url, { method: 'GET', path });
      expect([path, status]).toEqual([path, 200]);
    }
  });
});

describe('a caller with one call and a server with one request at a time', () => {
  it('completes a workflow that runs a workflow', async () => {
    const gateway = await startGateway(directory.path);
    const client = await connect(gateway.url);
    const answer = await callTool(client, 'workflow_outer');
    expect([answer.isError, textOf(answer)]).toEqual([undefined, expect.stringContaining('c')]);
    await client.close();
    await gateway.stop();
  });
});
