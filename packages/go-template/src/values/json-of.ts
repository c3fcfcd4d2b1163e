import type { JsonMap, JsonValue } from './json-value.ts';
import { isMap, type TemplateMap } from './template-map.ts';
import { timeText } from './time-text.ts';
import { MAX_VALUE_DEPTH, TOO_DEEP } from './value-limits.ts';
import { FunctionFailure, TemplateTime, type TemplateValue } from './template-value.ts';
import { utf8Length } from './utf8.ts';

/** A value as it leaves a template, with its size in bytes. */
export interface SizedJson {
  readonly json: JsonValue;
  readonly bytes: number;
}

/** Sums up while it walks, and stops where a bound is crossed. */
interface Walk {
  bytes: number;
  readonly maxBytes: number;
  /** Maps that others still add to. They are copied as they are now. */
  readonly live: LiveMaps;
  metLive: boolean;
  problem: string | undefined;
  /** What large lists and maps turned out to be: a value may hold one of them many times over. */
  readonly seen: Map<object, Seen>;
  /** How many levels are inside the list or map that is being walked, so far. */
  levels: number;
}

/** A list or map that was walked, and that had no problem. */
interface Seen extends SizedJson {
  readonly levels: number;
}

/** Smaller ones are walked again, which takes no longer than it does to remember them. */
const LARGE_BYTES = 1024;
const MOST_SEEN = 1000;

/** Which maps others still add to. */
export type LiveMaps = (map: object) => boolean;

const NONE: LiveMaps = () => false;

const charge = (walk: Walk, bytes: number): boolean => {
  walk.bytes += bytes;
  if (walk.bytes > walk.maxBytes) walk.problem ??= 'the rendered value is larger than allowed';
  return walk.problem === undefined;
};

const jsonList = (list: readonly TemplateValue[], walk: Walk, depth: number): JsonValue => {
  let copy: JsonValue[] | undefined;
  for (const [index, item] of list.entries()) {
    const json = jsonAt(item, walk, depth);
    if (walk.problem !== undefined) return null;
    if (json !== item) copy ??= list.slice() as JsonValue[];
    if (copy !== undefined) copy[index] = json;
  }
  return copy ?? (list as readonly JsonValue[]);
};

const jsonMap = (map: TemplateMap, walk: Walk, depth: number): JsonValue => {
  let changed = walk.live(map);
  walk.metLive ||= changed;
  const entries: [string, JsonValue][] = [];
  for (const key of Object.keys(map)) {
    const value = map[key] ?? null;
    if (!charge(walk, utf8Length(key))) return null;
    const json = jsonAt(value, walk, depth);
    if (walk.problem !== undefined) return null;
    changed ||= json !== value;
    entries.push([key, json]);
  }
  return changed ? Object.fromEntries(entries) : (map as JsonMap);
};

const jsonNumber = (value: number, walk: Walk): JsonValue => {
  if (!Number.isFinite(value)) walk.problem ??= `JSON has no number ${value}`;
  return value;
};

/** A list or map that was met before: charged as if it was walked again. Nothing where that would find it too deep. */
const jsonAgain = (value: object, walk: Walk, depth: number): JsonValue | undefined => {
  const seen = walk.seen.get(value);
  if (seen === undefined || depth + seen.levels > MAX_VALUE_DEPTH) return undefined;
  charge(walk, seen.bytes);
  walk.levels = Math.max(walk.levels, seen.levels + 1);
  return seen.json;
};

const jsonContainer = (
  value: readonly TemplateValue[] | TemplateMap,
  walk: Walk,
  depth: number,
): JsonValue => {
  const again = jsonAgain(value, walk, depth);
  if (again !== undefined) return again;
  const { bytes: bytesBefore, levels: levelsBefore } = walk;
  walk.levels = 0;
  const json = isMap(value) ? jsonMap(value, walk, depth + 1) : jsonList(value, walk, depth + 1);
  const { levels, seen } = walk;
  const bytes = walk.bytes - bytesBefore;
  if (bytes >= LARGE_BYTES && seen.size < MOST_SEEN && walk.problem === undefined) {
    seen.set(value, { json, bytes, levels });
  }
  walk.levels = Math.max(levelsBefore, levels + 1);
  return json;
};

function jsonAt(value: TemplateValue, walk: Walk, depth: number): JsonValue {
  if (!charge(walk, typeof value === 'string' ? utf8Length(value) + 1 : 1)) return null;
  if (typeof value === 'number') return jsonNumber(value, walk);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TemplateTime) return timeText(value);
  if (depth > MAX_VALUE_DEPTH) {
    walk.problem ??= TOO_DEEP;
    return null;
  }
  return jsonContainer(value, walk, depth);
}

/**
 * The value as JSON, the same one where nothing in it is a time or `live`; times become their texts, live maps copies.
 * Bounded in size and depth.
 */
const walkJson = (value: TemplateValue, maxBytes: number, live: LiveMaps): Walk & SizedJson => {
  const walk: Walk = {
    bytes: 0,
    maxBytes,
    live,
    metLive: false,
    problem: undefined,
    seen: new Map(),
    levels: 0,
  };
  const json = jsonAt(value, walk, 1);
  return { ...walk, json };
};

/** The value as JSON, the same one where nothing in it is a time; times become their texts. Bounded in size and depth. */
export const jsonOf = (value: TemplateValue, maxBytes: number): SizedJson | FunctionFailure => {
  const walked = walkJson(value, maxBytes, NONE);
  return walked.problem === undefined ? walked : new FunctionFailure(walked.problem);
};

/** What was measured once stays true: values that are not live never change. */
const measured = new WeakMap<object, SizedJson>();

/** {@link jsonOf} for a value that leaves its template: what is live in it becomes a copy, and what is not is measured once. */
export const leavingJson = (
  value: TemplateValue,
  maxBytes: number,
  live: LiveMaps,
): SizedJson | FunctionFailure => {
  const container = typeof value === 'object' && value !== null ? value : undefined;
  const known = container && measured.get(container);
  if (known !== undefined && known.bytes <= maxBytes) return known;
  const { json, bytes, problem, metLive } = walkJson(value, maxBytes, live);
  if (problem !== undefined) return new FunctionFailure(problem);
  if (container !== undefined && !metLive) measured.set(container, { json, bytes });
  return { json, bytes };
};
