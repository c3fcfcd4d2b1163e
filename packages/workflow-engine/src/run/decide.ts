import type { Expectations, JsonValue } from '@gateway/crd-schemas';
import { memoryBytes } from '@gateway/go-template';
import type { ExpectationsMet } from '../expectations/expectations.ts';
import type { RenderedValues } from '../isolation/isolated-work.ts';
import type { ConditionEntry } from '../model/finished-run.ts';
import { callTool } from './call-tool.ts';
import type { ConditionPlan, StepPlan } from './plan.ts';
import { budgetText, type Outcome, type Run, type Scope } from './run-state.ts';
import { checkOutcome, renderArguments, renderTemplates } from './do-work.ts';

/** The outcome of a condition, or the reason that it could not be evaluated. */
export type Decision =
  | { readonly ok: true; readonly value: ConditionEntry }
  | { readonly ok: false; readonly error: string };

interface Question<K extends ConditionPlan['source']> {
  readonly run: Run;
  readonly id: string;
  readonly condition: Extract<ConditionPlan, { source: K }>;
  readonly scope: Scope;
}

interface Checked {
  readonly outcome: Outcome;
  readonly expected: Expectations;
  readonly tool: string;
  /** The value in the record, when it is not the checked result. */
  readonly shown?: JsonValue;
}

const decidedByTemplate = (
  { run, id }: Question<'template'>,
  rendered: RenderedValues,
): Decision => {
  if (!rendered.ok) {
    const text = `failed to evaluate condition template for step ${id}: ${rendered.error}`;
    return { ok: false, error: run.budget.problem ?? text };
  }
  const [value = null] = rendered.values;
  if (!run.budget.reserve(memoryBytes(value))) return { ok: false, error: budgetText(run) };
  const passed = value === true || value === 'true';
  return { ok: true, value: { passed, result: value, tool: 'template' } };
};

const decideByTemplate = (question: Question<'template'>): Decision | Promise<Decision> => {
  const { run, condition, scope } = question;
  const rendered = renderTemplates(run, [condition.template], scope.data);
  return rendered instanceof Promise
    ? rendered.then((later) => decidedByTemplate(question, later))
    : decidedByTemplate(question, rendered);
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
  if (!run.budget.reserve(memoryBytes(answer.value))) return { ok: false, error: budgetText(run) };
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
export const decide = (
  run: Run,
  { id, condition }: StepPlan & { readonly condition: ConditionPlan },
  scope: Scope,
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
