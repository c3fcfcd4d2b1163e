import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedCount } from '../src/event-ring.ts';

const report = (origin: string, count: number, lastAt: number, firstAt = 0) => ({
  ...{ origin, count, lastAt, firstAt },
});

describe('the count of an event in several processes', () => {
  it('counts once what all observe within 10 seconds', () => {
    const counts = new SharedCount(true);
    expect(counts.addOwn(1_000)).toBe(1);
    expect(counts.add(report('b', 1, 3_000))).toBe(1);
    expect(counts.add(report('c', 1, 9_000))).toBe(1);
  });

  it('counts what one observes later', () => {
    const counts = new SharedCount(true);
    counts.addOwn(1_000);
    expect(counts.add(report('b', 1, 12_000))).toBe(2);
    expect(counts.addOwn(12_500)).toBe(2);
    expect(counts.addOwn(13_000)).toBe(3);
  });

  it('counts each occurrence that a request causes', () => {
    const counts = new SharedCount(false);
    expect(counts.addOwn(1_000)).toBe(1);
    expect(counts.add(report('b', 2, 1_000))).toBe(3);
    expect(counts.addOwn(1_000)).toBe(4);
  });

  it('counts only what is new in a report', () => {
    const counts = new SharedCount(false);
    expect(counts.add(report('b', 2, 1_000))).toBe(2);
    expect(counts.add(report('b', 2, 1_000))).toBe(2);
    expect(counts.add(report('b', 1, 900))).toBe(2);
    expect(counts.add(report('b', 3, 2_000))).toBe(3);
    // The process has begun to count again.
    expect(counts.add(report('b', 1, 700_000, 700_000))).toBe(4);
  });

  it('knows the reports of the last time window in the next one', () => {
    const counts = new SharedCount(false);
    counts.add(report('b', 5, 1_000));
    expect(counts.next().add(report('b', 6, 2_000))).toBe(1);
  });

  it('does not depend on repetitions', () => {
    const reports = fc.array(
      fc.record({ origin: fc.constantFrom('a', 'b', 'c'), step: fc.nat(20_000) }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(reports, fc.boolean(), (steps, isObservedByAll) => {
        const [once, twice] = [new SharedCount(isObservedByAll), new SharedCount(isObservedByAll)];
        const counts = new Map<string, number>();
        let at = 0;
        for (const { origin, step } of steps) {
          at += step;
          const count = (counts.get(origin) ?? 0) + 1;
          counts.set(origin, count);
          const shown = once.add(report(origin, count, at));
          twice.add(report(origin, count, at));
          expect(twice.add(report(origin, count, at))).toBe(shown);
        }
      }),
    );
  });
});
