import { parseExecutionRecord, type JsonValue } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { createDeliveredDocument } from '../../src/records/run-document.ts';
import { createRecord, createStartedRecord } from '../../src/records/retained-record.ts';
import { entry, finishedRun, oneStep, STARTED_AT } from '../finished-run.ts';

describe('the record of a run', () => {
  it('that began', () => {
    const run = {
      executionId: 'run-1',
      workflow: oneStep,
      input: { repo: 'x' },
      startedAt: STARTED_AT,
    };
    expect(createStartedRecord(run)).toEqual({
      execution_id: 'run-1',
      workflow_name: 'changes',
      status: 'inprogress',
      started_at: '2026-01-02T03:04:05.000Z',
      duration_ms: 0,
      input: { repo: 'x' },
      steps: [],
    });
  });

  it('names the user who started it, at the start and at the end', () => {
    const startedBy = { issuer: 'https://issuer.test', subject: 'ada' };
    const run = finishedRun({ startedBy });
    expect(createStartedRecord(run)).toMatchObject({ started_by: startedBy });
    expect(createRecord(run)).toMatchObject({ started_by: startedBy });
    expect(createRecord(finishedRun())).not.toHaveProperty('started_by');
  });

  it('that completed: its document, and each step with its own times', () => {
    const at = STARTED_AT + 800;
    const failure = { status: 'failed', error: 'no such file' } as const;
    const shown = entry('log', {
      input: { depth: 1 },
      result: { n: 2 },
      shown: true,
      storedAs: 'log',
    });
    const more = { iteration: 3, tool: 'x_git_show', startedAt: at, completedAt: at };
    const failed = entry('get', { ...more, ...failure, allowFailure: true });
    const record = createRecord(finishedRun({ entries: [shown, failed] }));
    const log = { tool: 'x_git_log', status: 'completed', result: { n: 2 } };
    const get = { iteration: 3, tool: 'x_git_show', ...failure };
    expect(record).toEqual({
      execution_id: 'run-1',
      workflow_name: 'changes',
      status: 'completed',
      started_at: '2026-01-02T03:04:05.000Z',
      completed_at: '2026-01-02T03:04:06.000Z',
      duration_ms: 1000,
      input: { repo: 'gateway' },
      result: {
        execution_id: 'run-1',
        workflow: 'changes',
        status: 'completed',
        input: { repo: 'gateway' },
        steps: [
          { id: 'log', ...log },
          { id: 'get', ...get, allow_failure: true },
        ],
        template_vars: [],
      },
      steps: [
        {
          ...{ step_id: 'log', ...log, input: { depth: 1 }, stored_as: 'log', duration_ms: 250 },
          started_at: '2026-01-02T03:04:05.500Z',
          completed_at: '2026-01-02T03:04:05.750Z',
        },
        {
          ...{ step_id: 'get', ...get, input: {}, duration_ms: 0 },
          started_at: '2026-01-02T03:04:05.800Z',
          completed_at: '2026-01-02T03:04:05.800Z',
        },
      ],
    });
    expect(parseExecutionRecord(JSON.parse(JSON.stringify(record)))).toEqual({
      ok: true,
      value: record,
    });
  });

  it('keeps results that the document does not show', () => {
    const record = createRecord(finishedRun({ entries: [entry('log', { result: 5 })] }));
    expect(record.steps[0]?.result).toBe(5);
    expect(JSON.stringify(record.result)).not.toContain('"result"');
  });

  it('that rendered an output template: steps are there all the same', () => {
    const record = createRecord(
      finishedRun({ entries: [entry('log')], end: { kind: 'rendered', output: { n: 1 } } }),
    );
    expect(record).toMatchObject({ status: 'completed', result: { n: 1, execution_id: 'run-1' } });
    expect(record.steps.map(({ step_id }) => step_id)).toEqual(['log']);
  });

  it.each(['failed', 'refused', 'output-failed'] as const)('that ended as %s is failed', (kind) => {
    const run = finishedRun({ end: { kind, error: 'no' } });
    expect(createRecord(run)).toMatchObject({ status: 'failed', error: 'no' });
  });

  it('takes no time when the clock was set back', () => {
    const run = finishedRun({
      completedAt: STARTED_AT - 5,
      entries: [entry('log', { completedAt: STARTED_AT })],
    });
    const record = createRecord(run);
    expect([record.duration_ms, record.steps[0]?.duration_ms]).toEqual([0, 0]);
  });

  it('is cut to its bound, and the document is not', () => {
    const result: JsonValue = 'x'.repeat(400_000);
    const record = createRecord(finishedRun({ entries: [entry('log', { shown: true, result })] }));
    expect(record.truncated).toBe(true);
    expect(record.result).toBe('[truncated: payload exceeded retention size limit]');
    expect(record.steps[0]?.result).toBe('[truncated: payload exceeded retention size limit]');
  });

  it('that answered with a failure, since its document was too large, is that of a failure', () => {
    const entries = [entry('log', { shown: true, result: 'xy' })];
    const run = finishedRun({ entries });
    const error = 'the result of the workflow is larger than 10 bytes or nests too deeply';
    expect(createRecord(run, createDeliveredDocument(run, 10))).toMatchObject({
      status: 'failed',
      error,
      result: { execution_id: 'run-1', workflow: 'changes', error },
    });
    expect(createRecord(run)).toMatchObject({
      status: 'completed',
      result: { status: 'completed' },
    });
  });
});
