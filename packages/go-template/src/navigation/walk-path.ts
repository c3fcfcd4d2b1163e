import type { JsonValue } from '../values/json-value.ts';
import type { PathStep } from '../syntax/tree/path.ts';
import { isList, isMap, ownValue } from '../values/template-map.ts';
import { nearestKeysText } from './nearest-keys.ts';
import { shortenText } from './shorten-text.ts';
import type { TemplateValue } from '../values/template-value.ts';

/** The value at the end of a path, or the reason that there is none. */
export type Walked<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly text: string };

const PLAIN_KEY = /^[\p{L}\p{Nd}_-]+$/u;

const stepText = (step: PathStep): string => {
  if (step.kind === 'index') return `[${step.index}]`;
  return PLAIN_KEY.test(step.key) ? shortenText(step.key) : shortenText(JSON.stringify(step.key));
};

/** Returns the value of one step; undefined when there is none. Own keys and items only. */
const stepValue = (value: TemplateValue, step: PathStep): TemplateValue | undefined => {
  if (step.kind === 'index') return isList(value) ? value[step.index] : undefined;
  return isMap(value) ? ownValue(value, step.key) : undefined;
};

const missingText = (value: TemplateValue, step: PathStep, written: string): string => {
  const path = `path '${shortenText(written)}'`;
  if (step.kind === 'index') {
    return isList(value)
      ? `index ${step.index} out of range in ${path}`
      : `cannot index '${stepText(step)}' in ${path}: not an array`;
  }
  if (!isMap(value)) return `cannot access '${stepText(step)}' in ${path}: not an object`;
  const nearest = nearestKeysText(Object.keys(value), step.key);
  return `${path} not found: map has no entry for key ${shortenText(JSON.stringify(step.key))}; ${nearest}`;
};

/**
 * Follows a path into a value, for templates, bare references and `jsonPath` alike. Only own keys and existing items are found;
 * the text names the whole path as `written` and the nearest keys.
 *
 * @spec §2.7 `jsonPath`; §9.3
 */
export const walkSteps = (
  value: TemplateValue,
  steps: readonly PathStep[],
  written: string,
): Walked<TemplateValue> => {
  let current = value;
  for (const step of steps) {
    const next = stepValue(current, step);
    if (next === undefined) return { ok: false, text: missingText(current, step, written) };
    current = next;
  }
  return { ok: true, value: current };
};

/** Follows a path into a JSON value, which contains JSON only. */
export const walkPath = (
  value: JsonValue,
  steps: readonly PathStep[],
  written: string,
): Walked<JsonValue> => walkSteps(value, steps, written) as Walked<JsonValue>;
