import { describe, expect, it } from 'vitest';
import { computeBar, formatDuration } from '../../src/pages/runs/run-facts.ts';

const at = (ms: number): string => new Date(ms).toISOString();

const RUN = { startedAt: at(1_000), durationMs: 200 };

describe('the bar of a step', () => {
  it.each([
    ['in the middle', { startedAt: at(1_050), durationMs: 100 }, { offset: 25, length: 50 }],
    ['of no duration', { startedAt: at(1_100), durationMs: 0 }, { offset: 50, length: 0.5 }],
    ['at the end', { startedAt: at(1_200), durationMs: 0 }, { offset: 99.5, length: 0.5 }],
    ['before the run', { startedAt: at(0), durationMs: 20 }, { offset: 0, length: 10 }],
    ['longer than the run', { startedAt: at(1_100), durationMs: 900 }, { offset: 50, length: 50 }],
  ])('%s', (_name, step, bar) => {
    expect(computeBar(RUN, step)).toEqual(bar);
  });

  it('begins with the run when its time cannot be read', () => {
    expect(computeBar(RUN, { startedAt: 'soon', durationMs: 100 })).toEqual({
      offset: 0,
      length: 50,
    });
  });

  it('is inside of a run of no duration', () => {
    const { offset, length } = computeBar({ startedAt: at(1), durationMs: 0 }, RUN);
    expect(offset + length).toBeLessThanOrEqual(100);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_200, '1.2 s'],
    [59_990, '59.9 s'],
    [60_000, '1 min 0 s'],
    [125_400, '2 min 5 s'],
  ])('of %i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
