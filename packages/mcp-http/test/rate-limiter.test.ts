import { Session } from 'node:inspector/promises';
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../src/calls/admission.ts';

const start = (limit = {}) => {
  const clock = { ms: 1_000 };
  const limits = { requestsPerSecond: 10, burst: 3, maxCallers: 100, ...limit };
  const limiter = createRateLimiter(limits, () => clock.ms);
  return { clock, take: (caller = 'a', tokens = 1) => limiter.take(caller, tokens) };
};

describe('a token bucket', () => {
  it('admits a burst, then one request for each token that it regains, whatever it refuses between', () => {
    const { clock, take } = start();
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 100]);
    for (let count = 0; count < 1_000; count += 1) take();
    clock.ms += 99;
    expect(take()).toBeCloseTo(1);
    clock.ms += 1;
    expect([take(), take()]).toEqual([0, 100]);
    clock.ms += 3_600_000;
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 100]);
  });

  it('belongs to one caller', () => {
    const { take } = start({ burst: 1 });
    expect([take('a'), take('a'), take('b'), take('__proto__')]).toEqual([0, 100, 0, 0]);
  });

  it('takes several tokens at once, or none of them, and at most all for a request that needs more', () => {
    const { take } = start();
    expect([take('a', 2), take('a', 2), take('a', 1)]).toEqual([0, 100, 0]);
    expect([take('b', 64), take('b')]).toEqual([0, 100]);
  });

  it('forgets the least recently used caller beyond the limit of callers', () => {
    const { take } = start({ burst: 1, maxCallers: 2 });
    take('a');
    take('b');
    take('a');
    take('c');
    expect([take('a'), take('b')]).toEqual([100, 0]);
  });

  it('stores a bounded number of callers', async () => {
    const inspector = new Session();
    inspector.connect();
    const heap = async (): Promise<number> => {
      await inspector.post('HeapProfiler.collectGarbage');
      return process.memoryUsage().heapUsed;
    };
    const { take } = start({ maxCallers: 1_000 });
    const before = await heap();
    for (let caller = 0; caller < 200_000; caller += 1) take(`10.${caller}`);
    const after = await heap();
    inspector.disconnect();
    // So many callers would take 20 MB and more.
    expect(after - before).toBeLessThan(8 * 1024 * 1024);
    expect(take('10.0')).toBe(0);
  });
});
