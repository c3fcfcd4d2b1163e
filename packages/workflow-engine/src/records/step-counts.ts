import type { ExecutionRecord, StepStatus } from '@gateway/crd-schemas';

/** A number of steps of each kind. */
export type StepCounts = Readonly<Record<StepStatus, number>>;

const NONE: StepCounts = { completed: 0, failed: 0, skipped: 0 };

/** Returns the number of steps of a run, including those that its record does not contain any more. */
export const stepCountsOf = ({
  steps,
  omitted_steps = NONE,
}: Pick<ExecutionRecord, 'steps' | 'omitted_steps'>): StepCounts => {
  const counts = { ...omitted_steps };
  for (const { status } of steps) counts[status] += 1;
  return counts;
};

/** Returns the sum of the counts. */
export const totalOf = ({ completed, failed, skipped }: StepCounts): number =>
  completed + failed + skipped;
