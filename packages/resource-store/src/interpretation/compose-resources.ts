import { mergeWorkflowStatus } from '@gateway/crd-schemas';
import {
  compareTexts,
  type ResourceProblem,
  formatProblem,
  type ResourceState,
  type WorkflowResource,
} from '../port/resources.ts';

const sameList = <T>(previous: readonly T[], next: readonly T[]): readonly T[] =>
  previous.length === next.length && previous.every((item, index) => item === next[index])
    ? previous
    : next;

/** Returns the problems sorted by their place; equal ones keep their identity, and an equal list is the previous one. */
export const sortResourceProblems = (
  previous: readonly ResourceProblem[],
  next: readonly ResourceProblem[],
): readonly ResourceProblem[] => {
  const known = new Map(previous.map((problem) => [formatProblem(problem), problem]));
  const sorted = next.toSorted(
    (a, b) =>
      compareTexts(a.source, b.source) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      compareTexts(a.message, b.message),
  );
  return sameList(
    previous,
    sorted.map((problem) => known.get(formatProblem(problem)) ?? problem),
  );
};

const isEqualJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isUnchanged = (before: WorkflowResource, now: WorkflowResource): boolean =>
  before.source === now.source &&
  before.text === now.text &&
  before.valid === now.valid &&
  isEqualJson(before.status.validationErrors, now.status.validationErrors);

/**
 * Returns the current resource with the identity of every equal part of the previous one: a workflow that differs only in comments is the
 * previous workflow.
 */
const sameWorkflow = (
  before: WorkflowResource | undefined,
  now: WorkflowResource,
): WorkflowResource => {
  if (before === undefined) return now;
  if (isUnchanged(before, now)) return before;
  const retained = {
    // A rewritten file has a new creation time; the resource keeps the old one.
    createdAt: before.createdAt > 0 ? Math.min(before.createdAt, now.createdAt) : now.createdAt,
    status: mergeWorkflowStatus(before.status, now.status),
  };
  if (!now.valid) return { ...now, ...retained };
  const isSame = before.valid && isEqualJson(before.workflow, now.workflow);
  return { ...now, ...retained, workflow: isSame ? before.workflow : now.workflow };
};

/**
 * Composes a state from resources in any order. Pure. Equal parts keep their identity from `previous`, and an equal state is `previous`
 * itself.
 */
export const composeResources = (
  { servers, workflows, problems }: ResourceState,
  previous: ResourceState,
): ResourceState => {
  const known = new Map(previous.workflows.map((workflow) => [workflow.name, workflow]));
  const next: ResourceState = {
    servers: sameList(
      previous.servers,
      servers.toSorted((a, b) => compareTexts(a.metadata.name, b.metadata.name)),
    ),
    workflows: sameList(
      previous.workflows,
      workflows
        .map((workflow) => sameWorkflow(known.get(workflow.name), workflow))
        .toSorted((a, b) => compareTexts(a.name, b.name)),
    ),
    problems: sortResourceProblems(previous.problems, problems),
  };
  const isSame =
    next.servers === previous.servers &&
    next.workflows === previous.workflows &&
    next.problems === previous.problems;
  return isSame ? previous : next;
};
