import { describe, expect, it } from 'vitest';
import { AttemptLimit } from '../../src/sign-in/attempt-limit.ts';

const take = (limit: AttemptLimit, key: string, times: number): void => {
  for (let time = 0; time < times; time += 1) limit.take(key);
};

describe('the limit of sign-ins', () => {
  it('allows a person 10 attempts in a minute', () => {
    const limit = new AttemptLimit(() => 0);
    take(limit, 'ada', 9);
    expect(limit.take('ada')).toEqual({ ok: true });
    expect(limit.take('ada')).toEqual({
      ok: false,
      limit: 10,
      remaining: 0,
      retryAfterSeconds: 60,
    });
    expect(limit.take('ben')).toEqual({ ok: true });
  });

  it('allows the next attempt a minute after the first', () => {
    let now = 0;
    const limit = new AttemptLimit(() => now);
    limit.take('ada');
    now = 30_000;
    take(limit, 'ada', 9);
    expect(limit.take('ada')).toMatchObject({ ok: false, retryAfterSeconds: 30 });
    now = 60_000;
    expect(limit.take('ada')).toEqual({ ok: true });
    expect(limit.take('ada')).toMatchObject({ ok: false });
  });

  it('begins again after a success', () => {
    const limit = new AttemptLimit(() => 0);
    take(limit, 'ada', 11);
    limit.reset('ada');
    expect(limit.take('ada')).toEqual({ ok: true });
  });
});
