import { describe, expect, it } from 'vitest';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { SessionStore } from '../src/sessions/session-store.ts';

const storeAt = (clock: { now: number }): SessionStore =>
  new SessionStore(
    { ...DEFAULT_MCP_HTTP_LIMITS, maxSessions: 3, sessionIdleMs: 100, sessionRestMs: 0 },
    () => clock.now,
  );

describe('the store of sessions', () => {
  it('finds a session by its id and by nothing else', () => {
    const store = storeAt({ now: 0 });
    const session = store.create('2025-11-25');
    expect(store.use(session?.id ?? '')).toBe(session);
    for (const id of ['', '__proto__', 'constructor']) expect(store.use(id)).toBeUndefined();
  });

  it('ends sessions that were idle for the whole time, and retains those in use', () => {
    const clock = { now: 0 };
    const store = storeAt(clock);
    const idle = store.create('2025-11-25');
    const used = store.create('2025-11-25');
    clock.now = 60;
    store.use(used?.id ?? '');
    clock.now = 100;
    for (const session of store.listExpired()) store.end(session);
    expect([...store.list()]).toEqual([used]);
    expect(store.use(idle?.id ?? '')).toBeUndefined();
  });

  it('never exceeds its number of sessions', () => {
    const store = storeAt({ now: 0 });
    for (let at = 0; at < 50; at += 1) store.create('2025-11-25');
    expect(store.size).toBe(3);
  });
});
