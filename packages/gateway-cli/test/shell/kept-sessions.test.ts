import { expect, it } from 'vitest';
import { SessionPool } from '../../src/client/gateway-client.ts';
import type { GatewayClient } from '../../src/client/gateway-client.ts';

/** Sessions in memory. Those in `away` answer no ping. */
const world = () => {
  const opened: string[] = [];
  const closed: number[] = [];
  const away = new Set<number>();
  const sessions = new SessionPool(({ toolset }) => {
    const id = opened.push(String(toolset)) - 1;
    let isFollowing = false;
    const gateway: GatewayClient = {
      url: new URL('http://127.0.0.1/mcp'),
      call: () => Promise.resolve({ content: [{ type: 'text', text: id.toString() }] }),
      onNotification: () => {
        isFollowing = true;
      },
      onStreamEnd: () => undefined,
      ping: () => (away.has(id) ? Promise.reject(new Error('away')) : Promise.resolve()),
    };
    const close = () => Promise.resolve(void closed.push(id));
    return Promise.resolve({ gateway, isFollowing: () => isFollowing, close });
  });
  const run = (toolset?: string, use?: (gateway: GatewayClient) => void) =>
    sessions.run({ url: new URL('http://127.0.0.1/mcp'), toolset }, async (gateway) => {
      use?.(gateway);
      return (await gateway.call('', {}, { timeoutSeconds: 1 })).content[0]?.text;
    });
  return { opened, closed, away, sessions, run };
};

it('keeps a session, and opens another one when the gateway does not know it any more', async () => {
  const { closed, away, sessions, run } = world();
  expect([await run(), await run()]).toEqual(['0', '0']);
  away.add(0);
  expect([await run(), await run()]).toEqual(['1', '1']);
  expect(closed).toEqual([0]);
  await sessions.close();
  expect(closed).toEqual([0, 1]);
});

it('has a session for each toolset, at most four, and none after notifications', async () => {
  const { opened, closed, run } = world();
  for (const toolset of ['a', 'b', '__proto__', 'd', 'e']) await run(toolset);
  expect(opened).toEqual(['a', 'b', '__proto__', 'd', 'e']);
  expect(closed).toEqual([0]);
  await run('e', (gateway) => {
    gateway.onNotification('x', () => undefined);
  });
  expect(closed).toEqual([0, 4]);
  expect(await run('e')).toBe('5');
});
