import type { GroupPlan } from '../state/plan.ts';
import { runCall } from './run-call.ts';
import { settle, type Failure, type Report, type Run } from '../state/run-state.ts';

/**
 * Runs the sub-steps of a group concurrently, up to the limit. All run to their end, even if others fail, and none sees the
 * results of another: they are applied to the state when all are completed, in the order of the document. The first failure in
 * that order is the failure of the group.
 * @spec §2.7
 */
export const runGroup = async (run: Run, { steps }: GroupPlan): Promise<Failure | undefined> => {
  const reports: (Report | undefined)[] = steps.map(() => undefined);
  const waiting = steps.entries();
  const work = async (): Promise<void> => {
    for (const [index, step] of waiting) {
      const report = await runCall(run, step, run.scope);
      reports[index] = report;
      run.progress?.subStepEnded(report.entry);
    }
  };
  const atOnce = Math.min(steps.length, run.limits.maxParallel);
  await Promise.all(Array.from({ length: atOnce }, work));
  const done = reports.filter((report) => report !== undefined);
  for (const report of done) settle(run, report);
  return done.find(({ failure }) => failure !== undefined)?.failure;
};
