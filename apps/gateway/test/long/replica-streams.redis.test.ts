import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { openStream, postMessage, rpcOf, startSession } from '../harness/mcp-posts.ts';
import { startReplicas } from '../harness/replicas.ts';

const CLOCK = 'watched://clock';
const LONG_CALL = 'trigger-long-running-operation';

it('carry subscriptions and cancellations of a session whose stream is open at another replica', async () => {
  const { replicas } = await startReplicas(2, {
    args: ['--expose', 'native'],
    fill: (directory) => {
      directory.server('watched', fixture('watched'));
      directory.server('everything', {
        ...{ type: 'stdio', command: 'mcp-server-everything', autoStart: true },
      });
    },
  });
  const [one, two] = replicas.map(({ url }) => url) as [URL, URL];
  const headers = await startSession(one);
  const send = (url: URL, message: object) => postMessage(url, message, { headers });
  const stream = await openStream(two, headers);
  const updates = (): number => stream.text().split('notifications/resources/updated').length - 1;
  await retryAssertion(() => {
    expect(stream.text()).toContain('retry:');
  });

  expect((await send(one, rpcOf('resources/subscribe', { uri: CLOCK }))).text).toContain('result');
  await retryAssertion(() => {
    expect(updates()).toBeGreaterThan(2);
  });
  expect((await send(one, rpcOf('resources/unsubscribe', { uri: CLOCK }))).text).toContain(
    'result',
  );
  // The server says whether it still has a subscriber.
  for (const url of [one, two])
    await retryAssertion(async () => {
      const asked = rpcOf('tools/call', { name: 'x_watched_followed', arguments: {} });
      expect((await send(url, asked)).text).toContain('"text":"false"');
    });

  const params = { name: `x_everything_${LONG_CALL}`, arguments: { duration: 300, steps: 300 } };
  const meta = { _meta: { progressToken: 'p' } };
  const call = await openStream(one, headers, rpcOf('tools/call', { ...params, ...meta }, 'long'));
  await retryAssertion(() => {
    expect(call.text()).toContain('notifications/progress');
  });
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' };
  await send(two, { ...cancelled, params: { requestId: 'long' } });
  await call.ended;
  expect(call.text()).not.toContain('"result"');
});
