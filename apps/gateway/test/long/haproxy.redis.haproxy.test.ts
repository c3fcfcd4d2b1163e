import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startHaproxy } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { APP } from '../harness/gateway.ts';
import { startLoad } from '../harness/load.ts';
import { codeBlocks } from '../harness/markdown.ts';
import { postMessage, rpcOf, startSession } from '../harness/mcp-posts.ts';
import { startReplicas } from '../harness/replicas.ts';

const EVERYTHING = { type: 'stdio', command: 'mcp-server-everything', autoStart: true };
const PAGE = resolve(APP, '../../docs/operations.md');

/** The documented configuration, with the addresses of the test. */
const documented = (port: number, ports: readonly number[]): string => {
  const block = codeBlocks(PAGE, readFileSync(PAGE, 'utf8')).find(
    ({ language }) => language === 'haproxy',
  );
  let text = block?.content ?? '';
  ports.forEach((replica, at) => {
    text = text.replace(`10.0.0.1${String(at + 1)}:8090`, `127.0.0.1:${String(replica)}`);
  });
  return `${text.replace('bind :8090', `bind 127.0.0.1:${String(port)}`)}\n`;
};

it('replaces replicas behind the documented HAProxy under 200 requests per second without a failed request', async () => {
  const { replicas } = await startReplicas(3, {
    config: {
      http: { trustedProxies: ['127.0.0.1'], drainDelaySeconds: 5, drainSeconds: 20 },
    },
    fill: (directory) => {
      directory.server('everything', EVERYTHING);
    },
  });
  const haproxy = await startHaproxy((port) =>
    documented(
      port,
      replicas.map((replica) => replica.port),
    ),
  );
  onTestFinished(() => haproxy.close());
  const sessions = await Promise.all(Array.from({ length: 20 }, () => startSession(haproxy.url)));
  const slowCall = {
    name: 'x_everything_trigger-long-running-operation',
    arguments: { duration: 1, steps: 1 },
  };
  const load = startLoad({ url: haproxy.url, sessions, perSecond: 200, slowCall });
  for (const replica of replicas) {
    // The check of a replica that has started takes a second.
    await delay(2_000);
    expect((await replica.gateway.stop('SIGTERM')).code).toBe(0);
    await replica.start();
  }
  await delay(2_000);
  const { failures, requests, streams } = await load.stop();
  console.log({ requests, streams, failures: failures.length });
  expect(failures).toEqual([]);
  expect(streams).toBeGreaterThan(sessions.length);
  for (const headers of sessions) {
    expect((await postMessage(haproxy.url, rpcOf('ping'), { headers })).status).toBe(200);
  }
});
