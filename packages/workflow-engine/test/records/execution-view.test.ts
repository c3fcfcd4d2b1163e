import type { ExecutionRecord, StepRecord } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { toExecutionList, toExecutionView, formatError } from '../../src/index.ts';
import { runRecord, stepRecord } from './builders.ts';

const step = (step_id: string, more: Partial<StepRecord> = {}) => stepRecord({ step_id, ...more });
const failedStep = step('push', { status: 'failed', error: 'no' });

const { input: _input, steps: _steps, ...head } = runRecord({ status: 'failed' });
const record: ExecutionRecord = {
  ...head,
  input: { repo: 'x' },
  result: {
    execution_id: 'run-1',
    steps: [{ id: 'log' }],
    template_vars: ['input.repo'],
    error: 'no',
  },
  error: 'no',
  steps: [step('log'), step('get', { iteration: 0 }), step('get', { iteration: 1 }), failedStep],
};

describe('the view of a record', () => {
  it('is the whole record with steps', () => {
    expect(toExecutionView(record, { includeSteps: true })).toEqual({ ok: true, value: record });
  });

  it('says nothing of steps without them, in its result neither', () => {
    const omitted_steps = { completed: 1, failed: 0, skipped: 0 };
    const answer = toExecutionView({ ...record, omitted_steps }, { includeSteps: false });
    expect(answer).toEqual({
      ok: true,
      value: {
        ...head,
        input: { repo: 'x' },
        result: { execution_id: 'run-1', error: 'no' },
        error: 'no',
      },
    });
    expect(JSON.stringify(answer)).not.toContain('steps');
  });

  it('keeps a result that is no object', () => {
    const of = { ...record, result: [1] };
    expect(toExecutionView(of, { includeSteps: false })).toMatchObject({ value: { result: [1] } });
    const { result: _result, ...without } = record;
    const answer = toExecutionView(without, { includeSteps: false });
    expect(answer.ok && Object.keys(answer.value)).not.toContain('result');
  });

  it('is one step alone, in every iteration', () => {
    for (const includeSteps of [true, false]) {
      expect(toExecutionView(record, { includeSteps, stepId: 'get' })).toEqual({
        ok: true,
        value: { ...head, input: {}, steps: [record.steps[1], record.steps[2]] },
      });
    }
  });

  it('has arguments and error of the run with the step that failed', () => {
    expect(toExecutionView(record, { includeSteps: true, stepId: 'push' })).toEqual({
      ok: true,
      value: { ...head, input: { repo: 'x' }, error: 'no', steps: [failedStep] },
    });
  });

  it('is refused for a step that is not there', () => {
    for (const stepId of ['pull', '', 'constructor']) {
      expect(toExecutionView(record, { includeSteps: true, stepId })).toEqual({
        ok: false,
        error: { code: 'execution.unknown-step', id: 'run-1', step: stepId },
      });
    }
  });

  it('names a run that nobody remembers', () => {
    expect(formatError({ code: 'execution.unknown', id: 'run-9' })).toBe(
      'Failed to get execution: execution run-9 not found',
    );
  });
});

describe('the view of a page', () => {
  const summary = { ...head, status: 'failed', step_count: 4 } as const;

  it('says whether there is more', () => {
    const page = { executions: [summary], total: 3 };
    expect(toExecutionList(page, { limit: 1, offset: 1 })).toEqual({
      executions: [summary],
      total: 3,
      limit: 1,
      offset: 1,
      has_more: true,
    });
    expect(toExecutionList(page, { limit: 1, offset: 2 })['has_more']).toBe(false);
    expect(toExecutionList({ executions: [], total: 3 }, { limit: 5, offset: 9 })['has_more']).toBe(
      false,
    );
  });
});
