import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import type { RenderedValues } from '../../isolation/isolated-render.ts';
import type { TemplateData } from '../../model/template-data.ts';
import type { ArgumentsPlan } from '../state/plan.ts';
import { emptyMap, type Run } from '../state/run-state.ts';
import { renderTemplates } from './render-templates.ts';

/** The arguments of a call, or the argument that could not be rendered and the reason. */
export type RenderedArguments =
  /** `made` is an estimate of the bytes of memory that they take in addition to existing data. */
  | { readonly ok: true; readonly args: JsonMap; readonly made: number }
  | { readonly ok: false; readonly text: string };

const argumentsOf = (plan: ArgumentsPlan, rendered: RenderedValues): RenderedArguments => {
  if (!rendered.ok) {
    const name = plan.names[rendered.at];
    if (name === undefined) return rendered;
    const text = `failed to render arguments for argument '${name}': ${rendered.text}`;
    return { ok: false, text };
  }
  const args: Record<string, JsonValue> = emptyMap();
  for (const [at, name] of plan.names.entries()) args[name] = rendered.values[at] ?? null;
  return { ok: true, args, made: rendered.made };
};

/** Renders the arguments of a call in their declared order. All of them together have the bounds of one value. @spec §2.7 */
export const renderArguments = (
  run: Run,
  plan: ArgumentsPlan,
  data: TemplateData,
): RenderedArguments | Promise<RenderedArguments> => {
  const rendered = renderTemplates(run, plan.values, data);
  return rendered instanceof Promise
    ? rendered.then((later) => argumentsOf(plan, later))
    : argumentsOf(plan, rendered);
};
