import type { ExecutionRecord, StepStatus } from '@gateway/crd-schemas';

/** A number of steps of each kind. */
export type StepCounts = Readonly<Record<StepStatus, number>>;

const NONE: StepCounts = { completed: 0, failed: 0, skipped: 0 };

/** How many steps a run had, those included that its record does not hold any more. */
export const stepCountsOf = ({
  steps,
  omitted_steps = NONE,
}: Pick<ExecutionRecord, 'steps' | 'omitted_steps'>): StepCounts => {
  const counts = { ...omitted_steps };
  for (const { status } of steps) counts[status] += 1;
  return counts;
};

/** All of them together. */
export const totalOf = ({ completed, failed, skipped }: StepCounts): number =>
  completed + failed + skipped;
