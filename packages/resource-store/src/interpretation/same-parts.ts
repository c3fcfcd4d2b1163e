import { byText } from '../port/by-text.ts';
import { resourceProblemText, type ResourceProblem } from '../port/resource-problem.ts';

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
