import { Cancellation } from '../state/cancellation.ts';
import type { CallPlan } from '../state/plan.ts';
import { runCall } from './run-call.ts';
import { settle, type Run } from '../state/run-state.ts';

const runEach = async (run: Run, handlers: readonly CallPlan[]): Promise<void> => {
  for (const handler of handlers) {
    const report = await runCall(run, handler, run.scope);
    settle(run, report);
    if (report.outcome?.failed !== true) continue;
    const { name } = run.workflow.metadata;
    run.ports.warn(`Workflow "${name}": onFailure step ${handler.id} failed`);
  }
};

/**
 * Runs the handlers of a failed run in order, even if some fail. They clean up, so they continue when the run is cancelled:
 * from the cancellation on they have a time limit in total. They have a budget of their own.
 * @spec §2.7 `onFailure`
 */
export const runHandlers = async (run: Run, handlers: readonly CallPlan[]): Promise<void> => {
  if (handlers.length === 0) return;
  const cancellation = new Cancellation();
  const unwatch = run.cancellation.watch(() => {
    cancellation.follow(AbortSignal.timeout(run.limits.cleanupMs));
  });
  const budget = run.budget.forHandlers();
  try {
    await runEach({ ...run, cancellation, budget, progress: undefined }, handlers);
  } finally {
    budget.release();
    unwatch();
    cancellation.release();
  }
};
