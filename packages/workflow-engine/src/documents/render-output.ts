import type { Workflow } from '@gateway/crd-schemas';
import { renderValue, type JsonValue, type RenderOptions } from '@gateway/go-template';
import type { TemplateData } from '../model/template-data.ts';

/** The rendered document, or a sentence with the part that could not be rendered and the reason. */
export type RenderedOutput =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: string };

/**
 * Renders `spec.output` after all steps are completed. Types are preserved: a bare reference and a single action keep their
 * type, text around an action gives a string, and a value that is not a template is unchanged. The size limit applies to the
 * whole document.
 * @spec §2.7
 */
export const renderOutput = (
  output: NonNullable<Workflow['spec']['output']>,
  data: TemplateData,
  options: RenderOptions,
): RenderedOutput => {
  const rendered = renderValue(output.parsed, data, options);
  if (rendered.ok) return { ok: true, output: rendered.value };
  // The text of a failure begins with its place: `.total: line 1, column 4: ...`.
  return { ok: false, error: `failed to render output template: output${rendered.text}` };
};
