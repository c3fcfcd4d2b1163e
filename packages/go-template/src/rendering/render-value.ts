import type { JsonMap, JsonValue } from '../values/json-value.ts';
import { isJsonList } from '../values/json-kinds.ts';
import { MAX_VALUE_DEPTH, TOO_DEEP } from '../values/value-limits.ts';
import { fullAllowance, type RenderLimits } from './render-limits.ts';
import { compileText, renderText, type CompiledText } from './render-text.ts';
import type { TemplateData } from '../values/template-value.ts';

/** The rendered value, or why there is none and where in the value. */
export type Rendered =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly text: string };

/** A value whose texts may be templates, ready to be rendered many times. Keys are never templates. */
export type CompiledValue =
  | { readonly kind: 'constant'; readonly value: JsonValue }
  | Exclude<CompiledText, { kind: 'literal' }>
  | { readonly kind: 'list'; readonly items: readonly CompiledValue[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, CompiledValue])[] };

const compiledText = (text: string): CompiledValue => {
  const compiled = compileText(text);
  return compiled.kind === 'literal' ? { kind: 'constant', value: text } : compiled;
};

const isConstant = (compiled: CompiledValue): boolean => compiled.kind === 'constant';

const compileList = (list: readonly JsonValue[], depth: number): CompiledValue => {
  const items = list.map((item) => compileAt(item, depth));
  return items.every(isConstant) ? { kind: 'constant', value: list } : { kind: 'list', items };
};

const compileMap = (map: JsonMap, depth: number): CompiledValue => {
  const entries = Object.entries(map).map(
    ([key, value]) => [key, compileAt(value, depth)] as const,
  );
  return entries.every(([, value]) => isConstant(value))
    ? { kind: 'constant', value: map }
    : { kind: 'map', entries };
};

function compileAt(value: JsonValue, depth: number): CompiledValue {
  if (typeof value === 'string') return compiledText(value);
  if (typeof value !== 'object' || value === null) return { kind: 'constant', value };
  if (depth > MAX_VALUE_DEPTH) return { kind: 'broken', text: TOO_DEEP };
  return isJsonList(value) ? compileList(value, depth + 1) : compileMap(value, depth + 1);
}

/** Parses every template inside a value once. Parts without templates stay the values that they are. @spec §2.7 */
export const compileValue = (value: JsonValue): CompiledValue => compileAt(value, 1);

const within = (text: string, step: string): string =>
  `${step}${/^(?:\[|\.)/.test(text) ? text : `: ${text}`}`;

type RenderPart = (compiled: CompiledValue) => Rendered;

const renderList = (items: readonly CompiledValue[], render: RenderPart): Rendered => {
  const values: JsonValue[] = [];
  for (const [index, item] of items.entries()) {
    const rendered = render(item);
    if (!rendered.ok) return { ok: false, text: within(rendered.text, `[${index}]`) };
    values.push(rendered.value);
  }
  return { ok: true, value: values };
};

const renderMap = (
  entries: readonly (readonly [string, CompiledValue])[],
  render: RenderPart,
): Rendered => {
  const values: [string, JsonValue][] = [];
  for (const [key, value] of entries) {
    const rendered = render(value);
    if (!rendered.ok) return { ok: false, text: within(rendered.text, `.${key}`) };
    values.push([key, rendered.value]);
  }
  return { ok: true, value: Object.fromEntries(values) };
};

const renderPart = (
  compiled: CompiledValue,
  render: RenderPart,
  renderLeaf: (compiled: CompiledText) => Rendered,
): Rendered => {
  switch (compiled.kind) {
    case 'constant':
      return { ok: true, value: compiled.value };
    case 'list':
      return renderList(compiled.items, render);
    case 'map':
      return renderMap(compiled.entries, render);
    case 'template':
    case 'broken':
      return renderLeaf(compiled);
  }
};

/**
 * Renders every template inside a value. One action alone keeps the type of its value wherever it stands; text around it makes
 * a string; what is no template stays as it is. All templates of the value share one allowance. The failure leads to the place:
 * `.a[0]: line 1, column 4: ...`.
 *
 * @spec §2.7
 */
export const renderValue = (
  compiled: CompiledValue,
  data: TemplateData,
  limits: RenderLimits,
): Rendered => {
  const shared = { ...limits, allowance: limits.allowance ?? fullAllowance(limits) };
  const renderLeaf = (text: CompiledText): Rendered => {
    const rendered = renderText(text, data, shared);
    return rendered.ok ? { ok: true, value: rendered.value } : rendered;
  };
  const render: RenderPart = (part) => renderPart(part, render, renderLeaf);
  return render(compiled);
};
