import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StateKey, StateStore } from '../../src/port/state-store.ts';

const MINUTE = 60_000;
const TTL = { ttlMs: MINUTE };

/** A kind of store, and how a test opens it. */
export interface StoreUnderTest {
  /** Opens a store without entries. */
  readonly open: () => Promise<StateStore>;
  /** Opens a second store with the same entries as the first, like a second process; undefined for a store in memory. */
  readonly openPeer?: () => Promise<StateStore>;
  /** Resolves when `ttlMs` have passed for the store. */
  readonly pass: (ttlMs: number) => Promise<void>;
}

/** Texts that are hard to keep apart, escape or encode. */
const LONG = 'x'.repeat(100_000);
const PARTS = [
  '',
  ' ',
  ':',
  'a:b',
  '","',
  '__proto__',
  '\u0000',
  '\ud800',
  'é',
  LONG,
  `${LONG}y`,
  '*',
];

/** Registers the tests that every state store must pass. */
export const describeStateStore = (name: string, subject: StoreUnderTest): void => {
  describe(name, () => {
    let store: StateStore;
    beforeEach(async () => {
      store = await subject.open();
    });
    afterEach(() => store.close());

    describeEntries(subject, () => store);
    describeSingleUse(subject, () => store);
    describeGroups(() => store);
    describeMessages(subject, () => store);
  });
};

const KEY: StateKey = ['token', 'a'];
const SHORT = { ttlMs: 50 };

/** Calls a function many times at once. */
const atOnce = <T>(count: number, task: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => task(at)));

const describeEntries = ({ pass }: StoreUnderTest, store: () => StateStore): void => {
  it('returns what was written last', async () => {
    await store().set(KEY, 'one', TTL);
    await store().set(KEY, 'zwei é 😀 \u0000', TTL);
    expect(await store().get(KEY)).toBe('zwei é 😀 \u0000');
  });

  it('has no value for a key that was not written, or was deleted', async () => {
    await store().set(KEY, 'one', TTL);
    await store().delete(KEY);
    await store().delete(['token', 'never written']);
    for (const key of [KEY, ['token', 'b']] as const)
      expect(await store().get(key)).toBeUndefined();
  });

  it('keeps an empty value apart from no value', async () => {
    await store().set(KEY, '', TTL);
    expect(await store().get(KEY)).toBe('');
    expect([await store().take(KEY), await store().take(KEY)]).toEqual(['', undefined]);
  });

  it('keeps keys apart, whatever text their parts are', async () => {
    const keys: readonly StateKey[] = [
      ['kind'],
      ...PARTS.map((a): StateKey => ['kind', a]),
      ...PARTS.map((a): StateKey => ['kind', a, '']),
      ...PARTS.map((a): StateKey => ['other', a]),
      ...PARTS.map((a): StateKey => ['kind', '', a, 'end']),
    ];
    await Promise.all(keys.map((key, at) => store().set(key, `value ${at}`, TTL)));
    const values = await Promise.all(keys.map((key) => store().get(key)));
    expect(values).toEqual(keys.map((_, at) => `value ${at}`));
  });

  it('drops an entry when its time has passed, which starts again when it is written again', async () => {
    await store().set(['short'], 'one', SHORT);
    await store().set(['long'], 'two', TTL);
    await store().set(['again'], 'one', SHORT);
    await store().set(['again'], 'three', TTL);
    await pass(60);
    expect([await store().get(['short']), await store().take(['short'])]).toEqual([
      undefined,
      undefined,
    ]);
    expect([await store().get(['long']), await store().get(['again'])]).toEqual(['two', 'three']);
  });

  it.each([
    [0, undefined],
    [Number.NaN, undefined],
    [Number.MAX_VALUE, 'two'],
  ])('stores a value for a time that is positive, 400 days at most: %j', async (ttlMs, value) => {
    await store().set(KEY, 'one', TTL);
    await store().set(KEY, 'two', { ttlMs });
    expect(await store().get(KEY)).toBe(value);
  });

  it('accepts 700,000 bytes, refuses more than 1 MiB, and keeps the previous value', async () => {
    await store().set(KEY, 'é'.repeat(350_000), TTL);
    const full = { name: 'StateStoreError', code: 'full' };
    const large = store().set(KEY, `${'é'.repeat(512 * 1024)}x`, TTL);
    await expect(large).rejects.toMatchObject(full);
    expect(await store().get(KEY)).toHaveLength(350_000);
  });
};

const describeSingleUse = ({ pass }: StoreUnderTest, store: () => StateStore): void => {
  it('gives a value to one of many callers that take it', async () => {
    await store().set(KEY, 'one', TTL);
    const taken = await atOnce(50, () => store().take(KEY));
    expect(taken.filter((value) => value !== undefined)).toEqual(['one']);
    expect(await store().get(KEY)).toBeUndefined();
  });

  it('adds an entry for one of many callers', async () => {
    const added = await atOnce(50, (at) => store().add(['lock'], `owner ${at}`, TTL));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await store().get(['lock'])).toBe(`owner ${added.indexOf(true)}`);
  });

  it('replaces a value that exists, and starts its time again', async () => {
    await store().set(KEY, 'one', SHORT);
    expect(await store().replace(KEY, 'two', TTL)).toBe(true);
    await pass(60);
    expect(await store().get(KEY)).toBe('two');
    expect(await store().replace(KEY, 'three', { ttlMs: 0 })).toBe(true);
    expect(await store().get(KEY)).toBeUndefined();
  });

  it('replaces nothing that was deleted or has ended', async () => {
    await store().set(['deleted'], 'one', TTL);
    await store().delete(['deleted']);
    await store().set(['ended'], 'one', SHORT);
    await pass(60);
    for (const name of ['deleted', 'ended', 'never written']) {
      expect(await store().replace([name], 'two', TTL)).toBe(false);
      expect(await store().get([name])).toBeUndefined();
    }
  });

  it('releases a lock for its owner alone', async () => {
    const release = (owner: string) => store().deleteIf(['lock'], owner);
    const add = (owner: string) => store().add(['lock'], owner, TTL);
    await add('owner');
    expect([await release('other'), await add('other')]).toEqual([false, false]);
    expect([await release('owner'), await release('owner')]).toEqual([true, false]);
    expect(await add('other')).toBe(true);
  });

  it('deletes a value once, however many callers name it', async () => {
    await store().set(KEY, 'owner', TTL);
    const deleted = await atOnce(20, () => store().deleteIf(KEY, 'owner'));
    expect(deleted.filter(Boolean)).toHaveLength(1);
  });
};

const describeGroups = (store: () => StateStore): void => {
  const group: StateKey = ['grant', 'g'];
  const grouped = { ...TTL, group };
  const readAll = (...names: readonly string[]) =>
    Promise.all(names.map((name) => store().get(['token', name])));

  it('deletes the entries of a group and no others', async () => {
    await store().set(['code', 'a'], 'one', grouped);
    await store().set(['token', 'a'], 'two', grouped);
    await store().set(['token', 'b'], 'three', { ...TTL, group: ['grant', 'h'] });
    await store().set(['token', 'c'], 'four', TTL);
    await store().deleteGroup(group);
    await store().deleteGroup(['grant', 'never written']);
    expect(await store().get(['code', 'a'])).toBeUndefined();
    expect(await readAll('a', 'b', 'c')).toEqual([undefined, 'three', 'four']);
  });

  it('adds to a group again after it was deleted', async () => {
    for (const name of ['a', 'b']) {
      await store().set(['token', name], 'one', grouped);
      expect(await readAll(name)).toEqual(['one']);
      await store().deleteGroup(group);
      expect(await readAll(name)).toEqual([undefined]);
    }
  });

  it('limits a group to 4,096 entries: those that were written first are deleted', async () => {
    const write = (name: string) => store().set(['token', name], 'v', grouped);
    await write('!oldest');
    for (let from = 1; from < 4_096; from += 455) await atOnce(455, (at) => write(`${from + at}`));
    // An entry that is written again is not the oldest any more, and a deleted one does not count.
    await write('1');
    await store().take(['token', '4095']);
    await write('one more');
    expect(await readAll('!oldest')).toEqual(['v']);
    await write('too many');
    expect(await readAll('!oldest')).toEqual([undefined]);
    const present = ['1', '4094', 'one more', 'too many'];
    expect(await readAll(...present)).toEqual(['v', 'v', 'v', 'v']);
    await store().deleteGroup(group);
    expect(await readAll(...present)).toEqual(present.map(() => undefined));
  });
};

const describeMessages = ({ openPeer }: StoreUnderTest, store: () => StateStore): void => {
  it('sends messages to the listeners of a channel', async () => {
    const received: string[] = [];
    const listen = (channel: string, name: string) =>
      store().subscribe(channel, (text) => received.push(`${name} ${text}`));
    const failing = () => {
      throw new Error('a listener fails');
    };
    const first = listen('changes', 'first');
    const stops = [first, store().subscribe('changes', failing)];
    stops.push(listen('changes', 'second'), listen('other', 'other'));
    await expectDelivery(store(), () => received.length >= 2);
    expect(new Set(received)).toEqual(new Set(['first hello é', 'second hello é']));
    for (const stop of stops) stop();
    received.length = 0;
    const after = vi.fn();
    store().subscribe('changes', after);
    await expectDelivery(store(), () => after.mock.calls.length > 0);
    expect(received).toEqual([]);
  });

  if (openPeer === undefined) return;
  it('shares entries and messages with a second process', async () => {
    const peer = await openPeer();
    try {
      await store().set(KEY, 'one', TTL);
      const received = vi.fn();
      peer.subscribe('changes', received);
      await expectDelivery(store(), () => received.mock.calls.length > 0);
      expect(received).toHaveBeenCalledWith('hello é');
      const taken = await Promise.all([store().take(KEY), peer.take(KEY)]);
      expect(taken.filter((value) => value !== undefined)).toEqual(['one']);
    } finally {
      await peer.close();
    }
  });
};

/** Publishes until the message has arrived: a subscription of a remote store begins a little after the call. */
const expectDelivery = (store: StateStore, hasArrived: () => boolean): Promise<void> =>
  vi.waitFor(
    async () => {
      if (hasArrived()) return;
      await store.publish('changes', 'hello é');
      expect(hasArrived()).toBe(true);
    },
    { timeout: 60_000, interval: 20 },
  );
