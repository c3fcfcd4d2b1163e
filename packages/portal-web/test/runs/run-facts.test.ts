import { describe, expect, it } from 'vitest';
import {
  computeBar,
  findRunId,
  formatDuration,
  parseRun,
  parseRunPage,
} from '../../src/pages/runs/run-facts.ts';

const STARTED_AT = '2026-01-02T03:04:05.000Z';
const COMPLETED_AT = '2026-01-02T03:04:06.500Z';
const ENDED = { status: 'failed', error: 'step s failed: no' };
const RUN = {
  ...{ execution_id: 'r1', workflow_name: 'a', ...ENDED },
  ...{ started_at: STARTED_AT, completed_at: COMPLETED_AT, duration_ms: 1500 },
};

describe('a list of runs', () => {
  it('has the runs of the page, and the number of all', () => {
    const times = { startedAt: STARTED_AT, completedAt: COMPLETED_AT, durationMs: 1500 };
    expect(parseRunPage({ executions: [RUN], total: 40 })).toEqual({
      total: 40,
      runs: [{ id: 'r1', workflow: 'a', ...ENDED, ...times }],
    });
  });

  it('is empty for any other answer', () => {
    expect(parseRunPage({ executions: 'none' })).toEqual({ runs: [], total: 0 });
  });
});

describe('a run', () => {
  it('has its input, its result and its steps', () => {
    const facts = { iteration: 2, tool: 'x_s', status: 'skipped', input: { a: 1 }, result: null };
    const step = { step_id: 's', started_at: STARTED_AT, duration_ms: 10, ...facts };
    const run = parseRun({ ...RUN, input: { b: 2 }, result: { c: 3 }, steps: [step, 'none'] });
    expect(run).toMatchObject({ input: { b: 2 }, result: { c: 3 }, isTruncated: false });
    expect(run.steps).toEqual([{ id: 's', startedAt: STARTED_AT, durationMs: 10, ...facts }]);
  });

  it('that has not ended has no end and no result', () => {
    const { completed_at: _completed, error: _error, ...started } = RUN;
    const run = parseRun({ ...started, status: 'inprogress', input: {}, steps: [] });
    expect(Object.keys(run)).not.toContain('completedAt');
    expect(Object.keys(run)).not.toContain('result');
    expect(run.status).toBe('inprogress');
  });

  it('says what its record lacks', () => {
    const run = parseRun({ ...RUN, truncated: true, omitted_steps: { completed: 3, skipped: 1 } });
    expect([run.isTruncated, run.omittedSteps]).toEqual([true, 4]);
  });
});

const textItem = (value: unknown) => ({ type: 'text', text: JSON.stringify(value) });

it.each([
  ['in the document', { content: [textItem({ execution_id: 'r1' })] }, 'r1'],
  ['after the document', { content: [textItem([1]), textItem({ execution_id: 'r1' })] }, 'r1'],
  ['in structured content', { structuredContent: { execution_id: 'r1' } }, 'r1'],
  ['no JSON', { content: [{ type: 'text', text: 'no JSON' }, textItem({ id: 1 })] }, undefined],
  ['an error', { isError: true }, undefined],
])('the id of the run of a call: %s', (_place, result, id) => {
  expect(findRunId(result)).toBe(id);
});

const at = (ms: number): string => new Date(ms).toISOString();

describe('the bar of a step', () => {
  const TIMES = { startedAt: at(1_000), durationMs: 200 };

  it.each([
    ['in the middle', at(1_050), 100, { offset: 25, length: 50 }],
    ['of no duration', at(1_100), 0, { offset: 50, length: 0.5 }],
    ['at the end', at(1_200), 0, { offset: 99.5, length: 0.5 }],
    ['before the run', at(0), 20, { offset: 0, length: 10 }],
    ['longer than the run', at(1_100), 900, { offset: 50, length: 50 }],
    ['at a time that cannot be read', 'soon', 100, { offset: 0, length: 50 }],
  ])('%s', (_name, startedAt, durationMs, bar) => {
    expect(computeBar(TIMES, { startedAt, durationMs })).toEqual(bar);
  });

  it('is inside of a run of no duration', () => {
    const { offset, length } = computeBar({ startedAt: at(1), durationMs: 0 }, TIMES);
    expect(offset + length).toBeLessThanOrEqual(100);
  });
});

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_200, '1.2 s'],
  [59_990, '59.9 s'],
  [60_000, '1 min 0 s'],
  [125_400, '2 min 5 s'],
])('a duration of %i ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
