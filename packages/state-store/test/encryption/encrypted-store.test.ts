import { describe, expect, it, vi } from 'vitest';
import {
  createEncryptedStore,
  type StateEncryptionKeys,
} from '../../src/encryption/encrypted-store.ts';
import { createMemoryStore } from '../../src/memory/memory-store.ts';
import type { StateKey, StateStore } from '../../src/port/state-store.ts';
import { describeStateStore } from '../suite/state-store-suite.ts';
import { findKey } from './keys.ts';

const TTL = { ttlMs: 60_000 };
const [A, B, C] = [findKey(1), findKey(2), findKey(3)];
const log = { warn: () => undefined };

const clock = { now: 0 };
const pass = async (ttlMs: number): Promise<void> => {
  clock.now += ttlMs;
};

describe.each([
  ['an encrypted store', { current: A }],
  ['an encrypted store while a key is replaced', { current: B, previous: A }],
])('%s', (name, keys) => {
  const open = async () =>
    createEncryptedStore(createMemoryStore({ now: () => clock.now }), keys, log);
  describeStateStore(name, { open, pass });
});

/** A store that records the arguments of every call. */
const recorded = (
  store: StateStore,
): { readonly store: StateStore; readonly text: () => string } => {
  const calls: unknown[] = [];
  const proxy = new Proxy(store, {
    get: (target, name) => {
      const member = target[name as keyof StateStore] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        calls.push(args);
        return member(...args);
      };
    },
  });
  return { store: proxy, text: () => JSON.stringify(calls) };
};

const opened = (store: StateStore, keys: StateEncryptionKeys): StateStore =>
  createEncryptedStore(store, keys, log);

/** A store with an entry of the key A. */
const storeOfA = async (): Promise<StateStore> => {
  const inner = createMemoryStore();
  await opened(inner, { current: A }).set(['a'], 'one', TTL);
  return inner;
};

it('passes no part of a key and no value to the inner store', async () => {
  const inner = recorded(createMemoryStore());
  const store = opened(inner.store, { current: B, previous: A });
  const key: StateKey = ['token', 'secret-subject'];
  const group: StateKey = ['grant', 'secret-grant'];
  await store.set(key, 'secret-value', { ...TTL, group });
  await store.add(['lock', 'secret-lock'], 'secret-owner', TTL);
  await store.deleteIf(['lock', 'secret-lock'], 'secret-owner');
  await store.replace(key, 'secret-value', TTL);
  await store.get(key);
  await store.take(key);
  await store.delete(key);
  await store.deleteGroup(group);
  await store.publish('changes', 'secret-text');
  expect(inner.text()).toContain('"token"');
  expect(inner.text()).not.toContain('secret');
});

it('names an entry as earlier releases did', async () => {
  const inner = recorded(createMemoryStore());
  await opened(inner.store, { current: A }).delete(['session', 'alice']);
  expect(inner.text()).toBe('[[["session","ftP2VokR5kv1vJPUngHmWkHVQP19KK9FvYj5vhJ8Tas"]]]');
});

describe('values that cannot be decrypted', () => {
  it('are absent, with one warning', async () => {
    const inner = await storeOfA();
    const warn = vi.fn();
    const store = createEncryptedStore(damaged(inner), { current: A }, { warn });
    expect(await store.get(['a'])).toBeUndefined();
    expect(await store.take(['a'])).toBeUndefined();
    expect(await store.deleteIf(['a'], 'one')).toBe(false);
    expect(warn.mock.calls).toEqual([
      [
        'The state store has values that the state key of this process cannot decrypt; they are treated as absent, so that people sign in again.',
      ],
    ]);
  });

  it('of another name are absent', async () => {
    const inner = createMemoryStore();
    const store = opened(inner, { current: A });
    await store.set(['a'], 'one', TTL);
    await store.set(['b'], 'two', TTL);
    const values: (string | undefined)[] = [];
    const seen: StateStore = {
      ...inner,
      get: async (key) => {
        values.push(await inner.get(key));
        return values[0];
      },
    };
    const swapped = opened(seen, { current: A });
    expect(await swapped.get(['a'])).toBe('one');
    expect(await swapped.get(['b'])).toBeUndefined();
  });
});

/** A store that returns every value with its last character changed. */
const damaged = (store: StateStore): StateStore => {
  const damage = (value: string | undefined): string | undefined =>
    value && `${value.slice(0, -4)}AAAA`;
  return {
    ...store,
    get: async (key) => damage(await store.get(key)),
    take: async (key) => damage(await store.get(key)),
  };
};

describe('the replacement of a key', () => {
  it('reads entries of the previous key, and not without it', async () => {
    const inner = await storeOfA();
    expect(await opened(inner, { current: B, previous: A }).get(['a'])).toBe('one');
    expect(await opened(inner, { current: B }).get(['a'])).toBeUndefined();
    expect(await opened(inner, { current: B, previous: C }).get(['a'])).toBeUndefined();
  });

  it('writes with the current key only', async () => {
    const inner = await storeOfA();
    await opened(inner, { current: B, previous: A }).set(['a'], 'two', TTL);
    expect(await opened(inner, { current: A }).get(['a'])).toBeUndefined();
    expect(await opened(inner, { current: B }).get(['a'])).toBe('two');
  });

  it('gives an entry of the previous key to one taker', async () => {
    const inner = await storeOfA();
    const store = opened(inner, { current: B, previous: A });
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.take(['a'])));
    expect(taken.filter((value) => value !== undefined)).toEqual(['one']);
  });

  it('lets one process hold a lock, whichever key it has first', async () => {
    for (let round = 0; round < 50; round += 1) {
      const inner = createMemoryStore();
      const before = opened(inner, { current: A, previous: B });
      const after = opened(inner, { current: B, previous: A });
      const added = await Promise.all([
        before.add(['lock'], 'before', TTL),
        after.add(['lock'], 'after', TTL),
      ]);
      expect(added.filter(Boolean).length).toBeLessThanOrEqual(1);
    }
  });

  it('deletes the groups and entries of both keys', async () => {
    const inner = createMemoryStore();
    const group: StateKey = ['grant'];
    const former = opened(inner, { current: A });
    await former.set(['a'], 'one', { ...TTL, group });
    await former.set(['b'], 'two', TTL);
    await former.add(['lock'], 'owner', TTL);
    const store = opened(inner, { current: B, previous: A });
    expect(await store.add(['lock'], 'other', TTL)).toBe(false);
    expect(await store.deleteIf(['lock'], 'other')).toBe(false);
    expect(await store.deleteIf(['lock'], 'owner')).toBe(true);
    await store.deleteGroup(group);
    await store.delete(['b']);
    expect([await former.get(['a']), await former.get(['b'])]).toEqual([undefined, undefined]);
  });
});

it('does not deliver messages of another key', async () => {
  const inner = createMemoryStore();
  const received: string[] = [];
  opened(inner, { current: A }).subscribe('changes', (text) => received.push(text));
  await opened(inner, { current: B }).publish('changes', 'unknown key');
  await opened(inner, { current: A }).publish('changes', 'known key');
  await expect.poll(() => received).toEqual(['known key']);
});
