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

const formatTwoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** Returns the number of parts (hours, minutes, seconds) of a form such as `-07:00`. */
const countOffsetParts = (form: string): number => (form.replaceAll(':', '').length - 1) / 2;

/** Formats an offset from UTC in the form of its element, such as `-07`, `-0700` or `Z07:00`. `Z` means no offset. */
export const formatOffset = (form: string, offsetSeconds: number): string => {
  if (form.startsWith('Z') && offsetSeconds === 0) return 'Z';
  const size = Math.abs(offsetSeconds);
  const parts = [size / 3600, (size / 60) % 60, size % 60]
    .slice(0, countOffsetParts(form))
    .map(formatTwoDigits);
  return (offsetSeconds < 0 ? '-' : '+') + parts.join(form.includes(':') ? ':' : '');
};

const MINUTE_MS = 60_000;

/** Formats a time in RFC 3339 with its own offset and without trailing zeros. */
export const formatTemplateTime = ({ ms, offsetMinutes }: TemplateTime): string => {
  const [seconds = '', rest = ''] = new Date(ms + offsetMinutes * MINUTE_MS)
    .toISOString()
    .split('.');
  const fraction = rest.slice(0, 3).replace(/0+$/, '');
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}${formatOffset('Z07:00', offsetMinutes * 60)}`;
};

/** A JSON value that a template produced, with its size in bytes. */
export interface SizedJson {
  readonly json: JsonValue;
  readonly bytes: number;
}

/** The state of a conversion, which stops at the first exceeded limit. */
interface Walk {
  bytes: number;
  readonly maxBytes: number;
  /** Counts the work of the walk. */
  readonly spend: Spend;
  /** Maps that the caller still changes. They are copied in their present state. */
  readonly isLive: IsLiveMap;
  hasLiveMap: boolean;
  problem: string | undefined;
  /** The results for large lists and maps, which may occur many times in a value. */
  readonly seen: Map<object, VisitedContainer>;
  /** The depth found so far inside the list or map that is being converted. */
  levels: number;
}

/** The result for a list or map that was converted before. */
interface VisitedContainer extends SizedJson {
  readonly levels: number;
}

/** Smaller values are not cached, because converting them again is as fast. */
const MIN_CACHED_BYTES = 1024;
const MAX_CACHED_RESULTS = 1000;

/** Returns whether the caller still changes a map. */
export type IsLiveMap = (map: object) => boolean;

const NO_LIVE_MAPS: IsLiveMap = () => false;

/** The cost of visiting one value, in work units. */
const UNITS_PER_VISIT = 8;
/** The characters of a string that cost one work unit. */
const CHARACTERS_PER_UNIT = 4;

const charge = (walk: Walk, bytes: number): boolean => {
  walk.bytes += bytes;
  if (walk.bytes > walk.maxBytes) walk.problem ??= 'the rendered value is larger than allowed';
  return walk.problem === undefined;
};

/** Charges for a visit before it begins. */
const chargeVisit = (walk: Walk, characters: number): boolean => {
  if (!walk.spend(UNITS_PER_VISIT + Math.ceil(characters / CHARACTERS_PER_UNIT)))
    walk.problem ??= OVER_BUDGET;
  return walk.problem === undefined;
};

const exportList = (list: readonly TemplateValue[], walk: Walk, depth: number): JsonValue => {
  let copy: JsonValue[] | undefined;
  for (const [index, item] of list.entries()) {
    const json = exportValue(item, walk, depth);
    if (walk.problem !== undefined) return null;
    if (json !== item) copy ??= list.slice() as JsonValue[];
    if (copy !== undefined) copy[index] = json;
  }
  return copy ?? (list as readonly JsonValue[]);
};

const exportMember = (key: string, value: TemplateValue, walk: Walk, depth: number): JsonValue =>
  chargeVisit(walk, key.length) && charge(walk, countUtf8Bytes(key))
    ? exportValue(value, walk, depth)
    : null;

const exportMap = (map: TemplateMap, walk: Walk, depth: number): JsonValue => {
  let changed = walk.isLive(map);
  walk.hasLiveMap ||= changed;
  const entries: [string, JsonValue][] = [];
  const keys = listMapKeys(map, walk.spend);
  if (keys === undefined) {
    walk.problem ??= OVER_BUDGET;
    return null;
  }
  for (const key of keys) {
    const value = map[key] ?? null;
    const json = exportMember(key, value, walk, depth);
    if (walk.problem !== undefined) return null;
    changed ||= json !== value;
    entries.push([key, json]);
  }
  return changed ? Object.fromEntries(entries) : (map as JsonMap);
};

const exportNumber = (value: number, walk: Walk): JsonValue => {
  if (!Number.isFinite(value)) walk.problem ??= `JSON has no number ${value}`;
  return value;
};

/**
 * Returns the earlier result for a list or map, and charges its size. Returns undefined when its levels would exceed the
 * maximum depth.
 */
const findSeenResult = (value: object, walk: Walk, depth: number): JsonValue | undefined => {
  const seen = walk.seen.get(value);
  if (seen === undefined || depth + seen.levels > MAX_VALUE_DEPTH) return undefined;
  charge(walk, seen.bytes);
  walk.levels = Math.max(walk.levels, seen.levels + 1);
  return seen.json;
};

const exportContainer = (
  value: readonly TemplateValue[] | TemplateMap,
  walk: Walk,
  depth: number,
): JsonValue => {
  const again = findSeenResult(value, walk, depth);
  if (again !== undefined) return again;
  const { bytes: bytesBefore, levels: levelsBefore } = walk;
  walk.levels = 0;
  const json = isMap(value)
    ? exportMap(value, walk, depth + 1)
    : exportList(value, walk, depth + 1);
  const { levels, seen } = walk;
  const bytes = walk.bytes - bytesBefore;
  if (bytes >= MIN_CACHED_BYTES && seen.size < MAX_CACHED_RESULTS && walk.problem === undefined) {
    seen.set(value, { json, bytes, levels });
  }
  walk.levels = Math.max(levelsBefore, levels + 1);
  return json;
};

const chargeValue = (value: TemplateValue, walk: Walk): boolean => {
  if (typeof value !== 'string') return chargeVisit(walk, 0) && charge(walk, 1);
  return chargeVisit(walk, value.length) && charge(walk, countUtf8Bytes(value) + 1);
};

function exportValue(value: TemplateValue, walk: Walk, depth: number): JsonValue {
  if (!chargeValue(value, walk)) return null;
  if (typeof value === 'number') return exportNumber(value, walk);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TemplateTime) return formatTemplateTime(value);
  if (depth > MAX_VALUE_DEPTH) {
    walk.problem ??= TOO_DEEP;
    return null;
  }
  return exportContainer(value, walk, depth);
}

/** The limits of a conversion. */
export interface ExportLimits {
  readonly maxBytes: number;
  /** Counts work against the budget of the rendering. */
  readonly spend: Spend;
  /** Maps that the caller still changes; none when absent. */
  readonly isLive?: IsLiveMap | undefined;
}

/**
 * Converts a value to JSON. Returns the same object when it contains no time and no live map; times become strings, live
 * maps copies. Bounded in size, work and depth.
 */
const walkJson = (
  value: TemplateValue,
  { maxBytes, spend, isLive = NO_LIVE_MAPS }: ExportLimits,
): Walk & SizedJson => {
  const walk: Walk = {
    bytes: 0,
    maxBytes,
    spend,
    isLive,
    hasLiveMap: false,
    problem: undefined,
    seen: new Map(),
    levels: 0,
  };
  const json = exportValue(value, walk, 1);
  return { ...walk, json };
};

/** Converts a value to JSON with its size, or returns the failure. */
const toSizedJson = (value: TemplateValue, limits: ExportLimits): SizedJson | FunctionFailure => {
  const walked = walkJson(value, limits);
  return walked.problem === undefined ? walked : new FunctionFailure(walked.problem);
};

/** Sizes stay valid, because values that are not live never change. */
const sizeCache = new WeakMap<object, SizedJson>();

/** Converts the result of a template to JSON. Copies live maps, and caches the size of other values. */
export const exportJson = (
  value: TemplateValue,
  limits: ExportLimits,
): SizedJson | FunctionFailure => {
  const container = typeof value === 'object' && value !== null ? value : undefined;
  const known = container && sizeCache.get(container);
  if (known !== undefined && known.bytes <= limits.maxBytes) return known;
  const { json, bytes, problem, hasLiveMap } = walkJson(value, limits);
  if (problem !== undefined) return new FunctionFailure(problem);
  if (container !== undefined && !hasLiveMap) sizeCache.set(container, { json, bytes });
  return { json, bytes };
};

const printNumber = (value: number): string | FunctionFailure =>
  Number.isFinite(value) ? String(value) : new FunctionFailure(`JSON has no number ${value}`);

/** The cost of each serialized byte of a list or map, in work units. */
const UNITS_PER_WRITTEN_BYTE = 2;

const printJson = (value: TemplateValue, limits: ExportLimits): string | FunctionFailure => {
  const sized = toSizedJson(value, limits);
  if (sized instanceof FunctionFailure) return sized;
  return limits.spend(UNITS_PER_WRITTEN_BYTE * sized.bytes)
    ? JSON.stringify(sized.json)
    : new FunctionFailure(OVER_BUDGET);
};

/**
 * Formats a value inside a string: strings unchanged, numbers, lists and maps as compact JSON, times as RFC 3339.
 * Fails when the value is too large or nested too deeply.
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
