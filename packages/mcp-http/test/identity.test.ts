import { afterEach, describe, expect, it } from 'vitest';
import { interactiveEndpoints } from './interactive-endpoint.ts';
import { call, openSession, post, postModern, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

describe('the identity of a caller', () => {
  it('is the session, and without one a distinct object that retains nothing of the call', async () => {
    const endpoint = await start();
    const session = await openSession(endpoint.url);
    const { waiting } = endpoint.interactive;
    const running = [
      post(endpoint.url, call('wait'), { 'mcp-session-id': session }),
      post(endpoint.url, call('wait')),
      post(endpoint.url, call('wait')),
      postModern(endpoint.url, 'tools/call', { name: 'wait' }),
    ];
    await until(() => waiting.length === running.length);
    const identities = waiting.map(({ caller }) => caller.identity);
    expect(identities.filter((one) => typeof one === 'string')).toEqual([session]);
    const objects = identities.filter((one) => typeof one === 'object');
    expect(objects).toEqual([{}, {}, {}]);
    expect(new Set(identities).size).toBe(4);
    expect(waiting.map(({ caller }) => caller.identity)).toEqual(identities);
    for (const [at, { caller }] of waiting.entries()) expect(caller.identity).toBe(identities[at]);
    endpoint.interactive.release();
    await Promise.all(running);
  });
});
