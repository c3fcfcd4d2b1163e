import { isTemplate, parseTemplate, placeOf } from '../syntax/parsing/parse-template.ts';
import type { JsonMap, JsonValue } from '../values/json-value.ts';
import type { Pipeline, Template } from '../syntax/tree/template.ts';
import { heldBytes } from '../values/memory-bytes.ts';
import { evaluate } from './evaluate.ts';
import { leavingJson, type LiveMaps } from '../values/json-of.ts';
import { RenderFailure } from './render-failure.ts';
import type { RenderLimits } from './render-limits.ts';
import { renderNodes } from './render-nodes.ts';
import { startRendering, type Rendering } from './rendering.ts';
import {
  FunctionFailure,
  type TemplateData,
  type TemplateValue,
} from '../values/template-value.ts';
import { utf8Length } from '../values/utf8.ts';

/** A text, ready to be rendered many times. */
export type CompiledText =
  | { readonly kind: 'literal'; readonly value: string }
  | { readonly kind: 'template'; readonly template: Template; readonly single?: Pipeline }
  /** Validation refuses such a text before; it fails whenever it is rendered. */
  | { readonly kind: 'broken'; readonly text: string };

/** The rendered value with its size, or why there is none, with line and column where they are known. */
export type RenderedText =
  | { readonly ok: true; readonly value: JsonValue; readonly bytes: number }
  | { readonly ok: false; readonly text: string };

/** The pipeline of a template that is nothing but one action which prints. */
const singleOf = ({ nodes }: Template): Pipeline | undefined => {
  const [node, second] = nodes;
  if (second !== undefined || node?.kind !== 'action') return undefined;
  return node.pipeline.targets.length === 0 ? node.pipeline : undefined;
};

const placed = (text: string, { line, column }: { line: number; column: number }): string =>
  `line ${line}, column ${column}: ${text}`;

/** Parses a text once. A text without `{{` and `}}` stands for itself. @spec §2.7 */
export const compileText = (text: string): CompiledText => {
  if (!isTemplate(text)) return { kind: 'literal', value: text };
  const parsed = parseTemplate(text);
  if (!parsed.ok) return { kind: 'broken', text: placed(parsed.message, parsed) };
  const { template } = parsed;
  const single = singleOf(template);
  return { kind: 'template', template, ...(single && { single }) };
};

const failed = (template: Template, { text, at }: RenderFailure): RenderedText => ({
  ok: false,
  text: placed(text, placeOf(template.text, at)),
});

/** The data as what they are: an object whose own keys count. */
const rootOf = (data: TemplateData): TemplateValue => data as unknown as JsonMap;

/** A run goes on to put results into these; a value that leaves the template does not change with them. */
const liveIn =
  (data: TemplateData): LiveMaps =>
  (map) =>
    map === data.results || map === data.vars || map === data.context;

const renderSingle = (
  pipeline: Pipeline,
  rendering: Rendering,
  data: TemplateData,
): RenderedText => {
  const root = rootOf(data);
  const value = evaluate(pipeline.value, { rendering, slots: [root], dot: root });
  const sized =
    value instanceof RenderFailure ? value : leavingJson(value, rendering.maxBytes, liveIn(data));
  if (sized instanceof RenderFailure) return failed(rendering.template, sized);
  if (sized instanceof FunctionFailure)
    return failed(rendering.template, new RenderFailure(sized.text, pipeline.at));
  const { json, bytes } = sized;
  // A reference hands on what is there, unless that was live.
  if (pipeline.value.kind === 'call' || json !== value) rendering.allowance.made += heldBytes(json);
  return { ok: true, value: json, bytes };
};

const renderWhole = (rendering: Rendering, data: TemplateData): RenderedText => {
  const root = rootOf(data);
  const { template, maxBytes, allowance } = rendering;
  const flow = renderNodes(template.nodes, { rendering, slots: [root], dot: root });
  if (flow instanceof RenderFailure) return failed(template, flow);
  const bytes = utf8Length(rendering.text);
  if (bytes > maxBytes) return { ok: false, text: 'the rendered text is larger than allowed' };
  allowance.made += bytes;
  return { ok: true, value: rendering.text, bytes };
};

/**
 * Renders a text: one action alone keeps the type of its value, everything else is a string. Interpreted over own keys, within
 * the limits and what is left of their allowance; never throws.
 *
 * @spec §2.7
 */
export const renderText = (
  compiled: CompiledText,
  data: TemplateData,
  limits: RenderLimits,
): RenderedText => {
  if (compiled.kind === 'literal') {
    return { ok: true, value: compiled.value, bytes: utf8Length(compiled.value) };
  }
  if (compiled.kind === 'broken') return { ok: false, text: compiled.text };
  const rendering = startRendering(compiled.template, limits);
  const rendered =
    compiled.single === undefined
      ? renderWhole(rendering, data)
      : renderSingle(compiled.single, rendering, data);
  if (rendered.ok) rendering.allowance.bytes -= rendered.bytes;
  return rendered;
};
