import type { JsonValue, Workflow } from '@gateway/crd-schemas';
import {
  compileValue,
  renderValue,
  type CompiledValue,
  type RenderLimits,
} from '../template/render-value.ts';
import type { TemplateData } from '../template/template-value.ts';
import { jsonBytes } from './json-bytes.ts';

/** The rendered document, or the sentence that says which part of it could not be rendered and why. */
export type RenderedOutput =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: string };

type Members = readonly (readonly [key: string, value: CompiledValue])[];

const compiled = new WeakMap<Workflow, Members>();

const membersOf = (workflow: Workflow): Members => {
  const known = compiled.get(workflow);
  if (known !== undefined) return known;
  const members = Object.entries(workflow.spec.output ?? {}).map(
    ([key, value]) => [key, compileValue(value)] as const,
  );
  compiled.set(workflow, members);
  return members;
};

const failure = (key: string, text: string): RenderedOutput => ({
  ok: false,
  error: `failed to render output template: output.${key}: ${text}`,
});

/**
 * Renders `spec.output` once all steps are done. Types are preserved: a bare reference and a single action keep theirs, text
 * around an action makes a string, and what is no template stays as it is. The bound on size holds for the whole document.
 * @spec §2.7 `spec.output`
 */
export const renderOutput = (
  workflow: Workflow,
  data: TemplateData,
  limits: RenderLimits,
): RenderedOutput => {
  const output = Object.create(null) as Record<string, JsonValue>;
  let left = limits.maxBytes;
  for (const [key, value] of membersOf(workflow)) {
    const rendered = renderValue(value, data, limits);
    if (!rendered.ok) return failure(key, rendered.text);
    left -= jsonBytes(rendered.value, left);
    if (left < 0)
      return failure(key, `the document is larger than ${String(limits.maxBytes)} bytes`);
    output[key] = rendered.value;
  }
  return { ok: true, output };
};
