import { statusAfter } from '@gateway/crd-schemas';
import type { WorkflowResource } from '../../port/workflow-resource.ts';

const sayTheSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isUnchanged = (before: WorkflowResource, now: WorkflowResource): boolean =>
  before.source === now.source &&
  before.text === now.text &&
  before.valid === now.valid &&
  sayTheSame(before.status.validationErrors, now.status.validationErrors);

/**
 * The resource as it is now, with everything that is as it was before: a version that says the same is the one before,
 * and a workflow under other comments is the workflow before.
 */
export const retainedWorkflow = (
  before: WorkflowResource | undefined,
  now: WorkflowResource,
): WorkflowResource => {
  if (before === undefined) return now;
  if (isUnchanged(before, now)) return before;
  const kept = {
    // Writing a file anew gives it a new birth, which is not the resource's.
    createdAt: before.createdAt > 0 ? Math.min(before.createdAt, now.createdAt) : now.createdAt,
    status: statusAfter(before.status, now.status),
  };
  if (!now.valid) return { ...now, ...kept };
  const isSame = before.valid && sayTheSame(before.workflow, now.workflow);
  return { ...now, ...kept, workflow: isSame ? before.workflow : now.workflow };
};
