import type { ExecutionRecord } from '@gateway/crd-schemas';
import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () =>
  expect(Object.keys(surface).sort()).toEqual([
    'DEFAULT_ENGINE_LIMITS',
    'ExecutionRecords',
    'ISOLATION_LIMITS',
    'RETENTION_LIMITS',
    'RunBudget',
    'countSteps',
    'createWorkflowEngine',
    'findInJsonText',
    'formatError',
    'isStartedBy',
    'runIsolatedWork',
    'toExecutionList',
    'toExecutionTool',
    'toExecutionView',
    'toWorkflowInputSchema',
  ]));

it('answers with exactly these words', () => {
  const record: ExecutionRecord = {
    execution_id: 'run-1',
    workflow_name: 'changes',
    status: 'completed',
    started_at: '2026-01-02T03:04:05.000Z',
    duration_ms: 0,
    input: {},
    steps: [],
  };
  const view = surface.toExecutionView(record, { includeSteps: true, stepId: 'log' });
  expect([
    surface.formatError({ code: 'workflow.unknown', name: 'changes' }),
    surface.formatError({
      code: 'workflow.unavailable',
      name: 'changes',
      missing: ['x_a'],
    }),
    surface.formatError({ code: 'execution.unknown', id: 'run-9' }),
    view.ok ? undefined : surface.formatError(view.error),
  ]).toEqual([
    'workflow changes not found',
    'workflow changes is not available (missing required tools): x_a',
    'Failed to get execution: execution run-9 not found',
    'Failed to get execution: step log not found in execution run-1',
  ]);
});
