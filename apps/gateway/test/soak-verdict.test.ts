import { describe, expect, it } from 'vitest';
// The programs of the soak are plain JavaScript.
// @ts-expect-error -- it has no declarations
import { soakVerdict } from '../soak/verdict.mjs';
// @ts-expect-error -- it has no declarations
import { trendOf } from '../soak/trend.mjs';

interface Verdict {
  readonly passed: boolean;
  readonly problems: readonly string[];
}
const judge = soakVerdict as (samples: readonly object[], counts: object) => Verdict;
const trend = trendOf as (points: readonly (readonly number[])[]) => {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
};

const CONSTANT = {
  heapMb: 40,
  rssMb: 120,
  descriptors: 30,
  timers: 100,
  processes: 4,
  stateFiles: 60,
  stateMb: 0.5,
  logMb: 12,
};
const SERVED = { requests: { steps: 10_000, failures: 10 } };

/** Half an hour of samples. Quantities go up and down by less than their noise, and `key` rises by `rise` over the run. */
const samples = (key: keyof typeof CONSTANT = 'heapMb', rise = 0) =>
  Array.from({ length: 120 }, (_, at) => ({
    ...CONSTANT,
    second: (at + 1) * 15,
    rssMb: CONSTANT.rssMb + ((at * 7) % 5),
    timers: CONSTANT.timers + ((at * 11) % 7),
    [key]: CONSTANT[key] + (rise * at) / 120 + ((at * 7) % 5) / 10,
  }));

describe('the verdict of a soak', () => {
  it('passes a gateway whose figures go up and down', () => {
    expect(judge(samples(), SERVED)).toMatchObject({ passed: true, problems: [] });
  });

  it.each([
    ['heapMb', 4, 'heap after collection, MB grows'],
    ['rssMb', 40, 'floor of RSS, MB grows'],
    ['descriptors', 10, 'file descriptors grows'],
    ['timers', 200, 'timers grows'],
    ['processes', 2, 'processes grows'],
    ['stateFiles', 20, 'files of the state directory grows'],
    ['stateMb', 1, 'size of the state directory without event logs, MB grows'],
  ] as const)('fails when %s rises by %d', (key, rise, problem) => {
    expect(judge(samples(key, rise), SERVED)).toMatchObject({ passed: false, problems: [problem] });
  });

  it('fails when the event logs exceed their limit', () => {
    const large = samples().map((sample) => ({ ...sample, logMb: 14 }));
    expect(judge(large, SERVED).problems).toEqual(['the event logs occupy 14.0 MB']);
  });

  it('does not count what rises during the warm-up alone', () => {
    const warming = samples().map((sample, at) => ({ ...sample, heapMb: at < 25 ? at : 40 }));
    expect(judge(warming, SERVED).problems).toEqual([]);
  });

  it('fails when more than one in a thousand requests fails', () => {
    const counts = { requests: { steps: 10_000, failures: 11 } };
    expect(judge(samples(), counts).problems).toEqual(['11 of 10000 requests failed']);
  });
});

describe('the trend of a series', () => {
  it('is the slope of a line, whatever single samples say', () => {
    const line = Array.from({ length: 20 }, (_, x) => [x, x === 7 ? 1_000 : 2 * x]);
    expect(trend(line).slope).toBeCloseTo(2);
  });

  it('is zero within its interval for values without a trend', () => {
    const values = Array.from({ length: 40 }, (_, x) => [x, (x * 17) % 11]);
    const { low, high } = trend(values);
    expect([low < 0, high > 0]).toEqual([true, true]);
  });
});
