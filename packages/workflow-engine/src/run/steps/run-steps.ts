import type { GroupPlan, LoopPlan, StepPlan } from '../state/plan.ts';
import { failed, failedResult, failureOf, type StartedStep } from './report.ts';
import { evaluateGate, runCall } from './run-call.ts';
import { runGroup } from './run-group.ts';
import { itemsOf, runLoop } from './run-loop.ts';
import { settle, type Failure, type Report, type Run } from '../state/run-state.ts';

const close = (run: Run, report: Report, plan: StepPlan): Failure | undefined => {
  settle(run, report);
  run.progress?.stepEnded(plan, report.entry.status);
  return report.failure;
};

/** Ends a loop or a group of which nothing ran. */
const closeUnrun = (run: Run, report: Report, plan: StepPlan): Failure | undefined => {
  run.events?.stepEnded(report.entry, report.failure);
  return close(run, report, plan);
};

/** Ends a loop or a group that ran. It has no result of its own; later steps see only a failure. */
const closeComposite = (
  run: Run,
  plan: StepPlan,
  failure: Failure | undefined,
): Failure | undefined => {
  const status = failure === undefined ? 'completed' : 'failed';
  run.progress?.stepEnded(plan, status);
  const ending = failure && failureOf(run, plan, failure.text);
  run.events?.stepEnded({ id: plan.id, status, ...(failure && { error: failure.text }) }, ending);
  if (failure === undefined) {
    run.outcomes.set(plan.id, { failed: false, result: null });
    return undefined;
  }
  const result = failedResult(failure.text);
  run.outcomes.set(plan.id, { failed: true, result });
  run.results[plan.id] = result;
  return ending === undefined ? undefined : failure;
};

const runLoopStep = async (
  run: Run,
  plan: LoopPlan,
  begun: StartedStep,
): Promise<Failure | undefined> => {
  const taken = await itemsOf(run, plan);
  run.progress?.expectSubSteps(taken.ok ? taken.items.length * plan.steps.length : 0);
  return taken.ok
    ? closeComposite(run, plan, await runLoop(run, plan, taken.items))
    : closeUnrun(run, failed(run, begun, taken.text), plan);
};

const runComposite = async (run: Run, plan: LoopPlan | GroupPlan): Promise<Failure | undefined> => {
  const gate = await evaluateGate(run, plan, run.scope);
  if (gate.open) {
    run.events?.stepStarted(plan);
    return plan.kind === 'forEach'
      ? runLoopStep(run, plan, gate.begun)
      : closeComposite(run, plan, await runGroup(run, plan));
  }
  if (plan.kind === 'forEach') run.progress?.expectSubSteps(0);
  return closeUnrun(run, gate.report, plan);
};

/** Runs steps in order, up to the first failure that is not tolerated or the cancellation of the run. @spec §2.7 */
export const runSteps = async (
  run: Run,
  steps: readonly StepPlan[],
): Promise<Failure | undefined> => {
  for (const step of steps) {
    const { text } = run.cancellation;
    if (text !== undefined) return { step: step.id, text };
    run.progress?.begin(step);
    const failure =
      step.kind === 'tool'
        ? close(run, await runCall(run, step, run.scope), step)
        : await runComposite(run, step);
    if (failure !== undefined) return failure;
  }
  return undefined;
};
