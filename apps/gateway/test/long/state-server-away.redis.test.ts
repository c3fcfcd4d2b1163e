import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { atEnd } from '../harness/lifetime.ts';
import { openStream, postMessage, rpcOf, startSession, toolCallOf } from '../harness/mcp-posts.ts';
import { startReplicas, type Replica } from '../harness/replicas.ts';

const FOLLOWED = 'notifications/gateway/event';

const readiness = async ({ url }: Replica): Promise<number> =>
  (await fetch(new URL('/readyz', url))).status;

const logOf = ({ gateway }: Replica): string => [...gateway.stdout, ...gateway.stderr].join('\n');

describe.each([
  ['ended', 'stop', 'start'],
  ['silent', 'pause', 'resume'],
] as const)('replicas whose state server is %s', (_how, away, back) => {
  it('serve sessions and calls, stay ready, and exchange events again afterwards', async () => {
    const { redis, replicas } = await startReplicas(2, {
      fill: (directory) => {
        directory.server('plain', fixture('plain'));
      },
    });
    const [one, two] = replicas as [Replica, Replica];
    const headers = await startSession(one.url);
    const stream = await openStream(two.url, headers);
    atEnd(stream.cut);
    const follow = toolCallOf('core_events', { follow: true, resourceName: 'plain' });
    expect((await postMessage(two.url, follow, { headers })).text).toContain('following');

    await redis[away]();
    for (const { url } of [one, two]) {
      const call = await postMessage(url, toolCallOf('x_plain_echo', { text: 'hi' }), { headers });
      expect([call.status, call.text]).toEqual([200, expect.stringContaining('hi')]);
      expect((await postMessage(url, rpcOf('ping'), { headers })).status).toBe(200);
    }
    const started = await startSession(one.url);
    expect((await postMessage(two.url, rpcOf('ping'), { headers: started })).status).toBe(200);
    expect([await readiness(one), await readiness(two)]).toEqual([200, 200]);
    await retryAssertion(() => {
      expect(logOf(one)).toContain('The state store is not available');
    });

    await redis[back]();
    await retryAssertion(() => {
      for (const replica of replicas)
        expect(logOf(replica)).toContain('The state store is available again.');
    });
    for (const session of [headers, started])
      for (const { url } of [one, two])
        expect((await postMessage(url, rpcOf('ping'), { headers: session })).status).toBe(200);
    await retryAssertion(async () => {
      const restart = toolCallOf('core_service_restart', { name: 'plain' });
      expect((await postMessage(one.url, restart, { headers })).status).toBe(200);
      expect(stream.text()).toContain(FOLLOWED);
    });
  });
});
