import { describe, expect, it } from 'vitest';
// The programs of chaos are plain JavaScript.
// @ts-expect-error -- it has no declarations
import { Failures } from '../chaos/failures.mjs';
// @ts-expect-error -- it has no declarations
import { growthOf } from '../chaos/growth.mjs';
// @ts-expect-error -- it has no declarations
import { Outages } from '../chaos/outages.mjs';

interface OutagesOf {
  readonly begin: (what: string) => (graceMs?: number) => void;
}
interface FailuresOf {
  readonly excused: Readonly<Record<string, number>>;
  readonly unexcused: number;
  readonly examples: readonly string[];
  readonly count: (
    request: { kind: string; from: number; needs?: readonly string[] },
    error: { message: string; target?: string },
  ) => void;
}
interface Growth {
  readonly replica: string;
  readonly title: string;
  readonly grows: boolean;
}

const outagesOf = Outages as new () => OutagesOf;
const failuresOf = Failures as new (outages: OutagesOf) => FailuresOf;
const growth = growthOf as (samples: readonly object[], seconds: number) => readonly Growth[];

const opened = () => {
  const outages = new outagesOf();
  return { outages, failures: new failuresOf(outages) };
};

const error = { message: 'it failed', target: '1001' };

describe('a failed request', () => {
  it('is excused when what it needs was away while it ran', () => {
    const { outages, failures } = opened();
    const from = performance.now();
    outages.begin('server shaken')();
    failures.count({ kind: 'calls', from, needs: ['server shaken'] }, error);
    expect([failures.excused, failures.unexcused]).toEqual([{ server: 1 }, 0]);
  });

  it('is excused when its replica was killed while it ran, and not when another one was', () => {
    const { outages, failures } = opened();
    const from = performance.now();
    outages.begin('replica 1001')();
    failures.count({ kind: 'calls', from }, error);
    failures.count({ kind: 'calls', from }, { ...error, target: '1002' });
    expect([failures.excused, failures.unexcused]).toEqual([{ replica: 1 }, 1]);
  });

  it('is not excused by an outage that had ended before it was sent', () => {
    const { outages, failures } = opened();
    outages.begin('server shaken')(-1);
    failures.count({ kind: 'calls', from: performance.now(), needs: ['server shaken'] }, error);
    expect(failures.unexcused).toBe(1);
    expect(failures.examples[0]).toContain('it failed');
  });

  it('is not excused by an outage of something that it does not need', () => {
    const { outages, failures } = opened();
    outages.begin('api');
    failures.count({ kind: 'calls', from: performance.now() }, error);
    expect(failures.unexcused).toBe(1);
  });
});

const SAMPLE = { heapMb: 50, rssMb: 150, descriptors: 90, processes: 6, files: 4 };

/** Ten minutes of samples, in which `key` rises by `rise`. */
const samples = (key: keyof typeof SAMPLE, rise: number) =>
  Array.from({ length: 40 }, (_, at) => {
    const second = (at + 1) * 15;
    const risen = { ...SAMPLE, [key]: SAMPLE[key] + (rise * at) / 40 };
    return { second, redisKeys: 60, replicas: [{ second, replica: 'one', ...risen }] };
  });

describe('the growth of a replica', () => {
  it.each([
    ['heapMb', 30, 'heap after collection, MB'],
    ['rssMb', 120, 'RSS, MB'],
    ['descriptors', 160, 'file descriptors'],
    ['processes', 5, 'child processes'],
    ['files', 40, 'files of the directory'],
  ] as const)('is seen when %s rises by %d', (key, rise, title) => {
    const grown = (by: number) =>
      growth(samples(key, by), 600)
        .filter(({ grows }) => grows)
        .map((one) => one.title);
    expect([grown(0), grown(rise)]).toEqual([[], [title]]);
  });

  it('counts the keys of Redis', () => {
    const rising = samples('heapMb', 0).map((sample, at) => ({ ...sample, redisKeys: at * 10 }));
    const last = growth(rising, 600).at(-1);
    expect(last).toMatchObject({ replica: 'Redis', grows: true });
  });
});
