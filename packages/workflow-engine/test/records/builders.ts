import type { ExecutionRecord, StepRecord } from '@gateway/crd-schemas';

const AT = '2026-01-02T03:04:05.000Z';

/** The record of a step that took no time. */
export const stepRecord = (more: Partial<StepRecord> = {}): StepRecord => ({
  ...{ step_id: 'log', tool: 'x_git_log', status: 'completed', duration_ms: 0, input: {} },
  ...{ started_at: AT, completed_at: AT },
  ...more,
});

/** The record of a run that took no time and has completed. */
export const runRecord = (more: Partial<ExecutionRecord> = {}): ExecutionRecord => ({
  ...{ execution_id: 'run-1', workflow_name: 'changes', status: 'completed', duration_ms: 0 },
  ...{ started_at: AT, completed_at: AT, input: {}, steps: [] },
  ...more,
});

/** When runs of stored records begin unless they say otherwise. */
export const NOW = Date.UTC(2026, 5, 1);
export const DAY = 86_400_000;

/** The record of a run that began at a time. */
export const storedRecord = (
  id: string,
  { at = NOW, ...more }: Partial<ExecutionRecord> & { readonly at?: number } = {},
): ExecutionRecord => ({
  ...{ execution_id: id, workflow_name: 'changes', status: 'completed', duration_ms: 5 },
  ...{ started_at: new Date(at).toISOString(), input: {}, steps: [] },
  ...more,
});
