import type { Expectations, JsonMap, JsonValue, Result } from '@gateway/crd-schemas';
import { estimateMemoryBytes } from '@gateway/go-template';
import type { ExpectationsMet } from '../expectations/expectations.ts';
import type { RenderedValues } from '../isolation/isolated-work.ts';
import type { ConditionEntry, StepEntry } from '../model/finished-run.ts';
import { callTool } from './call-tool.ts';
import { checkOutcome, renderArguments, renderTemplates } from './do-work.ts';
import type { CallPlan, ConditionPlan, StepPlan } from './plan.ts';
import {
  formatBudgetProblem,
  type Failure,
  type StepOutcome,
  type Report,
  type Run,
  type StepScope,
} from './run-state.ts';

/** The outcome of a condition, or the reason that it could not be evaluated. */
export type Decision = Result<ConditionEntry, string>;

interface Question<K extends ConditionPlan['source']> {
  readonly run: Run;
  readonly id: string;
  readonly condition: Extract<ConditionPlan, { source: K }>;
  readonly scope: StepScope;
}

interface Checked {
  readonly outcome: StepOutcome;
  readonly expected: Expectations;
  readonly tool: string;
  /** The value in the record, when it is not the checked result. */
  readonly shown?: JsonValue;
}

const decideTemplate = ({ run, id }: Question<'template'>, rendered: RenderedValues): Decision => {
  if (!rendered.ok) {
    const text = `failed to evaluate condition template for step ${id}: ${rendered.error}`;
    return { ok: false, error: run.budget.problem ?? text };
  }
  const [value = null] = rendered.values;
  if (!run.budget.reserve(estimateMemoryBytes(value)))
    return { ok: false, error: formatBudgetProblem(run) };
  const passed = value === true || value === 'true';
  return { ok: true, value: { passed, result: value, tool: 'template' } };
};

const decideByTemplate = (question: Question<'template'>): Decision | Promise<Decision> => {
  const { run, condition, scope } = question;
  const rendered = renderTemplates(run, [condition.template], scope.data);
  return rendered instanceof Promise
    ? rendered.then((later) => decideTemplate(question, later))
    : decideTemplate(question, rendered);
};

const check = (
  { run, id, scope }: Pick<Question<'tool'>, 'run' | 'id' | 'scope'>,
  { outcome, expected, tool, shown = outcome.result }: Checked,
): Decision | Promise<Decision> => {
  const decisionOf = (met: ExpectationsMet): Decision =>
    met.ok
      ? { ok: true, value: { passed: met.value, result: shown, tool } }
      : { ok: false, error: `failed to evaluate condition for step ${id}: ${met.error}` };
  const met = checkOutcome(run, { expected, outcome, data: scope.data });
  return met instanceof Promise ? met.then(decisionOf) : decisionOf(met);
};

const decideByTool = async (question: Question<'tool'>): Promise<Decision> => {
  const { run, id, condition, scope } = question;
  const { tool, expected } = condition;
  const rendered = await renderArguments(run, condition.args, scope.data);
  if (!rendered.ok) {
    const text = `failed to resolve condition arguments for step ${id}: ${rendered.error}`;
    return { ok: false, error: text };
  }
  const answer = await callTool(run, tool, rendered.args);
  if (run.cancellation.text !== undefined) return { ok: false, error: run.cancellation.text };
  if (!run.budget.reserve(estimateMemoryBytes(answer.value)))
    return { ok: false, error: formatBudgetProblem(run) };
  const outcome = { failed: !answer.ok, result: answer.value };
  // A call that failed without an answer has no result of its own.
  const nothing = !answer.ok && answer.value === null;
  return check(question, { outcome, expected, tool, ...(nothing && { shown: false }) });
};

const SUCCEEDED = { success: true, status: 'completed' };

const decideByStep = (question: Question<'fromStep'>): Decision | Promise<Decision> => {
  const { run, id, condition } = question;
  const { step, expected } = condition;
  const known = run.outcomes.get(step);
  if (known === undefined) {
    const text = `step ${id} condition references non-existent step result: ${step}`;
    return { ok: false, error: text };
  }
  const outcome = known.result === null ? { ...known, result: SUCCEEDED } : known;
  return check(question, { outcome, expected, tool: `from_step:${step}` });
};

/** Decides whether a step runs. A small template or check is decided at once. @spec §2.7 */
const decide = (
  run: Run,
  { id, condition }: StepPlan & { readonly condition: ConditionPlan },
  scope: StepScope,
): Decision | Promise<Decision> => {
  switch (condition.source) {
    case 'template':
      return decideByTemplate({ run, id, condition, scope });
    case 'tool':
      return decideByTool({ run, id, condition, scope });
    case 'fromStep':
      return decideByStep({ run, id, condition, scope });
  }
};

/** The state of a step while it runs. */
export interface StartedStep {
  readonly plan: StepPlan;
  readonly scope: StepScope;
  readonly startedAt: number;
  readonly condition?: ConditionEntry | undefined;
  readonly input?: JsonMap;
}

type Status = Pick<StepEntry, 'status'> & Partial<Pick<StepEntry, 'result' | 'error'>>;

const formatStoreName = ({ plan, scope }: StartedStep): string =>
  scope.iteration === undefined ? plan.id : `${plan.id}_${scope.iteration}`;

const parseRecordEntry = (run: Run, begun: StartedStep, status: Status): StepEntry => {
  const { plan, scope, startedAt, condition, input } = begun;
  return {
    id: plan.id,
    ...(scope.iteration !== undefined && { iteration: scope.iteration }),
    tool: plan.kind === 'tool' ? plan.tool : '',
    allowFailure: plan.allowFailure,
    shown: plan.shown,
    ...(condition !== undefined && { condition }),
    ...(input !== undefined && { input }),
    ...(status.status !== 'skipped' && { storedAs: formatStoreName(begun) }),
    ...status,
    startedAt,
    completedAt: run.ports.now(),
  };
};

/** Returns the value that later steps and conditions find in place of the result of a failed step. */
export const createFailedResult = (text: string): JsonMap => ({
  error: text,
  success: false,
  isError: true,
});

const isEndRequired = ({ cancellation, budget }: Run): boolean =>
  cancellation.text !== undefined || budget.problem !== undefined;

/**
 * Returns the failure that ends the run; undefined when the run continues. A run that is cancelled or exceeds its budget
 * never continues.
 */
export const findRunFailure = (run: Run, plan: StepPlan, text: string): Failure | undefined =>
  plan.allowFailure && !isEndRequired(run) ? undefined : { step: plan.id, text };

const reportFailure = (run: Run, begun: StartedStep, text: string): Report => {
  const result = createFailedResult(text);
  return {
    entry: parseRecordEntry(run, begun, { status: 'failed', result, error: text }),
    outcome: { failed: true, result },
    failure: findRunFailure(run, begun.plan, text),
  };
};

const reportOverflow = (run: Run, { input: _input, ...begun }: StartedStep): Report =>
  reportFailure(run, begun, formatBudgetProblem(run));

const reportCompletion = (run: Run, begun: StartedStep, result: JsonValue): Report => {
  if (!run.budget.reserveEntry(estimateMemoryBytes(result))) return reportOverflow(run, begun);
  const entry = parseRecordEntry(run, begun, { status: 'completed', result });
  return { entry, outcome: { failed: false, result }, failure: undefined };
};

export const createFailedReport = (run: Run, begun: StartedStep, text: string): Report =>
  run.budget.reserveEntry(text.length)
    ? reportFailure(run, begun, text)
    : reportOverflow(run, begun);

/** Returns the report of a step whose condition was not met: later steps find no result of it. */
const reportSkip = (run: Run, begun: StartedStep): Report => {
  if (!run.budget.reserveEntry(0)) return reportOverflow(run, begun);
  const entry = parseRecordEntry(run, begun, { status: 'skipped' });
  return { entry, outcome: undefined, failure: undefined };
};

/** A step past its condition, or its report when it does not get past it. */
export type Gate =
  | { readonly open: true; readonly begun: StartedStep }
  | { readonly open: false; readonly report: Report };

/** Decides the condition of a step, when it has one. */
export const evaluateGate = async (run: Run, plan: StepPlan, scope: StepScope): Promise<Gate> => {
  const begun: StartedStep = { plan, scope, startedAt: run.ports.now() };
  const condition = plan.condition;
  if (condition === undefined) return { open: true, begun };
  const decision = await decide(run, { ...plan, condition }, scope);
  if (!decision.ok) return { open: false, report: createFailedReport(run, begun, decision.error) };
  run.events?.reportCondition(plan, decision.value.passed);
  return createGate(run, { ...begun, condition: decision.value });
};

const createGate = (run: Run, begun: StartedStep & { readonly condition: ConditionEntry }): Gate =>
  begun.condition.passed ? { open: true, begun } : { open: false, report: reportSkip(run, begun) };

const callWithPlan = async (
  run: Run,
  plan: CallPlan,
  begun: StartedStep,
  args: JsonMap,
): Promise<Report> => {
  const answer = await callTool(run, plan.tool, args);
  return answer.ok
    ? reportCompletion(run, { ...begun, input: args }, answer.value)
    : createFailedReport(run, { ...begun, input: args }, answer.text);
};

const callStep = async (run: Run, plan: CallPlan, scope: StepScope): Promise<Report> => {
  if (run.yieldTimer.isDue) await run.cancellation.until(() => run.yieldTimer.yield(run.turn));
  const gate = await evaluateGate(run, plan, scope);
  if (!gate.open) return gate.report;
  run.events?.reportStepStart(plan);
  const pending = renderArguments(run, plan.args, scope.data);
  const rendered = pending instanceof Promise ? await pending : pending;
  if (rendered.ok) {
    return run.budget.reserve(rendered.made)
      ? callWithPlan(run, plan, gate.begun, rendered.args)
      : createFailedReport(run, gate.begun, formatBudgetProblem(run));
  }
  const text = `failed to resolve arguments for step ${plan.id}: ${rendered.error}`;
  return createFailedReport(run, gate.begun, text);
};

/** Runs a step that calls a tool and reports its events; it does not change the state of the run. @spec §2.7 */
export const runCall = async (run: Run, plan: CallPlan, scope: StepScope): Promise<Report> => {
  const report = await callStep(run, plan, scope);
  run.events?.reportStepEnd(report.entry, report.failure);
  return report;
};
