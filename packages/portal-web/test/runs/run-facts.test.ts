import { describe, expect, it } from 'vitest';
import { findRunId, parseRun, parseRunPage } from '../../src/pages/runs/run-facts.ts';

const RUN = {
  execution_id: 'r1',
  workflow_name: 'a',
  status: 'failed',
  started_at: '2026-01-02T03:04:05.000Z',
  completed_at: '2026-01-02T03:04:06.500Z',
  duration_ms: 1500,
  error: 'step s failed: no',
};

describe('a list of runs', () => {
  it('has the runs of the page, and the number of all', () => {
    expect(parseRunPage({ executions: [RUN], total: 40 })).toEqual({
      total: 40,
      runs: [
        {
          id: 'r1',
          workflow: 'a',
          status: 'failed',
          startedAt: '2026-01-02T03:04:05.000Z',
          completedAt: '2026-01-02T03:04:06.500Z',
          durationMs: 1500,
          error: 'step s failed: no',
        },
      ],
    });
  });

  it('is empty for any other answer', () => {
    expect(parseRunPage({ executions: 'none' })).toEqual({ runs: [], total: 0 });
  });
});

describe('a run', () => {
  it('has its input, its result and its steps', () => {
    const step = {
      step_id: 's',
      iteration: 2,
      tool: 'x_s',
      status: 'skipped',
      started_at: '2026-01-02T03:04:05.100Z',
      duration_ms: 10,
      input: { a: 1 },
      result: null,
    };
    const run = parseRun({ ...RUN, input: { b: 2 }, result: { c: 3 }, steps: [step, 'none'] });
    expect(run).toMatchObject({ input: { b: 2 }, result: { c: 3 }, isTruncated: false });
    expect(run.steps).toEqual([
      {
        id: 's',
        iteration: 2,
        tool: 'x_s',
        status: 'skipped',
        startedAt: '2026-01-02T03:04:05.100Z',
        durationMs: 10,
        input: { a: 1 },
        result: null,
      },
    ]);
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

describe('the id of the run of a call', () => {
  it.each([
    ['the document', { content: [textItem({ execution_id: 'r1' })] }],
    ['an item after the document', { content: [textItem([1]), textItem({ execution_id: 'r1' })] }],
    ['structured content', { structuredContent: { execution_id: 'r1' } }],
  ])('is in %s', (_place, result) => {
    expect(findRunId(result)).toBe('r1');
  });

  it('is unknown for a result that is no run', () => {
    expect(findRunId({ content: [{ type: 'text', text: 'no JSON' }, textItem({ id: 1 })] })).toBe(
      undefined,
    );
    expect(findRunId({ isError: true })).toBe(undefined);
  });
});
