import type { JsonValue } from '@gateway/crd-schemas';
import { isJsonList } from '@gateway/go-template';
import type { LoopPlan } from '../state/plan.ts';
import { renderTemplates } from './render-templates.ts';
import { runCall } from './run-call.ts';
import {
  budgetText,
  dataOf,
  emptyMap,
  settle,
  type Failure,
  type Run,
  type Scope,
} from '../state/run-state.ts';

/** The list of a loop, or the reason that there is none. */
export type LoopItems =
  | { readonly ok: true; readonly items: readonly JsonValue[] }
  | { readonly ok: false; readonly text: string };

/** Renders the items of a loop: a list of a bounded length, and nothing else. @spec §2.7 */
export const itemsOf = async (
  run: Run,
  { id, expression, items }: LoopPlan,
): Promise<LoopItems> => {
  const { maxLoopItems } = run.limits;
  const refuse = (text: string): LoopItems => ({ ok: false, text: `forEach step ${id}: ${text}` });
  const rendered = await renderTemplates(run, [items], run.scope.data);
  if (!rendered.ok) return refuse(`failed to render items: ${rendered.text}`);
  // The items are retained as long as the loop runs.
  if (!run.budget.reserve(rendered.made)) return { ok: false, text: budgetText(run) };
  const [value = null] = rendered.values;
  const about = `items expression "${expression}" resolved to`;
  if (value === null) return refuse(`${about} nil`);
  if (!isJsonList(value)) return refuse(`${about} ${typeof value}, expected a list`);
  if (value.length <= maxLoopItems) return { ok: true, items: value };
  return refuse(`${about} ${value.length} items, more than the ${maxLoopItems} allowed`);
};

const scopeOf = (run: Run, as: string, item: JsonValue, iteration: number): Scope => {
  const vars = emptyMap();
  vars[as] = item;
  vars[`${as}_index`] = iteration;
  return { data: dataOf(run.scope.data.input, run.results, vars), iteration };
};

/** Runs the sub-steps of a loop for each item in order, up to the first failure that is not allowed. @spec §2.7 */
export const runLoop = async (
  run: Run,
  { steps, as }: LoopPlan,
  items: readonly JsonValue[],
): Promise<Failure | undefined> => {
  for (const [iteration, item] of items.entries()) {
    const scope = scopeOf(run, as, item, iteration);
    for (const step of steps) {
      const report = await runCall(run, step, scope);
      settle(run, report);
      run.progress?.subStepEnded(report.entry);
      if (report.failure !== undefined) return report.failure;
    }
  }
  return undefined;
};
