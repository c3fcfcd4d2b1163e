import { placeOf } from '../syntax/parsing/parse-template.ts';
import type { JsonMap, JsonValue } from '../values/json-value.ts';
import type { Pipeline, Template } from '../syntax/tree/template.ts';
import { memoryBytes } from '../values/memory-bytes.ts';
import { evaluate } from './evaluate.ts';
import { exportJson, type LiveMaps } from '../values/json-of.ts';
import { RenderFailure } from './render-failure.ts';
import type { RenderOptions } from './render-options.ts';
import { renderNodes } from './render-nodes.ts';
import { startRendering, type Rendering } from './rendering.ts';
import { FunctionFailure } from '../values/template-value.ts';
import { utf8Length } from '../values/utf8.ts';

/** The rendered value, or the reason that there is none, with its place. */
export type Rendered =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly text: string };

const placed = (text: string, { line, column }: { line: number; column: number }): string =>
  `line ${line}, column ${column}: ${text}`;

const failed = (template: Template, { text, at }: RenderFailure): Rendered => ({
  ok: false,
  text: placed(text, placeOf(template.text, at)),
});

const renderSingle = (
  pipeline: Pipeline,
  rendering: Rendering,
  data: JsonMap,
  isLive: LiveMaps | undefined,
): Rendered => {
  const value = evaluate(pipeline.value, { rendering, slots: [data], dot: data });
  const sized =
    value instanceof RenderFailure
      ? value
      : exportJson(value, { maxBytes: rendering.maxBytes, spend: rendering.spend, isLive });
  if (sized instanceof RenderFailure) return failed(rendering.template, sized);
  if (sized instanceof FunctionFailure)
    return failed(rendering.template, new RenderFailure(sized.text, pipeline.at));
  const { json, bytes } = sized;
  // A reference passes on an existing value, unless that value was live.
  if (pipeline.value.kind === 'call' || json !== value)
    rendering.allowance.made += memoryBytes(json);
  rendering.allowance.bytes -= bytes;
  return { ok: true, value: json };
};

const renderWhole = (rendering: Rendering, data: JsonMap): Rendered => {
  const { template, maxBytes, allowance } = rendering;
  const flow = renderNodes(template.nodes, { rendering, slots: [data], dot: data });
  if (flow instanceof RenderFailure) return failed(template, flow);
  const bytes = utf8Length(rendering.text);
  if (bytes > maxBytes) return { ok: false, text: 'the rendered text is larger than allowed' };
  allowance.made += bytes;
  allowance.bytes -= bytes;
  return { ok: true, value: rendering.text };
};

/**
 * Renders a template: one action alone preserves the type of its value, any other template gives a string. Interprets over own
 * keys within the limits and the remaining allowance; never throws.
 *
 * @spec §2.7
 */
export const renderText = (
  template: Template,
  data: JsonMap,
  options: RenderOptions,
): Rendered => {
  const rendering = startRendering(template, options);
  const { single } = template;
  return single === undefined
    ? renderWhole(rendering, data)
    : renderSingle(single, rendering, data, options.isLive);
};
