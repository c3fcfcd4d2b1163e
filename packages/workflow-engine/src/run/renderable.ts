import type { JsonValue } from '@gateway/crd-schemas';
import {
  compileValue,
  renderValue,
  type CompiledValue,
  type Rendered,
  type RenderLimits,
} from '../template/render-value.ts';
import type { TemplateData } from '../template/template-value.ts';
import { takesResultsWhole } from './takes-results-whole.ts';

/** Something of a workflow that is rendered while the workflow runs. */
export interface Renderable {
  readonly compiled: CompiledValue;
  readonly takesResultsWhole: boolean;
}

/** Compiles a value for rendering while a workflow runs. */
export const renderableOf = (value: JsonValue): Renderable => {
  const compiled = compileValue(value);
  return { compiled, takesResultsWhole: takesResultsWhole(compiled) };
};

/** The results as they are now: those of a run grow while it runs. */
const still = (data: TemplateData): TemplateData => {
  const results = Object.assign(Object.create(null), data.results) as JsonValue;
  return { ...data, results, context: results };
};

/** Renders over the state of this moment. The value shares nothing with the state that changes later. @spec §2.7 */
export const renderNow = (
  { compiled, takesResultsWhole: whole }: Renderable,
  data: TemplateData,
  limits: RenderLimits,
): Rendered => renderValue(compiled, whole ? still(data) : data, limits);
