import {
  FunctionFailure,
  isMap,
  listMapKeys,
  MAX_VALUE_DEPTH,
  OVER_BUDGET,
  type Spend,
  type TemplateMap,
  TemplateTime,
  type TemplateValue,
  TOO_DEEP,
} from './template-value.ts';
import type { JsonMap, JsonValue } from './json-value.ts';
import { countUtf8Bytes } from './utf8.ts';

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** Returns the number of parts (hours, minutes, seconds) of a form such as `-07:00`. */
const partCount = (form: string): number => (form.replaceAll(':', '').length - 1) / 2;

/** Formats an offset from UTC in the form of its element, such as `-07`, `-0700` or `Z07:00`. `Z` means no offset. */
export const formatOffset = (form: string, offsetSeconds: number): string => {
  if (form.startsWith('Z') && offsetSeconds === 0) return 'Z';
  const size = Math.abs(offsetSeconds);
  const parts = [size / 3600, (size / 60) % 60, size % 60].slice(0, partCount(form)).map(two);
  return (offsetSeconds < 0 ? '-' : '+') + parts.join(form.includes(':') ? ':' : '');
};

const MINUTE_MS = 60_000;

/** Returns a time in RFC 3339, in its own offset, with as many digits of a second as it has. */
export const formatTemplateTime = ({ ms, offsetMinutes }: TemplateTime): string => {
  const [seconds = '', rest = ''] = new Date(ms + offsetMinutes * MINUTE_MS)
    .toISOString()
    .split('.');
  const fraction = rest.slice(0, 3).replace(/0+$/, '');
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}${formatOffset('Z07:00', offsetMinutes * 60)}`;
};

/** A value as it leaves a template, with its size in bytes. */
export interface SizedJson {
  readonly json: JsonValue;
  readonly bytes: number;
}

/** Sums up while it walks, and stops where a bound is crossed. */
interface Walk {
  bytes: number;
  readonly maxBytes: number;
  /** Counts the work of the walk. */
  readonly spend: Spend;
  /** Maps that the caller still changes. They are copied in their present state. */
  readonly live: LiveMaps;
  metLive: boolean;
  problem: string | undefined;
  /** The results for large lists and maps, because a value may contain one of them many times. */
  readonly seen: Map<object, Seen>;
  /** The number of levels inside the list or map that is being visited, so far. */
  levels: number;
}

/** A list or map that was walked, and that had no problem. */
interface Seen extends SizedJson {
  readonly levels: number;
}

/** Visiting a smaller value again takes no longer than remembering it. */
const LARGE_BYTES = 1024;
const MOST_SEEN = 1000;

/** Returns whether the caller still changes a map. */
export type LiveMaps = (map: object) => boolean;

const NONE: LiveMaps = () => false;

/** Visiting a part of a value. */
const UNITS_PER_VISIT = 8;
/** Characters of a text that are counted for one unit. */
const COUNTED_PER_UNIT = 4;

const charge = (walk: Walk, bytes: number): boolean => {
  walk.bytes += bytes;
  if (walk.bytes > walk.maxBytes) walk.problem ??= 'the rendered value is larger than allowed';
  return walk.problem === undefined;
};

/** Charges for a visit before it begins. */
const chargeVisit = (walk: Walk, characters: number): boolean => {
  if (!walk.spend(UNITS_PER_VISIT + Math.ceil(characters / COUNTED_PER_UNIT)))
    walk.problem ??= OVER_BUDGET;
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

const jsonMember = (key: string, value: TemplateValue, walk: Walk, depth: number): JsonValue =>
  chargeVisit(walk, key.length) && charge(walk, countUtf8Bytes(key))
    ? jsonAt(value, walk, depth)
    : null;

const jsonMap = (map: TemplateMap, walk: Walk, depth: number): JsonValue => {
  let changed = walk.live(map);
  walk.metLive ||= changed;
  const entries: [string, JsonValue][] = [];
  const keys = listMapKeys(map, walk.spend);
  if (keys === undefined) {
    walk.problem ??= OVER_BUDGET;
    return null;
  }
  for (const key of keys) {
    const value = map[key] ?? null;
    const json = jsonMember(key, value, walk, depth);
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

/**
 * Returns the result for a list or map that was visited before, charged as if it were visited again; undefined where a visit
 * would find it too deep.
 */
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

const chargeValue = (value: TemplateValue, walk: Walk): boolean => {
  if (typeof value !== 'string') return chargeVisit(walk, 0) && charge(walk, 1);
  return chargeVisit(walk, value.length) && charge(walk, countUtf8Bytes(value) + 1);
};

function jsonAt(value: TemplateValue, walk: Walk, depth: number): JsonValue {
  if (!chargeValue(value, walk)) return null;
  if (typeof value === 'number') return jsonNumber(value, walk);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TemplateTime) return formatTemplateTime(value);
  if (depth > MAX_VALUE_DEPTH) {
    walk.problem ??= TOO_DEEP;
    return null;
  }
  return jsonContainer(value, walk, depth);
}

/** The limits of a conversion. */
export interface ExportLimits {
  readonly maxBytes: number;
  /** Counts work against the budget of the rendering. */
  readonly spend: Spend;
  /** Maps that the caller still changes; none when absent. */
  readonly isLive?: LiveMaps | undefined;
}

/**
 * Converts a value to JSON. The result is the same object where it contains no time and no live map; times become texts, live
 * maps copies. Bounded in size, work and depth.
 */
const walkJson = (
  value: TemplateValue,
  { maxBytes, spend, isLive = NONE }: ExportLimits,
): Walk & SizedJson => {
  const walk: Walk = {
    bytes: 0,
    maxBytes,
    spend,
    live: isLive,
    metLive: false,
    problem: undefined,
    seen: new Map(),
    levels: 0,
  };
  const json = jsonAt(value, walk, 1);
  return { ...walk, json };
};

/** Returns the value as JSON, the same one where nothing in it is a time; times become their texts. Bounded in size, work and depth. */
const jsonOf = (value: TemplateValue, limits: ExportLimits): SizedJson | FunctionFailure => {
  const walked = walkJson(value, limits);
  return walked.problem === undefined ? walked : new FunctionFailure(walked.problem);
};

/** Sizes stay valid, because values that are not live never change. */
const measured = new WeakMap<object, SizedJson>();

/** Converts a value that leaves its template to JSON: live parts are copied, the size of others is computed once. */
export const exportJson = (
  value: TemplateValue,
  limits: ExportLimits,
): SizedJson | FunctionFailure => {
  const container = typeof value === 'object' && value !== null ? value : undefined;
  const known = container && measured.get(container);
  if (known !== undefined && known.bytes <= limits.maxBytes) return known;
  const { json, bytes, problem, metLive } = walkJson(value, limits);
  if (problem !== undefined) return new FunctionFailure(problem);
  if (container !== undefined && !metLive) measured.set(container, { json, bytes });
  return { json, bytes };
};

const printNumber = (value: number): string | FunctionFailure =>
  Number.isFinite(value) ? String(value) : new FunctionFailure(`JSON has no number ${value}`);

/** Writing a list or a map as a text, for each byte of it. */
const UNITS_PER_WRITTEN = 2;

const printJson = (value: TemplateValue, limits: ExportLimits): string | FunctionFailure => {
  const sized = jsonOf(value, limits);
  if (sized instanceof FunctionFailure) return sized;
  return limits.spend(UNITS_PER_WRITTEN * sized.bytes)
    ? JSON.stringify(sized.json)
    : new FunctionFailure(OVER_BUDGET);
};

/**
 * A value inside a text: texts as they are, numbers as JSON prints them, lists and maps as compact JSON, times as RFC 3339.
 * Fails for what is larger than allowed or nested too deep.
 */
export const printValue = (
  value: TemplateValue,
  limits: ExportLimits,
): string | FunctionFailure => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'number') return printNumber(value);
  if (value instanceof TemplateTime) return formatTemplateTime(value);
  return printJson(value, limits);
};
