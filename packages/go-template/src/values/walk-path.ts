import type { JsonValue } from './json-value.ts';
import { type Outcome, type PathStep, shortenText } from '../syntax/template.ts';
import { isList, isMap, findOwnValue, type TemplateValue } from './template-value.ts';

const MAX_COMPARED = 256;
const MAX_SHOWN = 3;
const MAX_KEY_CHARS = 64;

/** A row of the classic table: how far the first letters of one text are from the first letters of another. */
type Row = readonly number[];

const readCell = (row: Row, at: number): number => row[at] ?? 0;

/** Returns the edit distance of two short texts: insertions, deletions, replacements and swaps of neighbours. */
const computeDistance = (left: string, right: string): number => {
  let before: Row = [];
  let row: Row = Array.from({ length: right.length + 1 }, (_unused, index) => index);
  for (let at = 0; at < left.length; at += 1) {
    const next = [at + 1];
    for (let other = 0; other < right.length; other += 1) {
      const changed = readCell(row, other) + (left[at] === right[other] ? 0 : 1);
      const isSwap = left[at] === right[other - 1] && left[at - 1] === right[other];
      const swapped = isSwap ? readCell(before, other - 1) + 1 : changed;
      next.push(
        Math.min(changed, swapped, readCell(row, other + 1) + 1, readCell(next, other) + 1),
      );
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
};

const formatValue = (key: string): string =>
  JSON.stringify(key.length > MAX_KEY_CHARS ? `${key.slice(0, MAX_KEY_CHARS)}...` : key);

/**
 * Returns the keys that are most similar to a missing key, as the end of a sentence: `nearest keys: "name", "names"`. Compares
 * the first 256 keys and the first 64 characters of each.
 */
export const formatNearestKeys = (keys: readonly string[], wanted: string): string => {
  if (keys.length === 0) return 'it has no keys';
  const folded = wanted.slice(0, MAX_KEY_CHARS).toLowerCase();
  const nearest = keys
    .slice(0, MAX_COMPARED)
    .map((key) => ({
      key,
      far: computeDistance(folded, key.slice(0, MAX_KEY_CHARS).toLowerCase()),
    }))
    .sort((a, b) => a.far - b.far || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_SHOWN)
    .map(({ key }) => formatValue(key));
  return `nearest ${nearest.length === 1 ? 'key' : 'keys'}: ${nearest.join(', ')}`;
};

/** The value at the end of a path, or the reason that there is none. */
export type Walked<Value> = Outcome<Value, string>;

const PLAIN_KEY = /^[\p{L}\p{Nd}_-]+$/u;

const formatStep = (step: PathStep): string => {
  if (step.kind === 'index') return `[${step.index}]`;
  return PLAIN_KEY.test(step.key) ? shortenText(step.key) : shortenText(JSON.stringify(step.key));
};

/** Returns the value of one step; undefined when there is none. Own keys and items only. */
const findStepValue = (value: TemplateValue, step: PathStep): TemplateValue | undefined => {
  if (step.kind === 'index') return isList(value) ? value[step.index] : undefined;
  return isMap(value) ? findOwnValue(value, step.key) : undefined;
};

const explainStepFailure = (value: TemplateValue, step: PathStep, written: string): string => {
  const path = `path '${shortenText(written)}'`;
  if (step.kind === 'index') {
    return isList(value)
      ? `index ${step.index} out of range in ${path}`
      : `cannot index '${formatStep(step)}' in ${path}: not an array`;
  }
  if (!isMap(value)) return `cannot access '${formatStep(step)}' in ${path}: not an object`;
  const nearest = formatNearestKeys(Object.keys(value), step.key);
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
    const next = findStepValue(current, step);
    if (next === undefined) return { ok: false, error: explainStepFailure(current, step, written) };
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
