import { createMemoryStore, StateStoreError, type StateStore } from '@gateway/state-store';
import { expect, it, vi, type Mock } from 'vitest';
import { connectState } from '../../src/workers/connect-state.ts';
import { serveState } from '../../src/workers/serve-state.ts';
import { channels } from './channels.ts';

const ttlMs = 60_000;

const worker = (store: StateStore) => {
  const { primary, worker: end, close } = channels();
  serveState(store, primary.port('state'));
  return { state: connectState(end.port('state')), close };
};

it('shares the state of the primary process among workers', async () => {
  const store = createMemoryStore();
  const [a, b] = [worker(store).state, worker(store).state];
  await a.set(['token', '\ud800'], 'one', { ttlMs, group: ['grant'] });
  expect(await b.get(['token', '\ud800'])).toBe('one');
  expect(await b.get(['token', 'absent'])).toBeUndefined();
  expect([await a.add(['lock'], 'a', { ttlMs }), await b.add(['lock'], 'b', { ttlMs })]).toEqual([
    true,
    false,
  ]);
  expect([await b.deleteIf(['lock'], 'b'), await a.deleteIf(['lock'], 'a')]).toEqual([false, true]);
  await a.set(['session'], 'one', { ttlMs });
  expect(await b.replace(['session'], 'two', { ttlMs })).toBe(true);
  expect(await a.take(['session'])).toBe('two');
  expect(await b.replace(['session'], 'three', { ttlMs })).toBe(false);
  await b.deleteGroup(['grant']);
  expect(await a.get(['token', '\ud800'])).toBeUndefined();
  await a.set(['login'], 'state', { ttlMs });
  const taken = await Promise.all([a.take(['login']), b.take(['login'])]);
  expect(taken.filter((value) => value !== undefined)).toEqual(['state']);
  await a.set(['login'], 'state', { ttlMs });
  await b.delete(['login']);
  expect(await a.take(['login'])).toBeUndefined();
});

/** Publishes until a listener was called: a subscription of a worker begins a little after the call. */
const delivered = (state: StateStore, text: string, listener: Mock): Promise<void> =>
  vi.waitFor(async () => {
    await state.publish('changes', text);
    expect(listener).toHaveBeenCalledWith(text);
  }, 60_000);

it('delivers messages to every process until a listener stops', async () => {
  const store = createMemoryStore();
  const [a, b] = [worker(store).state, worker(store).state];
  const [inPrimary, inA, inB] = [vi.fn(), vi.fn(), vi.fn()];
  store.subscribe('changes', inPrimary);
  a.subscribe('changes', inA);
  const stop = b.subscribe('changes', inB);
  for (const listener of [inPrimary, inA, inB]) await delivered(a, 'first', listener);
  stop();
  await delivered(b, 'second', inA);
  expect(inB).not.toHaveBeenCalledWith('second');
});

it('passes failures of the store on', async () => {
  const { state } = worker({
    ...createMemoryStore(),
    take: () => Promise.reject(new StateStoreError('full', 'The state store is full.')),
  });
  await expect(state.take(['login'])).rejects.toMatchObject({
    name: 'StateStoreError',
    code: 'full',
    message: 'The state store is full.',
  });
  await expect(state.set(['a'], 'x'.repeat(2 ** 21), { ttlMs })).rejects.toMatchObject({
    code: 'full',
  });
});

it('is not available when the primary process has ended', async () => {
  const { state, close } = worker(createMemoryStore());
  close();
  await expect(state.get(['login'])).rejects.toMatchObject({
    name: 'StateStoreError',
    code: 'unavailable',
    message: 'The state store is not available: the primary process did not answer.',
  });
});
