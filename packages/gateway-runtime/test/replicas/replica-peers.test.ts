import { createMemoryStore } from '@gateway/state-store';
import { describe, expect, it } from 'vitest';
import { connectReplicaPeers } from '../../src/replicas/join-replicas.ts';

const joined = () => {
  const store = createMemoryStore();
  const join = () => {
    const peers = connectReplicaPeers(store);
    const received: unknown[] = [];
    peers.onMessage((message) => received.push(message));
    return { peers, received };
  };
  return { store, join };
};

describe('replicas', () => {
  it('send messages to all, or to one of them', async () => {
    const { join } = joined();
    const [one, two, three] = [join(), join(), join()];
    expect(one.peers.id).toMatch(/^[\w-]{12}$/);
    expect(one.peers.id).not.toBe(two.peers.id);
    one.peers.send({ to: two.peers.id, body: 'for two' });
    one.peers.send({ body: 'for all' });
    await expect.poll(() => two.received).toHaveLength(2);
    expect(two.received).toEqual([{ to: two.peers.id, body: 'for two' }, { body: 'for all' }]);
    expect(three.received).toEqual([{ body: 'for all' }]);
  });

  it('send messages that are larger than a message of the store, in order', async () => {
    const { join } = joined();
    const [one, two] = [join(), join()];
    const body = '"\u{1F600}\\'.repeat(1_000_000);
    one.peers.send({ to: two.peers.id, body });
    one.peers.send({ to: two.peers.id, body: 'next' });
    await expect.poll(() => two.received).toHaveLength(2);
    expect(two.received).toEqual([
      { to: two.peers.id, body },
      { to: two.peers.id, body: 'next' },
    ]);
  });

  it('send no message of more than 16 Mi characters', async () => {
    const { join } = joined();
    const [one, two] = [join(), join()];
    one.peers.send({ body: 'a'.repeat(16 * 1024 * 1024) });
    one.peers.send({ body: 'next' });
    await expect.poll(() => two.received).toEqual([{ body: 'next' }]);
  });

  it('ignore texts that are no messages', async () => {
    const { store, join } = joined();
    const { peers, received } = join();
    for (const text of [
      '',
      'x',
      'abcdefghijkl 0 1 {',
      'abcdefghijkl 7 2 x',
      'abcdefghijkl 0 9999 x',
    ])
      await store.publish('mcp-peers', text);
    await store.publish(`mcp-peers:${peers.id}`, 'abcdefghijkl 0 1 {"body":1}');
    await expect
      .poll(() => received.filter((message) => message !== undefined))
      .toEqual([{ body: 1 }]);
  });
});
