import type { JsonMap, RenderAllowance, ValueTemplate } from '@gateway/go-template';
import {
  renderValues,
  renderWork,
  type IsolatedLimits,
  type RenderedValues,
} from '../../isolation/isolated-render.ts';
import type { TemplateData } from '../../model/template-data.ts';
import type { Run } from '../state/run-state.ts';
import { doWork, type Work } from './do-work.ts';

/** The position of a failure that no template causes. */
const NO_TEMPLATE = -1;

/** The rendering of values as work of a run. A class, because it is created for each step. */
class TemplateWork implements Work<RenderedValues> {
  readonly #run: Run;
  readonly #templates: readonly ValueTemplate[];
  readonly #data: TemplateData;

  constructor(run: Run, templates: readonly ValueTemplate[], data: TemplateData) {
    this.#run = run;
    this.#templates = templates;
    this.#data = data;
  }

  attempt(allowance: RenderAllowance): RenderedValues {
    return renderValues(this.#templates, this.#data, { ...this.#run.rendering, allowance });
  }

  isolated(limits: IsolatedLimits): JsonMap {
    return renderWork(this.#templates, this.#data, limits);
  }

  read(result: JsonMap): RenderedValues {
    return result as unknown as RenderedValues;
  }

  failed(text: string): RenderedValues {
    return { ok: false, at: NO_TEMPLATE, text };
  }
}

const NOTHING: RenderedValues = Object.freeze({ ok: true, values: Object.freeze([]), made: 0 });

/** Renders values in order. All of them together have the bounds of one value. At once when they are small. @spec §2.7 */
export const renderTemplates = (
  run: Run,
  templates: readonly ValueTemplate[],
  data: TemplateData,
): RenderedValues | Promise<RenderedValues> =>
  templates.length === 0 ? NOTHING : doWork(run, new TemplateWork(run, templates, data));
