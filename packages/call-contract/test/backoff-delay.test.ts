import { describe, expect, it } from 'vitest';
import { computeBackoffDelay } from '../src/index.ts';

const delays = { firstMs: 100, maxMs: 1_000 };

describe('the delay before an attempt', () => {
  it('doubles up to the longest one', () => {
    expect([0, 1, 2, 3, 4, 2_000].map((attempt) => computeBackoffDelay(attempt, delays))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
  });

  it('is the first one before all others', () => {
    expect(computeBackoffDelay(-1, delays)).toBe(100);
  });

  it('lies in its random part', () => {
    const jittered = { ...delays, jitter: 0.5 };
    expect([0, 0.25, 0.999].map((random) => computeBackoffDelay(1, jittered, random))).toEqual([
      100, 125, 200,
    ]);
  });
});
