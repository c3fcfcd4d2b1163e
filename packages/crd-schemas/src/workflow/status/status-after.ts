import type { StatusCondition } from '../../resource/status-condition.ts';
import type { WorkflowStatus } from './workflow-status.ts';

const conditionAfter = (before: WorkflowStatus, now: StatusCondition): StatusCondition => {
  const known = before.conditions.find(({ type }) => type === now.type);
  return known?.status === now.status
    ? Object.freeze({ ...now, lastTransitionTime: known.lastTransitionTime })
    : now;
};

/** Returns the current status; a condition that did not change has the time of its last transition. @spec §2.7 status */
export const statusAfter = (before: WorkflowStatus, now: WorkflowStatus): WorkflowStatus =>
  Object.freeze({
    ...now,
    conditions: Object.freeze(now.conditions.map((condition) => conditionAfter(before, condition))),
  });
