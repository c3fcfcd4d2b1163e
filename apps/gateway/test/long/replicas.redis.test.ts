import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import {
  openStream,
  postMessage,
  rpcOf,
  startSession,
  toolCallOf,
  type SessionHeaders,
} from '../harness/mcp-posts.ts';
import { startReplicas, type Replica } from '../harness/replicas.ts';

const ping = async (url: URL, headers: SessionHeaders): Promise<number> =>
  (await postMessage(url, rpcOf('ping'), { headers })).status;

const ADA = { action: 'accept', content: { name: 'Ada' } };

describe('replicas with one Redis', () => {
  it('serve the sessions, answers and cancellations of each other', async () => {
    const { redis, replicas } = await startReplicas(2, {
      fill: (directory) => {
        directory.server('asking', fixture('asking'));
      },
    });
    const [one, two] = replicas.map(({ url }) => url) as [URL, URL];
    const headers = await startSession(one, { elicitation: {} });
    expect(await ping(two, headers)).toBe(200);

    const asked = await openStream(one, headers, toolCallOf('x_asking_who'));
    const id = await retryAssertion(() => {
      const [, found] = /"id":"([^"]+)"/.exec(asked.text()) ?? [];
      if (found === undefined) throw new Error('not asked');
      return found;
    });
    const answer = { jsonrpc: '2.0', id, result: ADA };
    expect((await postMessage(two, answer, { headers })).status).toBe(202);
    await asked.ended;
    expect(asked.text()).toContain('Ada');

    const stream = await openStream(two, headers);
    await retryAssertion(() => {
      expect(stream.text()).toContain('retry:');
    });
    const follow = toolCallOf('core_events', { follow: true });
    expect((await postMessage(one, follow, { headers })).text).toContain('events');
    const start = toolCallOf('core_service_restart', { name: 'asking' });
    expect((await postMessage(one, start, { headers })).status).toBe(200);
    await retryAssertion(() => {
      expect(stream.text()).toContain('notifications/gateway/event');
    });
    stream.cut();

    const ended = await fetch(new URL('/mcp', two), { method: 'DELETE', headers });
    expect(ended.status).toBe(204);
    await retryAssertion(async () => {
      expect([await ping(one, headers), await ping(two, headers)]).toEqual([404, 404]);
    });

    const other = await startSession(two);
    await redis.stop();
    expect([await ping(one, other), await ping(two, other)]).toEqual([200, 200]);
  });
});

it('continue the stream of a replica that was killed, and announce what may have changed', async () => {
  const { replicas } = await startReplicas(2, {
    // The list of meta-tools never changes.
    args: ['--expose', 'native'],
    fill: (directory) => {
      directory.server('plain', fixture('plain'));
    },
  });
  const [one, two] = replicas as [Replica, Replica];
  const headers = await startSession(one.url);
  const first = await openStream(one.url, headers);
  const lastId = await retryAssertion(() => {
    const [, id] = /^id: (.+)$/mu.exec(first.text()) ?? [];
    if (id === undefined) throw new Error('no event');
    return id;
  });
  await one.gateway.stop('SIGKILL');
  await first.ended;
  const startedAt = performance.now();
  const second = await openStream(two.url, { ...headers, 'last-event-id': lastId });
  expect(second.status).toBe(200);
  await retryAssertion(() => {
    expect(second.text()).toContain('notifications/tools/list_changed');
  });
  // The other replica is asked once, for five seconds.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(await ping(two.url, headers)).toBe(200);
  second.cut();
});
