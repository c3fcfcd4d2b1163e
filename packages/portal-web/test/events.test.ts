import { expect, it } from 'vitest';
import { type EventEntry, foldSteps } from '../src/queries/events.ts';

const event = (reason: string, resourceName = 'digest', resourceType = 'Workflow'): EventEntry => ({
  ...{ at: '2026-12-01T04:00:00Z', message: '', isWarning: false, count: 1 },
  ...{ reason, resourceName, resourceType },
});

const EVENTS = [
  event('WorkflowStepStarted', 'running'),
  event('WorkflowExecutionStarted', 'running'),
  event('WorkflowExecutionCompleted'),
  event('WorkflowStepCompleted'),
  event('MCPServerStarted', 'files', 'MCPServer'),
  event('WorkflowStepStarted'),
  event('WorkflowExecutionStarted'),
  event('WorkflowStepCompleted', 'old'),
];

it('events of steps are counted at the event of their run', () => {
  expect(foldSteps(EVENTS, false).map(({ reason, steps }) => [reason, steps])).toEqual([
    ['WorkflowExecutionStarted', 1],
    ['WorkflowExecutionCompleted', 2],
    ['MCPServerStarted', 0],
    ['WorkflowExecutionStarted', 0],
  ]);
});

it('events of steps are rows where they are asked for', () => {
  const rows = foldSteps(EVENTS, true);
  expect(rows.map(({ steps }) => steps)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

it('identical events have different keys', () => {
  const rows = foldSteps(
    [event('WorkflowExecutionStarted'), event('WorkflowExecutionStarted')],
    false,
  );
  expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
});
