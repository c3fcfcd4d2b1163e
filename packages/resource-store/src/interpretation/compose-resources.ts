import { statusAfter } from '@gateway/crd-schemas';
import {
  byText,
  type ResourceProblem,
  resourceProblemText,
  type WorkflowResource,
} from '../port/resources.ts';

/** Returns the previous list when both have the same items. */
export const sameList = <T>(previous: readonly T[], next: readonly T[]): readonly T[] =>
  previous.length === next.length && previous.every((item, index) => item === next[index])
    ? previous
    : next;

/** Returns the problems sorted by their place; equal ones keep their identity, and an equal list is the previous one. */
export const sameProblems = (
  previous: readonly ResourceProblem[],
  next: readonly ResourceProblem[],
): readonly ResourceProblem[] => {
  const known = new Map(previous.map((problem) => [resourceProblemText(problem), problem]));
  const sorted = next.toSorted(
    (a, b) =>
      byText(a.source, b.source) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      byText(a.message, b.message),
  );
  return sameList(
    previous,
    sorted.map((problem) => known.get(resourceProblemText(problem)) ?? problem),
  );
};

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
