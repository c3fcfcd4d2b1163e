import { findPlace } from '../syntax/parse-template.ts';
import { type JsonMap, type JsonValue, estimateMemoryBytes } from '../values/json-value.ts';
import { formatError, type Outcome, type Pipeline, type Template } from '../syntax/template.ts';
import { evaluate, renderNodes } from './render-nodes.ts';
import { exportJson, type IsLiveMap } from '../values/export-json.ts';
import {
  createFullAllowance,
  RenderFailure,
  type Rendering,
  type RenderOptions,
  startRendering,
} from './rendering.ts';
import { FunctionFailure } from '../values/template-value.ts';
import { countUtf8Bytes } from '../values/utf8.ts';
import { formatMemberProblem, type ValueTemplate } from '../value-templates/value-template.ts';

/** The rendered value, or the reason that there is none, with its place. */
export type Rendered = Outcome<JsonValue, string>;

const createRenderFailure = (template: Template, { text, at }: RenderFailure): Rendered => ({
  ok: false,
  error: formatError({ ...findPlace(template.text, at), message: text }),
});

const renderSingle = (
  pipeline: Pipeline,
  rendering: Rendering,
  data: JsonMap,
  isLive: IsLiveMap | undefined,
): Rendered => {
  const value = evaluate(pipeline.value, { rendering, slots: [data], dot: data });
  const sized =
    value instanceof RenderFailure
      ? value
      : exportJson(value, { maxBytes: rendering.maxBytes, spend: rendering.spend, isLive });
  if (sized instanceof RenderFailure) return createRenderFailure(rendering.template, sized);
  if (sized instanceof FunctionFailure)
    return createRenderFailure(rendering.template, new RenderFailure(sized.text, pipeline.at));
  const { json, bytes } = sized;
  // A reference passes on an existing value, unless that value was live.
  if (pipeline.value.kind === 'call' || json !== value)
    rendering.allowance.made += estimateMemoryBytes(json);
  rendering.allowance.bytes -= bytes;
  return { ok: true, value: json };
};

const renderWhole = (rendering: Rendering, data: JsonMap): Rendered => {
  const { template, maxBytes, allowance } = rendering;
  const flow = renderNodes(template.nodes, { rendering, slots: [data], dot: data });
  if (flow instanceof RenderFailure) return createRenderFailure(template, flow);
  const bytes = countUtf8Bytes(rendering.text);
  if (bytes > maxBytes) return { ok: false, error: 'the rendered text is larger than allowed' };
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
const renderText = (template: Template, data: JsonMap, options: RenderOptions): Rendered => {
  const rendering = startRendering(template, options);
  const { single } = template;
  return single === undefined
    ? renderWhole(rendering, data)
    : renderSingle(single, rendering, data, options.isLive);
};

type RenderPart = (part: ValueTemplate) => Rendered;

const renderList = (items: readonly ValueTemplate[], render: RenderPart): Rendered => {
  const values: JsonValue[] = [];
  for (const [index, item] of items.entries()) {
    const rendered = render(item);
    if (!rendered.ok) return { ok: false, error: formatMemberProblem(rendered.error, index) };
    values.push(rendered.value);
  }
  return { ok: true, value: values };
};

const renderMap = (
  entries: readonly (readonly [string, ValueTemplate])[],
  render: RenderPart,
): Rendered => {
  const values: [string, JsonValue][] = [];
  for (const [key, value] of entries) {
    const rendered = render(value);
    if (!rendered.ok) return { ok: false, error: formatMemberProblem(rendered.error, key) };
    values.push([key, rendered.value]);
  }
  return { ok: true, value: Object.fromEntries(values) };
};

/**
 * Renders every template inside a value. One action alone preserves the type of its value; with text around it the result is a
 * string; texts that are not templates are unchanged. All templates of the value share one allowance. The text of a failure
 * begins with the place: `.a[0]: line 1, column 4: ...`.
 *
 * @param data the value of `.` and `$`; only own keys are found
 * @spec §2.7
 */
export const renderValue = (
  value: ValueTemplate,
  data: JsonMap,
  options: RenderOptions,
): Rendered => {
  const shared = { ...options, allowance: options.allowance ?? createFullAllowance(options) };
  const render: RenderPart = (part) => {
    switch (part.kind) {
      case 'constant':
        return { ok: true, value: part.value };
      case 'template':
        return renderText(part.template, data, shared);
      case 'list':
        return renderList(part.items, render);
      case 'map':
        return renderMap(part.entries, render);
    }
  };
  return render(value);
};
