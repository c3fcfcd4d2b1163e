import type { CallPlan, GroupPlan, LoopPlan, StepPlan } from './plan.ts';
import {
  evaluateGate,
  createFailedReport,
  createFailedResult,
  findRunFailure,
  runCall,
  type StartedStep,
} from './run-call.ts';
import {
  formatBudgetProblem,
  createTemplateData,
  createEmptyMap,
  type Failure,
  type Report,
  type Run,
  type StepScope,
  settle,
} from './run-state.ts';
import { Cancellation } from './cancellation.ts';
import type { JsonValue, Result } from '@gateway/crd-schemas';
import { isJsonList } from '@gateway/go-template';
import { renderTemplates } from './do-work.ts';

/**
 * Runs the sub-steps of a group concurrently, up to the limit. All run to completion, even if others fail, and none sees the
 * results of the others: the results are applied to the state at the end, in the order of the document. The first failure in
 * that order is the failure of the group.
 * @spec §2.7
 */
const runGroup = async (run: Run, { steps }: GroupPlan): Promise<Failure | undefined> => {
  const reports: (Report | undefined)[] = steps.map(() => undefined);
  const queue = steps.entries();
  const runNext = async (): Promise<void> => {
    for (const [index, step] of queue) {
      const report = await runCall(run, step, run.scope);
      reports[index] = report;
      run.progress?.countSubStep(report.entry);
    }
  };
  const concurrency = Math.min(steps.length, run.limits.maxParallel);
  await Promise.all(Array.from({ length: concurrency }, runNext));
  const finalReports = reports.filter((report) => report !== undefined);
  for (const report of finalReports) settle(run, report);
  return finalReports.find(({ failure }) => failure !== undefined)?.failure;
};

const runEachHandler = async (run: Run, handlers: readonly CallPlan[]): Promise<void> => {
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
 * after the cancellation, a total time limit applies. They use a separate budget.
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
    await runEachHandler({ ...run, cancellation, budget, progress: undefined }, handlers);
  } finally {
    budget.release();
    unwatch();
    cancellation.release();
  }
};

/** The items of a loop, or the reason why they cannot be rendered. */
export type LoopItems = Result<readonly JsonValue[], string>;

/** Renders the items of a loop, which must be a list of bounded length. @spec §2.7 */
const renderLoopItems = async (
  run: Run,
  { id, expression, items }: LoopPlan,
): Promise<LoopItems> => {
  const { maxLoopItems } = run.limits;
  const refuse = (text: string): LoopItems => ({ ok: false, error: `forEach step ${id}: ${text}` });
  const rendered = await renderTemplates(run, [items], run.scope.data);
  if (!rendered.ok) return refuse(`failed to render items: ${rendered.error}`);
  // The items are retained as long as the loop runs.
  if (!run.budget.reserve(rendered.made)) return { ok: false, error: formatBudgetProblem(run) };
  const [value = null] = rendered.values;
  const about = `items expression "${expression}" resolved to`;
  if (value === null) return refuse(`${about} nil`);
  if (!isJsonList(value)) return refuse(`${about} ${typeof value}, expected a list`);
  if (value.length <= maxLoopItems) return { ok: true, value };
  return refuse(`${about} ${value.length} items, more than the ${maxLoopItems} allowed`);
};

const createLoopScope = (run: Run, as: string, item: JsonValue, iteration: number): StepScope => {
  const vars = createEmptyMap();
  vars[as] = item;
  vars[`${as}_index`] = iteration;
  return { data: createTemplateData(run.scope.data.input, run.results, vars), iteration };
};

/** Runs the sub-steps of a loop for each item in order, up to the first failure that is not allowed. @spec §2.7 */
const runLoop = async (
  run: Run,
  { steps, as }: LoopPlan,
  items: readonly JsonValue[],
): Promise<Failure | undefined> => {
  for (const [iteration, item] of items.entries()) {
    const scope = createLoopScope(run, as, item, iteration);
    for (const step of steps) {
      const report = await runCall(run, step, scope);
      settle(run, report);
      run.progress?.countSubStep(report.entry);
      if (report.failure !== undefined) return report.failure;
    }
  }
  return undefined;
};

const close = (run: Run, report: Report, plan: StepPlan): Failure | undefined => {
  settle(run, report);
  run.progress?.countStep(plan, report.entry.status);
  return report.failure;
};

/** Ends a loop or a group without running any of its sub-steps. */
const closeSkippedComposite = (run: Run, report: Report, plan: StepPlan): Failure | undefined => {
  run.events?.reportStepEnd(report.entry, report.failure);
  return close(run, report, plan);
};

/** Ends a loop or a group that ran. A composite has no result: later steps see only its failure. */
const closeComposite = (
  run: Run,
  plan: StepPlan,
  failure: Failure | undefined,
): Failure | undefined => {
  const status = failure === undefined ? 'completed' : 'failed';
  run.progress?.countStep(plan, status);
  const runFailure = failure && findRunFailure(run, plan, failure.text);
  run.events?.reportStepEnd(
    { id: plan.id, status, ...(failure && { error: failure.text }) },
    runFailure,
  );
  if (failure === undefined) {
    run.outcomes.set(plan.id, { failed: false, result: null });
    return undefined;
  }
  const result = createFailedResult(failure.text);
  run.outcomes.set(plan.id, { failed: true, result });
  run.results[plan.id] = result;
  return runFailure === undefined ? undefined : failure;
};

const runLoopStep = async (
  run: Run,
  plan: LoopPlan,
  startedStep: StartedStep,
): Promise<Failure | undefined> => {
  const items = await renderLoopItems(run, plan);
  run.progress?.expectSubSteps(items.ok ? items.value.length * plan.steps.length : 0);
  return items.ok
    ? closeComposite(run, plan, await runLoop(run, plan, items.value))
    : closeSkippedComposite(run, createFailedReport(run, startedStep, items.error), plan);
};

const runComposite = async (run: Run, plan: LoopPlan | GroupPlan): Promise<Failure | undefined> => {
  const gate = await evaluateGate(run, plan, run.scope);
  if (gate.open) {
    run.events?.reportStepStart(plan);
    return plan.kind === 'forEach'
      ? runLoopStep(run, plan, gate.begun)
      : closeComposite(run, plan, await runGroup(run, plan));
  }
  if (plan.kind === 'forEach') run.progress?.expectSubSteps(0);
  return closeSkippedComposite(run, gate.report, plan);
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
