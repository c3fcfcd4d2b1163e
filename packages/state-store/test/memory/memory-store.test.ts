import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/memory/memory-store.ts';
import type { StateKey } from '../../src/port/state-store.ts';
import { describeStateStore } from '../suite/state-store-suite.ts';

const TTL = { ttlMs: 60_000 };

const clock = { now: 0 };

describeStateStore('a store in memory', {
  open: async () => createMemoryStore({ now: () => clock.now }),
  pass: async (ttlMs) => {
    clock.now += ttlMs;
  },
});

describe('the limits of a store in memory', () => {
  it('refuses an entry beyond the limit and keeps the others', async () => {
    const store = createMemoryStore({ maxEntries: 2 });
    await store.set(['login', 'a'], 'one', TTL);
    await store.set(['login', 'b'], 'two', TTL);
    await expect(store.set(['login', 'c'], 'three', TTL)).rejects.toMatchObject({
      name: 'StateStoreError',
      code: 'full',
      message:
        'The state store in memory is full: wait until entries expire, or use Redis or Valkey.',
    });
    const full = { code: 'full' };
    await expect(store.add(['login', 'c'], 'three', TTL)).rejects.toMatchObject(full);
    expect(await store.get(['login', 'a'])).toBe('one');
    await store.set(['login', 'b'], 'again', TTL);
    expect(await store.get(['login', 'b'])).toBe('again');
  });

  it('counts the bytes of keys and values', async () => {
    const store = createMemoryStore({ maxBytes: 2_000 });
    const set = (name: string) => store.set(['login', name], 'x'.repeat(500), TTL);
    await set('a');
    await expect(set('b')).rejects.toMatchObject({ code: 'full' });
    await store.delete(['login', 'a']);
    await set('b');
  });

  it('accepts entries again when others have expired', async () => {
    let now = 0;
    const store = createMemoryStore({ maxEntries: 1, now: () => now });
    for (; now < 10_000; now += 100) {
      await store.set(['login', `${now}`], 'one', { ttlMs: 100 });
    }
  });

  it('does nothing after it was closed', async () => {
    const store = createMemoryStore();
    await store.close();
    await expect(store.get(['login'])).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The state store is closed.',
    });
  });
});

const key = fc.constantFrom('a', 'b', 'c', 'd');

/** Keys that are written with the group. */
const GROUPED: ReadonlySet<string> = new Set(['a', 'b']);
const GROUP: StateKey = ['group'];

/** A store, and a table that holds what the store must hold. */
class Comparison {
  #now = 0;
  #count = 0;
  readonly #store = createMemoryStore({ now: () => this.#now, maxEntries: 4 });
  readonly #table = new Map<string, { value: string; until: number }>();

  pass(time: number): void {
    this.#now += time;
  }

  async set(name: string, ttlMs: number): Promise<void> {
    const value = `${this.#count++}`;
    await this.#store.set([name], value, { ttlMs, ...(GROUPED.has(name) && { group: GROUP }) });
    this.#table.set(name, { value, until: this.#now + ttlMs });
  }

  async add(name: string, ttlMs: number): Promise<void> {
    if (GROUPED.has(name)) return;
    const value = `${this.#count++}`;
    const isNew = this.#read(name) === undefined;
    expect(await this.#store.add([name], value, { ttlMs })).toBe(isNew);
    if (isNew) this.#table.set(name, { value, until: this.#now + ttlMs });
  }

  async take(name: string): Promise<void> {
    expect(await this.#store.take([name])).toBe(this.#read(name));
    this.#table.delete(name);
  }

  async delete(name: string): Promise<void> {
    await this.#store.delete([name]);
    this.#table.delete(name);
  }

  async deleteGroup(): Promise<void> {
    await this.#store.deleteGroup(GROUP);
    for (const name of GROUPED) this.#table.delete(name);
  }

  async compare(): Promise<void> {
    for (const name of ['a', 'b', 'c', 'd']) {
      expect(await this.#store.get([name])).toBe(this.#read(name));
    }
  }

  #read(name: string): string | undefined {
    const entry = this.#table.get(name);
    return entry !== undefined && entry.until > this.#now ? entry.value : undefined;
  }
}

it('behaves like a table of keys and times', async () => {
  const write = fc.tuple(key, fc.integer({ min: -5, max: 50 }));
  type Step = (comparison: Comparison) => Promise<void> | void;
  const step = fc.oneof<fc.Arbitrary<Step>[]>(
    write.map(
      ([name, ttlMs]) =>
        (it) =>
          it.set(name, ttlMs),
    ),
    write.map(
      ([name, ttlMs]) =>
        (it) =>
          it.add(name, ttlMs),
    ),
    key.map((name) => (it) => it.take(name)),
    key.map((name) => (it) => it.delete(name)),
    fc.integer({ min: 0, max: 20 }).map((time) => (it) => it.pass(time)),
    fc.constant<Step>((it) => it.deleteGroup()),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 100 }), async (steps) => {
      const comparison = new Comparison();
      for (const run of steps) {
        await run(comparison);
        await comparison.compare();
      }
    }),
  );
});
