import {
  allowanceWithin,
  isJsonList,
  isSpent,
  renderValue,
  stepsTaken,
  type JsonMap,
  type JsonValue,
  type RenderOptions,
  type ValueTemplate,
} from '@gateway/go-template';
import type { TemplateData } from '../model/template-data.ts';
import { referencedData } from './referenced-data.ts';
import { sourceOf, valueOf } from './template-source.ts';

/** Rendered values, or the position of the first one that failed and the reason. */
export type RenderedValues =
  /** `made` is an estimate of the bytes of memory that they take in addition to existing data. */
  | { readonly ok: true; readonly values: readonly JsonValue[]; readonly made: number }
  | { readonly ok: false; readonly at: number; readonly text: string };

/** Renders values in order with one allowance. */
export const renderValues = (
  templates: readonly ValueTemplate[],
  data: JsonMap,
  options: Required<Pick<RenderOptions, 'allowance'>> & RenderOptions,
): RenderedValues => {
  const values: JsonValue[] = [];
  for (const template of templates) {
    const rendered = renderValue(template, data, options);
    if (!rendered.ok) return { ok: false, at: values.length, text: rendered.text };
    values.push(rendered.value);
  }
  return { ok: true, values, made: options.allowance.made };
};

/** The limits of work that is done in another process. */
export interface IsolatedLimits {
  readonly maxBytes: number;
  readonly maxSteps: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the rendering of values as isolated work. */
export const renderWork = (
  templates: readonly ValueTemplate[],
  data: TemplateData,
  limits: IsolatedLimits,
): JsonMap => ({
  kind: 'render',
  templates: templates.map(sourceOf),
  data: referencedData(templates, data),
  limits: { ...limits },
});

/** Does the work of {@link renderWork}. */
export const doRenderWork = (work: JsonMap): JsonMap => {
  const { maxBytes, maxSteps, now } = work['limits'] as unknown as IsolatedLimits;
  const options = { maxBytes, now: () => now };
  const given = allowanceWithin(options, maxSteps);
  const allowance = { ...given };
  const templates = isJsonList(work['templates']) ? work['templates'].map(valueOf) : [];
  const rendered = renderValues(templates, work['data'] as JsonMap, { ...options, allowance });
  return { ...rendered, steps: stepsTaken(given, allowance), spent: isSpent(allowance) };
};
