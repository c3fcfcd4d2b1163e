import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import { fullAllowance, renderValue } from '@gateway/go-template';
import type { TemplateData } from '../../model/template-data.ts';
import type { ArgumentsPlan } from '../state/plan.ts';
import { emptyMap, type Run } from '../state/run-state.ts';

/** The arguments of a call, or the argument that could not be rendered and the reason. */
export type RenderedArguments =
  /** `made` is an estimate of the bytes of memory that they take in addition to existing data. */
  | { readonly ok: true; readonly args: JsonMap; readonly made: number }
  | { readonly ok: false; readonly text: string };

/** Renders the arguments of a call in their declared order. All of them together have the bounds of one value. @spec §2.7 */
export const renderArguments = (
  run: Run,
  plan: ArgumentsPlan,
  data: TemplateData,
): RenderedArguments => {
  const args: Record<string, JsonValue> = emptyMap();
  const limits = { ...run.rendering, allowance: fullAllowance(run.rendering) };
  for (const [name, value] of plan) {
    const rendered = renderValue(value, data, limits);
    if (!rendered.ok) {
      const text = `failed to render arguments for argument '${name}': ${rendered.text}`;
      return { ok: false, text };
    }
    args[name] = rendered.value;
  }
  return { ok: true, args, made: limits.allowance.made };
};
