import type { JsonMap, JsonValue } from '../values/json-value.ts';
import { placeInValue } from '../value-templates/place-in-value.ts';
import type { ValueTemplate } from '../value-templates/value-template.ts';
import { fullAllowance, type RenderOptions } from './render-options.ts';
import { renderText, type Rendered } from './render-text.ts';

type RenderPart = (part: ValueTemplate) => Rendered;

const renderList = (items: readonly ValueTemplate[], render: RenderPart): Rendered => {
  const values: JsonValue[] = [];
  for (const [index, item] of items.entries()) {
    const rendered = render(item);
    if (!rendered.ok) return { ok: false, text: placeInValue(rendered.text, index) };
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
    if (!rendered.ok) return { ok: false, text: placeInValue(rendered.text, key) };
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
  const shared = { ...options, allowance: options.allowance ?? fullAllowance(options) };
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
