import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerVerdict, RateWindow } from '../src/calls/request-limits.ts';

describe('a rate of 3 calls in 60 s', () => {
  const rate = { calls: 3, windowMs: 60_000 };
  const withCalls = (...times: readonly number[]): RateWindow => {
    const window = new RateWindow();
    for (const time of times) window.add(time, rate);
    return window;
  };

  it('allows calls until there are 3 in the last 60 s', () => {
    expect(withCalls(0, 10_000).findWait(20_000, rate)).toBe(0);
    expect(withCalls(0, 10_000, 20_000).findWait(20_000, rate)).toBe(40_000);
  });

  it('allows the next call when the first of them is 60 s ago', () => {
    const window = withCalls(0, 10_000, 20_000);
    expect(window.findWait(59_999, rate)).toBe(1);
    expect(window.findWait(60_000, rate)).toBe(0);
    window.add(60_000, rate);
    expect(window.findWait(60_000, rate)).toBe(10_000);
  });

  it('that is lowered waits until few enough are left', () => {
    expect(withCalls(0, 10_000, 20_000).findWait(30_000, { ...rate, calls: 1 })).toBe(50_000);
    expect(withCalls(0, 10_000, 20_000).findWait(30_000, { ...rate, calls: 4 })).toBe(0);
  });
});

it('no period has more calls than the rate, and each wait ends with an allowed call', () => {
  const rates = fc.record({
    calls: fc.integer({ min: 1, max: 20 }),
    windowMs: fc.integer({ min: 1_000, max: 60_000 }),
  });
  const pauses = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(rates, pauses, (rate, waits) => {
      const window = new RateWindow();
      const allowed: number[] = [];
      let now = 0;
      for (const pause of waits) {
        now += pause;
        const wait = window.findWait(now, rate);
        expect(wait).toBeLessThanOrEqual(rate.windowMs);
        if (wait > 0) now += wait;
        expect(window.findWait(now, rate)).toBe(0);
        window.add(now, rate);
        allowed.push(now);
        expect(allowed.filter((at) => at > now - rate.windowMs).length).toBeLessThanOrEqual(
          rate.calls,
        );
      }
    }),
  );
});

it('a caller that uses all of a rate has at least 64 of 65 parts of it', () => {
  const rate = { calls: 1_000, windowMs: 60_000 };
  const window = new RateWindow();
  let calls = 0;
  for (let now = 0; now < 600_000; now += 10)
    if (window.findWait(now, rate) === 0) {
      window.add(now, rate);
      calls += 1;
    }
  expect(calls).toBeLessThanOrEqual(10_000);
  expect(calls).toBeGreaterThanOrEqual((10_000 * 64) / 65);
});

const POLICY = { failures: 2, openMs: 30_000 };

/** A breaker that sends calls which end at once. */
const start = (...verdicts: readonly BreakerVerdict[]) => {
  const breaker = new Breaker();
  const call = (verdict: BreakerVerdict, now = 0) =>
    breaker.end(breaker.begin(), verdict, now, POLICY);
  return { breaker, call, changes: verdicts.map((verdict) => call(verdict)) };
};

describe('a breaker of 2 failures and 30 s', () => {
  it('opens after 2 failures in a row', () => {
    const { breaker, changes } = start('failed', 'failed');
    expect([changes, breaker.state]).toEqual([
      [undefined, 'opened'],
      { kind: 'open', until: 30_000 },
    ]);
  });

  it('stays closed when the server answers between failures', () => {
    expect(start('failed', 'answered', 'failed').breaker.state).toEqual({
      kind: 'closed',
      failures: 1,
    });
  });

  it('does not count calls that say nothing about the server', () => {
    expect(start('failed', 'neither', 'failed').breaker.state.kind).toBe('open');
    expect(start('neither', 'neither', 'neither').breaker.state).toEqual({
      kind: 'closed',
      failures: 0,
    });
  });

  it('admits one call after 30 s, and no other while it runs', () => {
    const { breaker } = start('failed', 'failed');
    expect([breaker.admits(29_999), breaker.admits(30_000)]).toEqual([false, true]);
    breaker.begin();
    expect([breaker.state, breaker.admits(99_999)]).toEqual([{ kind: 'half-open' }, false]);
  });

  it('closes when the trial call is answered', () => {
    const { breaker, call } = start('failed', 'failed');
    expect(call('answered', 30_000)).toBe('closed');
    expect([breaker.state, breaker.admits(30_000)]).toEqual([
      { kind: 'closed', failures: 0 },
      true,
    ]);
  });

  it('stays open for another 30 s when the trial call fails', () => {
    const { breaker, call } = start('failed', 'failed');
    expect(call('failed', 31_000)).toBeUndefined();
    expect(breaker.state).toEqual({ kind: 'open', until: 61_000 });
  });

  it('admits the next trial call at once when the caller of the first cancelled it', () => {
    const { breaker, call } = start('failed', 'failed');
    expect(call('neither', 31_000)).toBeUndefined();
    expect([breaker.state.kind, breaker.admits(31_000)]).toEqual(['open', true]);
  });

  it('ignores calls that began before it opened', () => {
    const { breaker, call } = start();
    const early = [breaker.begin(), breaker.begin()];
    call('failed');
    call('failed');
    const [first = 0, second = 0] = early;
    expect(breaker.end(first, 'answered', 0, POLICY)).toBeUndefined();
    expect(breaker.state).toEqual({ kind: 'open', until: 30_000 });
    breaker.begin();
    expect(breaker.end(second, 'answered', 30_000, POLICY)).toBeUndefined();
    expect(breaker.state).toEqual({ kind: 'half-open' });
  });
});

it('a breaker opens and closes in turn, and has one trial call at a time', () => {
  const action = fc.record({
    verdict: fc.constantFrom<BreakerVerdict>('answered', 'failed', 'neither'),
    pauseMs: fc.integer({ min: 0, max: 20_000 }),
    overlaps: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 100 }), (actions) => {
      const breaker = new Breaker();
      const running: number[] = [];
      const changes: string[] = [];
      let now = 0;
      const end = (verdict: BreakerVerdict): void => {
        const change = breaker.end(running.shift() ?? -1, verdict, now, POLICY);
        if (change !== undefined) changes.push(change);
      };
      for (const { verdict, pauseMs, overlaps } of actions) {
        now += pauseMs;
        const wasClosed = breaker.state.kind === 'closed';
        if (breaker.admits(now)) {
          running.push(breaker.begin());
          if (!wasClosed) expect(breaker.admits(now)).toBe(false);
        }
        if (!overlaps) end(verdict);
      }
      expect(changes.filter((change, at) => change === changes[at - 1])).toEqual([]);
      while (running.length > 0) end('failed');
      expect(breaker.state.kind).not.toBe('half-open');
      if (breaker.state.kind === 'open') expect(breaker.admits(breaker.state.until)).toBe(true);
    }),
  );
});
