import type { JsonMap } from '@gateway/crd-schemas';
import type { ConditionEntry } from '../../model/finished-run.ts';
import { callTool } from '../calls/call-tool.ts';
import { decide } from './decide.ts';
import type { CallPlan, StepPlan } from '../state/plan.ts';
import { renderArguments } from './render-arguments.ts';
import { completed, failed, skipped, type StartedStep } from './report.ts';
import { budgetText, type Report, type Run, type Scope } from '../state/run-state.ts';

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
  if (!decision.ok) return { open: false, report: failed(run, begun, decision.text) };
  run.events?.conditionDecided(plan, decision.entry.passed);
  return gateOf(run, { ...begun, condition: decision.entry });
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
  const text = `failed to resolve arguments for step ${plan.id}: ${rendered.text}`;
  return failed(run, gate.begun, text);
};

/** Runs a step that calls a tool and reports its events; it does not change the state of the run. @spec §2.7 */
export const runCall = async (run: Run, plan: CallPlan, scope: Scope): Promise<Report> => {
  const report = await callStep(run, plan, scope);
  run.events?.stepEnded(report.entry, report.failure);
  return report;
};
