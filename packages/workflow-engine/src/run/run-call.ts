import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import { memoryBytes } from '@gateway/go-template';
import type { ConditionEntry, StepEntry } from '../model/finished-run.ts';
import type { CallPlan, StepPlan } from './plan.ts';
import { budgetText, type Failure, type Report, type Run, type Scope } from './run-state.ts';
import { callTool } from './call-tool.ts';
import { decide } from './decide.ts';
import { renderArguments } from './do-work.ts';

/** The state of a step while it runs. */
export interface StartedStep {
  readonly plan: StepPlan;
  readonly scope: Scope;
  readonly startedAt: number;
  readonly condition?: ConditionEntry | undefined;
  readonly input?: JsonMap;
}

type Status = Pick<StepEntry, 'status'> & Partial<Pick<StepEntry, 'result' | 'error'>>;

const storedAs = ({ plan, scope }: StartedStep): string =>
  scope.iteration === undefined ? plan.id : `${plan.id}_${scope.iteration}`;

const entryOf = (run: Run, begun: StartedStep, status: Status): StepEntry => {
  const { plan, scope, startedAt, condition, input } = begun;
  return {
    id: plan.id,
    ...(scope.iteration !== undefined && { iteration: scope.iteration }),
    tool: plan.kind === 'tool' ? plan.tool : '',
    allowFailure: plan.allowFailure,
    shown: plan.shown,
    ...(condition !== undefined && { condition }),
    ...(input !== undefined && { input }),
    ...(status.status !== 'skipped' && { storedAs: storedAs(begun) }),
    ...status,
    startedAt,
    completedAt: run.ports.now(),
  };
};

/** Returns the value that later steps and conditions find in place of the result of a failed step. */
export const failedResult = (text: string): JsonMap => ({
  error: text,
  success: false,
  isError: true,
});

const mustEnd = ({ cancellation, budget }: Run): boolean =>
  cancellation.text !== undefined || budget.problem !== undefined;

/**
 * Returns the failure that ends the run; undefined when the run continues. A run that is cancelled or exceeds its budget
 * never continues.
 */
export const failureOf = (run: Run, plan: StepPlan, text: string): Failure | undefined =>
  plan.allowFailure && !mustEnd(run) ? undefined : { step: plan.id, text };

const failedWith = (run: Run, begun: StartedStep, text: string): Report => {
  const result = failedResult(text);
  return {
    entry: entryOf(run, begun, { status: 'failed', result, error: text }),
    outcome: { failed: true, result },
    failure: failureOf(run, begun.plan, text),
  };
};

/** Returns the report of a step that exceeds the budget of the run. */
const overfull = (run: Run, { input: _input, ...begun }: StartedStep): Report =>
  failedWith(run, begun, budgetText(run));

/** Returns the report of a step that has a result. */
const completed = (run: Run, begun: StartedStep, result: JsonValue): Report => {
  if (!run.budget.reserveEntry(memoryBytes(result))) return overfull(run, begun);
  const entry = entryOf(run, begun, { status: 'completed', result });
  return { entry, outcome: { failed: false, result }, failure: undefined };
};

/** Returns the report of a step that failed. */
export const failed = (run: Run, begun: StartedStep, text: string): Report =>
  run.budget.reserveEntry(text.length) ? failedWith(run, begun, text) : overfull(run, begun);

/** Returns the report of a step whose condition was not met: later steps find no result of it. */
const skipped = (run: Run, begun: StartedStep): Report => {
  if (!run.budget.reserveEntry(0)) return overfull(run, begun);
  const entry = entryOf(run, begun, { status: 'skipped' });
  return { entry, outcome: undefined, failure: undefined };
};

/** A step past its condition, or its report when it does not get past it. */
export type Gate =
  | { readonly open: true; readonly begun: StartedStep }
  | { readonly open: false; readonly report: Report };

/** Decides the condition of a step, when it has one. */
export const evaluateGate = async (run: Run, plan: StepPlan, scope: Scope): Promise<Gate> => {
  const begun: StartedStep = { plan, scope, startedAt: run.ports.now() };
  const condition = plan.condition;
  if (condition === undefined) return { open: true, begun };
  const decision = await decide(run, { ...plan, condition }, scope);
  if (!decision.ok) return { open: false, report: failed(run, begun, decision.error) };
  run.events?.conditionDecided(plan, decision.value.passed);
  return gateOf(run, { ...begun, condition: decision.value });
};

const gateOf = (run: Run, begun: StartedStep & { readonly condition: ConditionEntry }): Gate =>
  begun.condition.passed ? { open: true, begun } : { open: false, report: skipped(run, begun) };

const callOf = async (
  run: Run,
  plan: CallPlan,
  begun: StartedStep,
  args: JsonMap,
): Promise<Report> => {
  const answer = await callTool(run, plan.tool, args);
  return answer.ok
    ? completed(run, { ...begun, input: args }, answer.value)
    : failed(run, { ...begun, input: args }, answer.text);
};

const callStep = async (run: Run, plan: CallPlan, scope: Scope): Promise<Report> => {
  if (run.yieldTimer.isDue) await run.cancellation.until(() => run.yieldTimer.yield(run.turn));
  const gate = await evaluateGate(run, plan, scope);
  if (!gate.open) return gate.report;
  run.events?.stepStarted(plan);
  const pending = renderArguments(run, plan.args, scope.data);
  const rendered = pending instanceof Promise ? await pending : pending;
  if (rendered.ok) {
    return run.budget.reserve(rendered.made)
      ? callOf(run, plan, gate.begun, rendered.args)
      : failed(run, gate.begun, budgetText(run));
  }
  const text = `failed to resolve arguments for step ${plan.id}: ${rendered.error}`;
  return failed(run, gate.begun, text);
};

/** Runs a step that calls a tool and reports its events; it does not change the state of the run. @spec §2.7 */
export const runCall = async (run: Run, plan: CallPlan, scope: Scope): Promise<Report> => {
  const report = await callStep(run, plan, scope);
  run.events?.stepEnded(report.entry, report.failure);
  return report;
};
