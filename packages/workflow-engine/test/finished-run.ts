import type { Workflow } from '@gateway/crd-schemas';
import type { FinishedRun, StepEntry } from '../src/model/finished-run.ts';
import { workflowOf } from './run-harness.ts';

/** 2026-01-02T03:04:05.000Z. */
export const STARTED_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

/** What a step did; it took 250 ms. */
export const entry = (id: string, more: Partial<StepEntry> = {}): StepEntry => ({
  id,
  tool: 'x_git_log',
  status: 'completed',
  allowFailure: false,
  shown: false,
  startedAt: STARTED_AT + 500,
  completedAt: STARTED_AT + 750,
  ...more,
});

export const oneStep: Workflow = workflowOf(
  { steps: [{ id: 'log', tool: 'x_git_log', output: true }] },
  'changes',
);

/** A run that took one second. */
export const finishedRun = (more: Partial<FinishedRun> = {}): FinishedRun => ({
  executionId: 'run-1',
  workflow: oneStep,
  input: { repo: 'gateway' },
  debug: false,
  entries: [],
  startedAt: STARTED_AT,
  completedAt: STARTED_AT + 1000,
  end: { kind: 'completed' },
  ...more,
});
