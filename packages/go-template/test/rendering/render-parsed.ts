import type { RenderOptions } from '../../src/rendering/rendering.ts';
import { type Rendered, renderValue } from '../../src/rendering/render-value.ts';
import type { ParsedValue } from '../../src/value-templates/value-template.ts';
import type { JsonMap } from '../../src/values/json-value.ts';

/** Renders a parsed value; the problem of a value that could not be parsed is the failure of the rendering. */
export const renderParsed = (
  parsed: ParsedValue,
  data: JsonMap,
  options: RenderOptions,
): Rendered => (parsed.ok ? renderValue(parsed.value, data, options) : parsed);
