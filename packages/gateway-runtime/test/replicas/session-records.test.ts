import { createMemoryStore } from '@gateway/state-store';
import { describe, expect, it } from 'vitest';
import { createSessionRecords } from '../../src/replicas/join-replicas.ts';

const MINUTE = 60_000;
const START = 1_000;
const NEW = {
  ...{ isUsed: false, isEnded: false, marksSince: START },
  ...{ logLevel: undefined, followed: [] },
};

const open = () => {
  const clock = { now: START };
  const now = () => clock.now;
  const store = createMemoryStore({ now });
  const [one, two] = [createSessionRecords(store, now), createSessionRecords(store, now)];
  return { clock, store, one, two };
};

describe('records of sessions', () => {
  it('are shared, and expire', async () => {
    const { clock, one, two } = open();
    expect(await one.read('s')).toEqual(NEW);
    await one.markUsed('s', MINUTE);
    await one.setLogLevel('s', 'error', 5 * MINUTE);
    expect(await two.read('s')).toEqual({ ...NEW, isUsed: true, logLevel: 'error' });
    clock.now += 2 * MINUTE;
    expect(await two.read('s')).toEqual({ ...NEW, logLevel: 'error' });
    expect(await two.read('other')).toEqual(NEW);
  });

  it('say since when marks are kept, from the start and again after the store has lost its data', async () => {
    const { clock, store, one, two } = open();
    clock.now += MINUTE;
    expect((await one.read('s')).marksSince).toBe(START);
    await store.delete(['mcp-session-marks-since']);
    clock.now += MINUTE;
    expect((await one.read('s')).marksSince).toBe(START + 2 * MINUTE);
    clock.now += MINUTE;
    expect((await two.read('s')).marksSince).toBe(START + 2 * MINUTE);
  });

  it('cannot be read while the store is away, and leave no other failure', async () => {
    const { store, one } = open();
    const away = { ...store, get: () => Promise.reject(new Error('away')) };
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    await one.read('s');
    await expect(createSessionRecords(away).read('s')).rejects.toThrow('away');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('of an ended session say only that it has ended', async () => {
    const { one, two } = open();
    await one.markUsed('s', MINUTE);
    await one.setLogLevel('s', 'error', MINUTE);
    await one.follow('s', { uri: 'file:///a', scope: {} }, MINUTE);
    await one.markEnded('s', MINUTE);
    expect(await two.read('s')).toEqual({ ...NEW, isEnded: true });
  });

  it('keep every resource that two processes add at the same time', async () => {
    const { one, two } = open();
    const uris = Array.from({ length: 20 }, (_, at) => `file:///${at}`);
    await Promise.all(
      uris.map((uri, at) => (at % 2 === 0 ? one : two).follow('s', { uri, scope: {} }, MINUTE)),
    );
    const { followed } = await one.read('s');
    expect(followed.map(({ uri }) => uri).toSorted()).toEqual(uris.toSorted());
    await two.unfollow('s', 'file:///3');
    expect((await one.read('s')).followed).toHaveLength(19);
  });

  it('have the newest headers of a resource, at most 64 resources, and none of more than 8 Ki characters', async () => {
    const { one } = open();
    await one.follow('s', { uri: 'file:///a', scope: { 'x-a': ['1'] } }, MINUTE);
    await one.follow('s', { uri: 'file:///a', scope: { 'x-a': ['2'] } }, MINUTE);
    await one.follow('s', { uri: `file:///${'b'.repeat(9_000)}`, scope: {} }, MINUTE);
    expect((await one.read('s')).followed).toEqual([{ uri: 'file:///a', scope: { 'x-a': ['2'] } }]);
    for (let at = 0; at < 70; at += 1) await one.follow('s', { uri: `u:${at}`, scope: {} }, MINUTE);
    expect((await one.read('s')).followed).toHaveLength(64);
  });

  it('are read as far as they are understood', async () => {
    const { store, one } = open();
    await store.set(['mcp-session-follows', 's'], '{', { ttlMs: MINUTE });
    expect((await one.read('s')).followed).toEqual([]);
    const text = JSON.stringify([{ uri: 7 }, null, { uri: 'u:1', scope: {} }]);
    await store.set(['mcp-session-follows', 's'], text, { ttlMs: MINUTE });
    expect((await one.read('s')).followed).toEqual([{ uri: 'u:1', scope: {} }]);
  });
});
