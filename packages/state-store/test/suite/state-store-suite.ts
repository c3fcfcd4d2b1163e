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

const describeEntries = ({ pass }: StoreUnderTest, store: () => StateStore): void => {
  it('returns what was written last', async () => {
    await store().set(['token', 'a'], 'one', TTL);
    await store().set(['token', 'a'], 'zwei é 😀 \u0000', TTL);
    expect(await store().get(['token', 'a'])).toBe('zwei é 😀 \u0000');
  });

  it('has no value for a key that was not written, or was deleted', async () => {
    await store().set(['token', 'a'], 'one', TTL);
    await store().delete(['token', 'a']);
    await store().delete(['token', 'never written']);
    expect(await store().get(['token', 'a'])).toBeUndefined();
    expect(await store().get(['token', 'b'])).toBeUndefined();
  });

  it('keeps an empty value apart from no value', async () => {
    await store().set(['token'], '', TTL);
    expect(await store().get(['token'])).toBe('');
    expect(await store().take(['token'])).toBe('');
    expect(await store().take(['token'])).toBeUndefined();
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

  it('drops an entry when its time has passed', async () => {
    await store().set(['token', 'short'], 'one', { ttlMs: 50 });
    await store().set(['token', 'long'], 'two', TTL);
    await pass(60);
    expect(await store().get(['token', 'short'])).toBeUndefined();
    expect(await store().take(['token', 'short'])).toBeUndefined();
    expect(await store().get(['token', 'long'])).toBe('two');
  });

  it('starts the time of an entry again when it is written again', async () => {
    await store().set(['token'], 'one', { ttlMs: 50 });
    await store().set(['token'], 'two', TTL);
    await pass(60);
    expect(await store().get(['token'])).toBe('two');
  });

  it.each([
    [0, undefined],
    [Number.NaN, undefined],
    [Number.MAX_VALUE, 'two'],
  ])('stores a value for a time that is positive, 400 days at most: %j', async (ttlMs, value) => {
    await store().set(['token'], 'one', TTL);
    await store().set(['token'], 'two', { ttlMs });
    expect(await store().get(['token'])).toBe(value);
  });

  it('accepts 700,000 bytes, refuses more than 1 MiB, and keeps the previous value', async () => {
    await store().set(['token'], 'é'.repeat(350_000), TTL);
    await expect(store().set(['token'], 'é'.repeat(512 * 1024) + 'x', TTL)).rejects.toMatchObject({
      name: 'StateStoreError',
      code: 'full',
    });
    expect(await store().get(['token'])).toHaveLength(350_000);
  });
};

const describeSingleUse = ({ pass }: StoreUnderTest, store: () => StateStore): void => {
  it('gives a value to one of many callers that take it', async () => {
    await store().set(['login', 'state'], 'one', TTL);
    const taken = await Promise.all(
      Array.from({ length: 50 }, () => store().take(['login', 'state'])),
    );
    expect(taken.filter((value) => value !== undefined)).toEqual(['one']);
    expect(await store().get(['login', 'state'])).toBeUndefined();
  });

  it('adds an entry for one of many callers', async () => {
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, at) => store().add(['lock'], `owner ${at}`, TTL)),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await store().get(['lock'])).toBe(`owner ${added.indexOf(true)}`);
  });

  it('replaces a value that exists, and starts its time again', async () => {
    await store().set(['session'], 'one', { ttlMs: 50 });
    expect(await store().replace(['session'], 'two', TTL)).toBe(true);
    await pass(60);
    expect(await store().get(['session'])).toBe('two');
    expect(await store().replace(['session'], 'three', { ttlMs: 0 })).toBe(true);
    expect(await store().get(['session'])).toBeUndefined();
  });

  it('replaces nothing that was deleted or has ended', async () => {
    await store().set(['session', 'deleted'], 'one', TTL);
    await store().delete(['session', 'deleted']);
    await store().set(['session', 'ended'], 'one', { ttlMs: 50 });
    await pass(60);
    for (const name of ['deleted', 'ended', 'never written']) {
      expect(await store().replace(['session', name], 'two', TTL)).toBe(false);
      expect(await store().get(['session', name])).toBeUndefined();
    }
  });

  it('releases a lock for its owner alone', async () => {
    await store().add(['lock'], 'owner', TTL);
    expect(await store().deleteIf(['lock'], 'other')).toBe(false);
    expect(await store().add(['lock'], 'other', TTL)).toBe(false);
    expect(await store().deleteIf(['lock'], 'owner')).toBe(true);
    expect(await store().deleteIf(['lock'], 'owner')).toBe(false);
    expect(await store().add(['lock'], 'other', TTL)).toBe(true);
  });

  it('deletes a value once, however many callers name it', async () => {
    await store().set(['lock'], 'owner', TTL);
    const deleted = await Promise.all(
      Array.from({ length: 20 }, () => store().deleteIf(['lock'], 'owner')),
    );
    expect(deleted.filter(Boolean)).toHaveLength(1);
  });
};

const describeGroups = (store: () => StateStore): void => {
  it('deletes the entries of a group and no others', async () => {
    const group: StateKey = ['grant', 'g'];
    await store().set(['code', 'a'], 'one', { ...TTL, group });
    await store().set(['token', 'a'], 'two', { ...TTL, group });
    await store().set(['token', 'b'], 'three', { ttlMs: MINUTE, group: ['grant', 'h'] });
    await store().set(['token', 'c'], 'four', TTL);
    await store().deleteGroup(group);
    await store().deleteGroup(['grant', 'never written']);
    const values = ['a', 'b', 'c'].map((name) => store().get(['token', name]));
    expect(await store().get(['code', 'a'])).toBeUndefined();
    expect(await Promise.all(values)).toEqual([undefined, 'three', 'four']);
  });

  it('adds to a group again after it was deleted', async () => {
    const group: StateKey = ['grant', 'g'];
    for (const name of ['a', 'b']) {
      await store().set(['token', name], 'one', { ...TTL, group });
      expect(await store().get(['token', name])).toBe('one');
      await store().deleteGroup(group);
      expect(await store().get(['token', name])).toBeUndefined();
    }
  });

  it('limits a group to 4,096 entries: those that were written first are deleted', async () => {
    const group: StateKey = ['grant', 'g'];
    const options = { ...TTL, group };
    const exists = async (name: string): Promise<boolean> =>
      (await store().get(['token', name])) !== undefined;
    await store().set(['token', '!oldest'], 'v', options);
    for (let from = 1; from < 4_096; from += 455) {
      await Promise.all(
        Array.from({ length: 455 }, (_, at) =>
          store().set(['token', `${from + at}`], 'v', options),
        ),
      );
    }
    // An entry that is written again is not the oldest any more, and a deleted one does not count.
    await store().set(['token', '1'], 'again', options);
    await store().take(['token', '4095']);
    await store().set(['token', 'one more'], 'v', options);
    expect(await exists('!oldest')).toBe(true);
    await store().set(['token', 'too many'], 'v', options);
    expect(await exists('!oldest')).toBe(false);
    const present = () => Promise.all(['1', '4094', 'one more', 'too many'].map(exists));
    expect(await present()).toEqual([true, true, true, true]);
    await store().deleteGroup(group);
    expect(await present()).toEqual([false, false, false, false]);
  });
};

const describeMessages = ({ openPeer }: StoreUnderTest, store: () => StateStore): void => {
  it('sends messages to the listeners of a channel', async () => {
    const received: string[] = [];
    const stops = [
      store().subscribe('changes', (text) => received.push(`first ${text}`)),
      store().subscribe('changes', () => {
        throw new Error('a listener fails');
      }),
      store().subscribe('changes', (text) => received.push(`second ${text}`)),
      store().subscribe('other', (text) => received.push(`other ${text}`)),
    ];
    await expectDelivery(store(), 'changes', () => received.length >= 2);
    expect(new Set(received)).toEqual(new Set(['first hello é', 'second hello é']));
    for (const stop of stops) stop();
    received.length = 0;
    const after = vi.fn();
    store().subscribe('changes', after);
    await expectDelivery(store(), 'changes', () => after.mock.calls.length > 0);
    expect(received).toEqual([]);
  });

  if (openPeer === undefined) return;
  it('shares entries and messages with a second process', async () => {
    const peer = await openPeer();
    try {
      await store().set(['login', 'state'], 'one', TTL);
      const received = vi.fn();
      peer.subscribe('changes', received);
      await expectDelivery(store(), 'changes', () => received.mock.calls.length > 0);
      expect(received).toHaveBeenCalledWith('hello é');
      const taken = await Promise.all([
        store().take(['login', 'state']),
        peer.take(['login', 'state']),
      ]);
      expect(taken.filter((value) => value !== undefined)).toEqual(['one']);
    } finally {
      await peer.close();
    }
  });
};

/** Publishes until the message has arrived: a subscription of a remote store begins a little after the call. */
const expectDelivery = (
  store: StateStore,
  channel: string,
  hasArrived: () => boolean,
): Promise<void> =>
  vi.waitFor(
    async () => {
      if (hasArrived()) return;
      await store.publish(channel, 'hello é');
      expect(hasArrived()).toBe(true);
    },
    { timeout: 60_000, interval: 20 },
  );
