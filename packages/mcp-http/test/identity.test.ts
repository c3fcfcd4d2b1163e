import { afterEach, describe, expect, it } from 'vitest';
import { talkingFaces } from './talking-face.ts';
import { call, openSession, post, postModern, until } from './wire-client.ts';

const { start, end } = talkingFaces();
afterEach(end);

describe('the identity of a caller', () => {
  it('is the session, and without one a thing of its own that keeps nothing of the call', async () => {
    const face = await start();
    const session = await openSession(face.url);
    const { waiting } = face.talking;
    const running = [
      post(face.url, call('wait'), { 'mcp-session-id': session }),
      post(face.url, call('wait')),
      post(face.url, call('wait')),
      postModern(face.url, 'tools/call', { name: 'wait' }),
    ];
    await until(() => waiting.length === running.length);
    const identities = waiting.map(({ caller }) => caller.identity);
    expect(identities.filter((one) => typeof one === 'string')).toEqual([session]);
    const objects = identities.filter((one) => typeof one === 'object');
    expect(objects).toEqual([{}, {}, {}]);
    expect(new Set(identities).size).toBe(4);
    expect(waiting.map(({ caller }) => caller.identity)).toEqual(identities);
    for (const [at, { caller }] of waiting.entries()) expect(caller.identity).toBe(identities[at]);
    face.talking.release();
    await Promise.all(running);
  });
});
