import { createMemoryStore } from '@gateway/state-store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AttemptLimit } from '../../src/sign-in/server-sign-in.ts';

/** A store, and the limits of two processes that share it. */
const processes = () => {
  const clock = { now: 0 };
  const now = (): number => clock.now;
  const store = createMemoryStore({ now });
  onTestFinished(() => store.close());
  const [first, second] = [0, 1].map(() => new AttemptLimit({ store, now })) as [
    AttemptLimit,
    AttemptLimit,
  ];
  return { clock, store, first, second };
};

const take = async (limit: AttemptLimit, key: string, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) await limit.take(key);
};

describe('the limit of sign-ins', () => {
  it('allows a user 10 attempts in a minute', async () => {
    const { first } = processes();
    await take(first, 'ada', 9);
    expect(await first.take('ada')).toEqual({ ok: true });
    expect(await first.take('ada')).toEqual({
      ok: false,
      limit: 10,
      remaining: 0,
      retryAfterSeconds: 60,
    });
    expect(await first.take('ben')).toEqual({ ok: true });
  });

  it('counts the attempts at all processes together', async () => {
    const { first, second } = processes();
    const attempts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? first : second).take('ada')),
    );
    expect(attempts.filter(({ ok }) => ok)).toHaveLength(10);
    await second.reset('ada');
    expect(await first.take('ada')).toEqual({ ok: true });
  });

  it('allows the next attempt a minute after the first', async () => {
    const { first, clock } = processes();
    await first.take('ada');
    clock.now = 30_000;
    await take(first, 'ada', 9);
    expect(await first.take('ada')).toMatchObject({ ok: false, retryAfterSeconds: 30 });
    clock.now = 60_001;
    expect(await first.take('ada')).toEqual({ ok: true });
    expect(await first.take('ada')).toMatchObject({ ok: false });
  });

  it('begins again after a success', async () => {
    const { first } = processes();
    await take(first, 'ada', 11);
    await first.reset('ada');
    expect(await first.take('ada')).toEqual({ ok: true });
  });

  it('does not refuse a sign-in while the store is away, which the sign-in reports', async () => {
    const { store, first } = processes();
    await take(first, 'ada', 11);
    await store.close();
    await first.reset('ada');
    expect(await first.take('ada')).toEqual({ ok: true });
  });
});
