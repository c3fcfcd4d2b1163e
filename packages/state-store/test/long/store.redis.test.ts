import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { createEncryptedStore } from '../../src/encryption/encrypted-store.ts';
import type { StateStore } from '../../src/port/state-store.ts';
import { createRedisStore } from '../../src/redis/create-redis-store.ts';
import { findKey } from '../encryption/keys.ts';
import { startRedis, type TestRedis } from '@gateway/test-peers';
import { describeStateStore } from '../suite/state-store-suite.ts';

const MINUTE = 60_000;
const TTL = { ttlMs: MINUTE };
const log = { warn: () => undefined, info: () => undefined };
const keys = { current: findKey(1), previous: findKey(2) };

let server: TestRedis;
let admin: Redis;
beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.port, '127.0.0.1');
});
afterAll(async () => {
  admin.disconnect();
  await server.close();
});

const open = (prefix = 'test:'): StateStore => createRedisStore({ url: server.url, prefix, log });
const openEmpty = async (): Promise<StateStore> => {
  await admin.flushall();
  return open();
};
/** Redis expires entries by its own clock. */
const pass = (ttlMs: number): Promise<void> => sleep(ttlMs + 50);

describeStateStore('a store in Redis', { open: openEmpty, openPeer: async () => open(), pass });

describeStateStore('an encrypted store in Redis', {
  open: async () => createEncryptedStore(await openEmpty(), keys, log),
  openPeer: async () => createEncryptedStore(open(), keys, log),
  pass,
});

describe('entries in Redis', () => {
  it('have the prefix, and expire together with their group', async () => {
    const store = await openEmpty();
    await store.set(['token', 'a'], 'one', { ...TTL, group: ['grant'] });
    await store.set(['token', 'b'], 'two', { ttlMs: 2 * MINUTE, group: ['grant'] });
    await store.add(['lock'], 'three', TTL);
    expect((await admin.keys('*')).toSorted()).toEqual([
      'test:entry:lock:[]',
      'test:entry:token:["a"]',
      'test:entry:token:["b"]',
      'test:group:grant:[]',
    ]);
    const left = await admin.pttl('test:group:grant:[]');
    expect(left).toBeGreaterThan(1.9 * MINUTE);
    expect(left).toBeLessThanOrEqual(2 * MINUTE);
    for (const name of await admin.keys('*')) expect(await admin.pttl(name)).toBeGreaterThan(0);
    await store.close();
  });

  it('of deployments with different prefixes are apart', async () => {
    const [a, b] = [await openEmpty(), open('other:')];
    await a.set(['token'], 'one', TTL);
    expect(await b.get(['token'])).toBeUndefined();
    const received: string[] = [];
    b.subscribe('changes', (text) => received.push(text));
    a.subscribe('changes', (text) => received.push(text));
    await expect
      .poll(async () => {
        await a.publish('changes', 'of a');
        return received.length;
      })
      .toBeGreaterThan(0);
    await b.publish('changes', 'of b');
    await expect.poll(() => received.includes('of b')).toBe(true);
    await Promise.all([a.close(), b.close()]);
  });

  it('hold no text of keys, values and messages when they are encrypted', async () => {
    const store = createEncryptedStore(await openEmpty(), keys, log);
    await store.set(['token', 'canary-subject'], 'canary-value', {
      ttlMs: MINUTE,
      group: ['grant', 'canary-grant'],
    });
    const names = await admin.keys('*');
    const values = await Promise.all(
      names.map(async (name) =>
        (await admin.type(name)) === 'zset' ? admin.zrange(name, '0', '-1') : admin.get(name),
      ),
    );
    expect(names).toHaveLength(2);
    expect(JSON.stringify([names, values])).not.toMatch(/canary/);
    await store.close();
  });

  it('refuses entries when the server has no memory left, and works again after', async () => {
    const store = await openEmpty();
    await admin.config('SET', 'maxmemory', '1');
    await expect(store.set(['token'], 'one', TTL)).rejects.toMatchObject({
      code: 'full',
      message: 'The state store is full: the server has no memory left.',
    });
    await admin.config('SET', 'maxmemory', '0');
    await store.set(['token'], 'one', TTL);
    await store.close();
  });

  it('works after the server forgot the scripts', async () => {
    const store = await openEmpty();
    await store.set(['token'], 'one', { ...TTL, group: ['grant'] });
    await admin.script('FLUSH');
    await store.set(['token'], 'two', { ...TTL, group: ['grant'] });
    expect(await store.deleteIf(['token'], 'two')).toBe(true);
    await store.close();
  });
});
