import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBalancer } from '../harness/balancer.ts';
import { startLoad } from '../harness/load.ts';
import { postMessage, rpcOf, startSession } from '../harness/mcp-posts.ts';
import { startReplicas } from '../harness/replicas.ts';

const EVERYTHING = { type: 'stdio', command: 'mcp-server-everything', autoStart: true };

it('replaces three replicas under 200 requests per second without a failed request or a lost session', async () => {
  const { replicas } = await startReplicas(3, {
    // Longer than the 2 s for which the balancer waits for an answer of /readyz.
    config: { http: { drainDelaySeconds: 4, drainSeconds: 10 } },
    fill: (directory) => {
      directory.server('everything', EVERYTHING);
    },
  });
  const balancer = await startBalancer(replicas.map(({ port }) => port));
  const sessions = await Promise.all(Array.from({ length: 20 }, () => startSession(balancer.url)));
  const slowCall = {
    name: 'x_everything_trigger-long-running-operation',
    arguments: { duration: 1, steps: 1 },
  };
  const load = startLoad({ url: balancer.url, sessions, perSecond: 200, slowCall });
  const exits: (number | null)[] = [];
  for (const replica of replicas) {
    await delay(1_000);
    exits.push((await replica.gateway.stop('SIGTERM')).code);
    await replica.start();
  }
  await delay(1_000);
  const { requests, failures, streams } = await load.stop();
  console.log({ requests, streams, failures: failures.length, sent: balancer.sent });
  // The report of a failed comparison shows their number only.
  if (failures.length > 0) console.log(failures.slice(0, 3));
  expect(failures).toEqual([]);
  expect(exits).toEqual([0, 0, 0]);
  expect(requests).toBeGreaterThan(1_000);
  // Each stream ended at least once.
  expect(streams).toBeGreaterThan(sessions.length);
  for (const headers of sessions) {
    for (const { url } of replicas) {
      expect((await postMessage(url, rpcOf('ping'), { headers })).status).toBe(200);
    }
  }
});
