import type { JsonValue, Workflow } from '@gateway/crd-schemas';
import {
  type RenderLimits,
  compileValue,
  renderValue,
  type CompiledValue,
  type TemplateData,
} from '@gateway/go-template';

/** The rendered document, or the sentence that says which part of it could not be rendered and why. */
export type RenderedOutput =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: string };

const compiled = new WeakMap<Workflow, CompiledValue>();

const templateOf = (workflow: Workflow): CompiledValue => {
  const known = compiled.get(workflow);
  if (known !== undefined) return known;
  const template = compileValue(workflow.spec.output ?? {});
  compiled.set(workflow, template);
  return template;
};

/**
 * Renders `spec.output` once all steps are done. Types are preserved: a bare reference and a single action keep theirs, text
 * around an action makes a string, and what is no template stays as it is. The bound on size holds for the whole document.
 * @spec §2.7
 */
export const renderOutput = (
  workflow: Workflow,
  data: TemplateData,
  limits: RenderLimits,
): RenderedOutput => {
  const rendered = renderValue(templateOf(workflow), data, limits);
  if (rendered.ok) return { ok: true, output: rendered.value };
  // The text of a failure begins with its place: `.total: line 1, column 4: ...`.
  return { ok: false, error: `failed to render output template: output${rendered.text}` };
};
