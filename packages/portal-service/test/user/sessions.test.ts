import { createMemoryStore, type StateStore } from '@gateway/state-store';
import { describe, expect, it } from 'vitest';
import { createCurrentSession } from '../../src/user/current-session.ts';
import { createSessions } from '../../src/user/sessions.ts';
import type { SignedInSession } from '../../src/user/sessions.ts';

const SESSION: SignedInSession = {
  ...{ subject: 'alice', name: 'Alice', token: 'first', refreshToken: 'r1' },
  expiresAt: 0,
};

/** A store in which a session ends directly before its next write. */
const endingBeforeWrite = (store: StateStore): StateStore => ({
  ...store,
  replace: async (key, value, lifetime) => {
    await store.delete(key);
    return store.replace(key, value, lifetime);
  },
});

describe('a refresh', () => {
  it('keeps its lock longer than the requests to the provider take', async () => {
    const clock = { now: 0 };
    const sessions = createSessions(createMemoryStore({ now: () => clock.now }));
    expect(await sessions.lock('id')).toBeDefined();
    clock.now = 22_000;
    expect(await sessions.lock('id')).toBeUndefined();
    clock.now = 60_000;
    expect(await sessions.lock('id')).toBeDefined();
  });

  it('does not revive a session that ends directly before its new token is stored, and revokes that', async () => {
    const store = createMemoryStore();
    await createSessions(store).begin('id', SESSION, 'alice');
    const sessions = createSessions(endingBeforeWrite(store));
    const revoked: unknown[] = [];
    const current = createCurrentSession({
      sessions,
      provider: {
        refresh: (session) => Promise.resolve({ ...session, refreshToken: 'r2', expiresAt: 1e9 }),
        revoke: ({ refreshToken }) => Promise.resolve(void revoked.push(refreshToken)),
      },
      now: () => 0,
    });
    expect(await current('id')).toBeUndefined();
    expect(await sessions.read('id')).toBeUndefined();
    expect(revoked).toEqual(['r2']);
  });

  it('stores its new token in a session that has not ended', async () => {
    const sessions = createSessions(createMemoryStore());
    await sessions.begin('id', SESSION, 'alice');
    const refresh = (session: SignedInSession) =>
      Promise.resolve({ ...session, token: 'second', expiresAt: 1e9 });
    const provider = { refresh, revoke: () => Promise.resolve() };
    await createCurrentSession({ sessions, provider, now: () => 0 })('id');
    expect(await sessions.read('id')).toMatchObject({ token: 'second' });
  });
});

describe('the sessions of a user', () => {
  const beginAll = async (sessions: ReturnType<typeof createSessions>, ids: readonly string[]) => {
    const ended: (string | undefined)[] = [];
    for (const id of ids) {
      const excess = await sessions.begin(id, { ...SESSION, refreshToken: id }, 'alice');
      ended.push(...excess.map(({ refreshToken }) => refreshToken));
    }
    return ended;
  };
  const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `session ${at}`);

  it('are 32 at most: the oldest ends, and other users keep theirs', async () => {
    const sessions = createSessions(createMemoryStore());
    await sessions.begin('of bob', SESSION, 'bob');
    expect(await beginAll(sessions, idsOf(34))).toEqual(['session 0', 'session 1']);
    const read = await Promise.all(idsOf(34).map((id) => sessions.read(id)));
    expect(read.map((session) => session !== undefined)).toEqual([
      ...[false, false],
      ...Array.from({ length: 32 }, () => true),
    ]);
    expect(await sessions.read('of bob')).toBeDefined();
  });

  it('that have ended are not counted', async () => {
    const sessions = createSessions(createMemoryStore());
    await beginAll(sessions, ['kept']);
    for (const id of idsOf(60)) {
      expect(await beginAll(sessions, [id])).toEqual([]);
      await sessions.end(id);
    }
    expect(await sessions.read('kept')).toBeDefined();
  });

  it('that begin at the same time are counted', async () => {
    const sessions = createSessions(createMemoryStore());
    await beginAll(sessions, idsOf(32));
    const more = Array.from({ length: 8 }, (_, at) => `more ${at}`);
    const excess = await Promise.all(more.map((id) => sessions.begin(id, SESSION, 'alice')));
    expect(excess.flat()).toHaveLength(8);
  });
});
