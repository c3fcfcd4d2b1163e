import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  toExecutionSpec,
  parseExecution,
  type ExecutionRecord,
  type JsonMap,
} from '../../../src/index.ts';

const times = { started_at: '2026-11-21T12:00:00.000Z', completed_at: '2026-11-21T12:00:00.012Z' };

const record: ExecutionRecord = {
  execution_id: '0b1c',
  workflow_name: 'sync',
  started_by: { issuer: 'https://id.example', subject: 'ann' },
  status: 'failed',
  ...times,
  duration_ms: 12,
  input: { big: 1e21, none: null, '<<': 'x' },
  result: null,
  error: 'step get failed: no',
  steps: [
    {
      step_id: 'get',
      iteration: 0,
      tool: 'x_get',
      status: 'failed',
      ...times,
      duration_ms: 12,
      input: {},
      error: 'no',
      stored_as: 'get_0',
    },
  ],
  truncated: true,
  omitted_steps: { completed: 3, failed: 0, skipped: 1 },
};

describe('the object of a run', () => {
  it('has readable facts, and payloads as JSON texts', () => {
    const ran = { startedAt: times.started_at, completedAt: times.completed_at, durationMs: 12 };
    const step = { stepId: 'get', iteration: 0, tool: 'x_get', status: 'failed', ...ran };
    expect(toExecutionSpec(record)).toEqual({
      workflowName: 'sync',
      startedBy: { issuer: 'https://id.example', subject: 'ann' },
      status: 'failed',
      ...ran,
      input: '{"big":1e+21,"none":null,"<<":"x"}',
      result: 'null',
      error: 'step get failed: no',
      steps: [{ ...step, input: '{}', error: 'no', storedAs: 'get_0' }],
      truncated: true,
      omittedSteps: { completed: 3, failed: 0, skipped: 1 },
    });
  });

  it('is read back as the record', () => {
    expect(parseExecution('0b1c', toExecutionSpec(record))).toEqual({ ok: true, value: record });
  });

  it('is read back with any arguments, result and error', () => {
    const json = fc.jsonValue();
    const payloads = fc.record({
      input: fc.dictionary(fc.string({ unit: 'binary' }), json),
      result: json,
      error: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(payloads, ({ input, result, error }) => {
        const given = JSON.parse(
          JSON.stringify({ ...record, input: input as JsonMap, result, error }),
        ) as ExecutionRecord;
        const stored = JSON.parse(JSON.stringify(toExecutionSpec(given))) as unknown;
        expect(parseExecution('0b1c', stored)).toEqual({ ok: true, value: given });
      }),
    );
  });

  it('has U+FFFD for half a surrogate pair, which UTF-8 cannot express', () => {
    expect(toExecutionSpec({ ...record, error: 'a\ud83d' })['error']).toBe('a\ufffd');
  });

  it.each([
    ['nothing', undefined],
    ['a list', []],
    ['no steps', { ...toExecutionSpec(record), steps: undefined }],
    ['a payload that is not JSON', { ...toExecutionSpec(record), input: '{' }],
    ['a payload that is not text', { ...toExecutionSpec(record), input: {} }],
    ['another state', { ...toExecutionSpec(record), status: 'done' }],
  ])('is none with %s', (_title, spec) => {
    expect(parseExecution('0b1c', spec).ok).toBe(false);
  });
});
