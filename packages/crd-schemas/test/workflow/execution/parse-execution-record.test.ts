import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EXECUTION_STATUSES,
  parseExecutionRecord,
  formatError,
  type ExecutionRecord,
} from '../../../src/index.ts';

const step = {
  step_id: 'get',
  iteration: 0,
  tool: 'x_k8s_get',
  status: 'completed',
  started_at: '2026-11-21T12:00:00.000Z',
  completed_at: '2026-11-21T12:00:00.012Z',
  duration_ms: 12.5,
  input: { name: 'a' },
  result: null,
  stored_as: 'get_0',
} as const;

const record: ExecutionRecord = {
  execution_id: '0b1c',
  workflow_name: 'sync',
  status: 'failed',
  started_at: '2026-11-21T12:00:00Z',
  completed_at: '2026-11-21T12:00:01Z',
  duration_ms: 1000,
  input: {},
  result: [{ a: 1 }],
  error: 'step get failed: no',
  steps: [step, { ...step, status: 'failed', error: 'no' }],
  truncated: true,
  omitted_steps: { completed: 3, failed: 0, skipped: 1 },
};

const problemsOf = (value: unknown): readonly string[] => {
  const parsed = parseExecutionRecord(value);
  return parsed.ok ? [] : parsed.error.map(formatError);
};

describe('a record', () => {
  it('comes back as it was written', () => {
    const text = JSON.stringify(record);
    expect(parseExecutionRecord(JSON.parse(text))).toEqual({ ok: true, value: record });
  });
  it('of a run that has not ended lacks what only an end has', () => {
    const running = {
      execution_id: '0b1c',
      workflow_name: 'sync',
      status: 'inprogress',
      started_at: '2026-11-21T12:00:00Z',
      duration_ms: 0,
      input: {},
      steps: [],
    };
    expect(parseExecutionRecord(running)).toEqual({ ok: true, value: running });
  });
  it('may name the user who started the run, by issuer and subject', () => {
    const started = { ...record, started_by: { issuer: 'https://issuer.test', subject: 'ada' } };
    expect(parseExecutionRecord(started)).toEqual({ ok: true, value: started });
    expect(problemsOf({ ...record, started_by: { subject: 'ada' } })).toEqual([
      'started_by.issuer: issuer is required',
    ]);
  });
  it.each(EXECUTION_STATUSES)('may be %s', (status) => {
    expect(problemsOf({ ...record, status })).toEqual([]);
  });
  it('may have keys that are not known yet, which are dropped', () => {
    const newer = { ...record, cost: 1, steps: [{ ...step, cost: 1 }] };
    expect(parseExecutionRecord(newer)).toEqual({ ok: true, value: { ...record, steps: [step] } });
  });
  it('may hold results nested as deeply as JSON gets', () => {
    const result = JSON.parse('['.repeat(15_000) + ']'.repeat(15_000)) as unknown;
    expect(problemsOf({ ...record, result })).toEqual([]);
  });
  it('keeps keys of results as they are', () => {
    const value = JSON.parse(JSON.stringify(record).replace('"a":1', '"__proto__":1')) as unknown;
    const parsed = parseExecutionRecord(value);
    expect(parsed.ok && JSON.stringify(parsed.value.result)).toBe('[{"__proto__":1}]');
  });
});

describe('no record', () => {
  it('is told with every reason', () => {
    const wrong = {
      ...record,
      execution_id: '',
      status: 'done',
      started_at: 'yesterday',
      duration_ms: -1,
      input: [],
      steps: [{ ...step, iteration: 1.5, tool: undefined }],
    };
    expect(problemsOf(wrong)).toEqual([
      'execution_id: must be at least 1',
      'status: must be one of inprogress, completed, failed',
      'started_at: must be a time in UTC, as RFC 3339 writes it',
      'duration_ms: must be at least 0',
      'input: must be a mapping',
      'steps[0].iteration: must be an integer',
      'steps[0].tool: tool is required',
    ]);
  });
  it.each([null, undefined, 'text', 3, [], {}])('is %j', (value) => {
    expect(problemsOf(value).length).toBeGreaterThan(0);
  });
  it('is any other value, without throwing', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        for (const each of [value, { ...record, steps: value }, { ...record, input: value }]) {
          const parsed = parseExecutionRecord(each);
          expect(parsed.ok || parsed.error.length > 0).toBe(true);
        }
      }),
    );
  });
});
