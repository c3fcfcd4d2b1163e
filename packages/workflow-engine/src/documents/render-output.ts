import type { JsonValue } from '@gateway/go-template';
import type { RenderedValues } from '../isolation/isolated-render.ts';

/** The rendered document, or a sentence with the part that could not be rendered and the reason. */
export type RenderedOutput =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: string };

/**
 * Returns the document of `spec.output`, which is rendered after all steps are completed. Types are preserved: a bare reference and a
 * single action keep their type, text around an action gives a string, and a value that is not a template is unchanged. The size limit
 * applies to the whole document.
 * @spec §2.7
 */
export const renderedOutput = (rendered: RenderedValues): RenderedOutput => {
  if (rendered.ok) return { ok: true, output: rendered.values[0] ?? null };
  // The text of a failure begins with its place: `.total: line 1, column 4: ...`.
  const place = rendered.at < 0 ? ': ' : '';
  return { ok: false, error: `failed to render output template: output${place}${rendered.text}` };
};
