import { statusAfter } from '@gateway/crd-schemas';
import type { WorkflowResource } from '../port/workflow-resource.ts';

const isEqualJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isUnchanged = (before: WorkflowResource, now: WorkflowResource): boolean =>
  before.source === now.source &&
  before.text === now.text &&
  before.valid === now.valid &&
  isEqualJson(before.status.validationErrors, now.status.validationErrors);

/**
 * Returns the current resource, with the identity of every equal part of the previous one: an unchanged version is the previous object, and
 * a workflow that differs only in comments is the previous workflow.
 */
export const retainedWorkflow = (
  before: WorkflowResource | undefined,
  now: WorkflowResource,
): WorkflowResource => {
  if (before === undefined) return now;
  if (isUnchanged(before, now)) return before;
  const retained = {
    // A rewritten file has a new creation time; the resource keeps the old one.
    createdAt: before.createdAt > 0 ? Math.min(before.createdAt, now.createdAt) : now.createdAt,
    status: statusAfter(before.status, now.status),
  };
  if (!now.valid) return { ...now, ...retained };
  const isSame = before.valid && isEqualJson(before.workflow, now.workflow);
  return { ...now, ...retained, workflow: isSame ? before.workflow : now.workflow };
};
