import type { ValueTemplate } from '@gateway/go-template';
import { renderValues, renderWork, type RenderedValues } from '../../isolation/isolated-render.ts';
import type { TemplateData } from '../../model/template-data.ts';
import type { Run } from '../state/run-state.ts';
import { doWork } from './do-work.ts';

/** The position of a failure that no template causes. */
const NO_TEMPLATE = -1;

/** Renders values in order. All of them together have the bounds of one value. At once when they are small. @spec §2.7 */
export const renderTemplates = (
  run: Run,
  templates: readonly ValueTemplate[],
  data: TemplateData,
): RenderedValues | Promise<RenderedValues> =>
  doWork<RenderedValues>(run, {
    attempt: (allowance) => renderValues(templates, data, { ...run.rendering, allowance }),
    isolated: (limits) => renderWork(templates, data, limits),
    read: (result) => result as unknown as RenderedValues,
    failed: (text) => ({ ok: false, at: NO_TEMPLATE, text }),
  });
