import {
  isJsonList,
  isJsonMap,
  type JsonPathSegment,
  type JsonPathSelector,
  parsePath,
  type Path,
  shortenText,
} from '@gateway/go-template';
import type { JsonValue } from '@gateway/crd-schemas';
import {
  formatJsonProblem,
  JsonScan,
  parseJson,
  type RequestedParts,
  scanInSlices,
} from '@gateway/mcp-wire';

/** A path of names, indexes, slices, unions, `*` and `..`. */
export type JsonPath = Extract<Path, { kind: 'json-path' }>;

/** The result of a search. */
export type JsonPathFind =
  | { readonly kind: 'found'; readonly value: JsonValue }
  | { readonly kind: 'missing' }
  /** The search exceeded its limits; `text` is the reason. */
  | { readonly kind: 'refused'; readonly text: string };

/** Bounds of one search. */
export interface SearchLimits {
  readonly maxVisits: number;
  /** The remaining visits of all searches that share them. */
  readonly shared?: { left: number };
  /** Levels below the root that it may go down. */
  readonly maxDepth: number;
}

/** Bounds of a search: about 30 milliseconds at the worst. */
const SEARCH_LIMITS: SearchLimits = { maxVisits: 250_000, maxDepth: 200 };

/** Maximum number of visits of all searches of one check. */
const MAX_SHARED_VISITS = 4 * SEARCH_LIMITS.maxVisits;

/** Visits of a check that must not hold up other work of the process. */
const INLINE_VISITS = 8000;

/** Bounds of the searches of a check within the process that serves other callers. */
export const createInlineLimits = (): Required<SearchLimits> => ({
  ...SEARCH_LIMITS,
  shared: { left: INLINE_VISITS },
});

/** Bounds for searches that belong together, such as those of one check. */
export const createSharedLimits = (): SearchLimits => ({
  ...SEARCH_LIMITS,
  shared: { left: MAX_SHARED_VISITS },
});

/** Thrown by a search that exceeds its limits; caught where the search began. */
class SearchTooLarge extends Error {}

const listMembers = (value: JsonValue): readonly JsonValue[] => {
  if (isJsonList(value)) return value;
  return isJsonMap(value) ? Object.values(value) : [];
};

const selectSlice = (list: readonly JsonValue[], written: string): readonly JsonValue[] => {
  const [start = '', end = '', step = ''] = written.split(':');
  const part = list.slice(Number(start), end === '' ? undefined : Number(end));
  return step === '' ? part : part.filter((_, index) => index % Number(step) === 0);
};

/** Returns the members that a selector selects: names of objects, everything else of lists. Own members only. */
const selectMembers = (value: JsonValue, selector: JsonPathSelector): readonly JsonValue[] => {
  switch (selector.kind) {
    case 'all':
      return listMembers(value);
    case 'name': {
      const { name } = selector;
      const member = isJsonMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      return member === undefined ? [] : [member];
    }
    case 'index': {
      const item = isJsonList(value) ? value.at(selector.index) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'slice':
      return isJsonList(value) ? selectSlice(value, selector.written) : [];
  }
};

interface Reached {
  readonly value: JsonValue;
  readonly depth: number;
}

/** A search under limits. The results of each segment are in the order of the document. */
class Search {
  readonly #limits: SearchLimits;
  #visits = 0;

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  follow(segments: readonly JsonPathSegment[], document: JsonValue): readonly Reached[] {
    this.#count(1);
    let all: readonly Reached[] = [{ value: document, depth: 0 }];
    for (const { descends, selectors } of segments) {
      const found: Reached[] = [];
      for (const reached of all) {
        if (descends) this.#descend(reached, selectors, found);
        else this.#select(reached, selectors, found);
      }
      all = found;
    }
    return all;
  }

  /** Selects members of a value and of everything below it. */
  #descend(reached: Reached, selectors: readonly JsonPathSelector[], found: Reached[]): void {
    this.#select(reached, selectors, found);
    const members = listMembers(reached.value);
    this.#count(members.length);
    for (const member of members)
      this.#descend(this.#reach(member, reached.depth + 1), selectors, found);
  }

  #select(
    { value, depth }: Reached,
    selectors: readonly JsonPathSelector[],
    found: Reached[],
  ): void {
    for (const selector of selectors) {
      const members = selectMembers(value, selector);
      this.#count(Math.max(1, members.length));
      for (const member of members) found.push(this.#reach(member, depth + 1));
    }
  }

  #reach(value: JsonValue, depth: number): Reached {
    const isContainer = typeof value === 'object' && value !== null;
    if (isContainer && depth > this.#limits.maxDepth) throw new SearchTooLarge();
    return { value, depth };
  }

  #count(visits: number): void {
    const { maxVisits, shared } = this.#limits;
    this.#visits += visits;
    if (shared !== undefined) shared.left -= visits;
    if (this.#visits > maxVisits || (shared?.left ?? 0) < 0) throw new SearchTooLarge();
  }
}

const MISSING = Object.freeze({ kind: 'missing' } as const);

/** Returns whether a segment leads to at most one value: a single name or index. */
const isPlain = ({ descends, selectors: [first, ...others] }: JsonPathSegment): boolean =>
  !descends && others.length === 0 && (first?.kind === 'name' || first?.kind === 'index');

/**
 * Searches a document. A path of names and single indexes finds one value; any other path finds the list of all matches, and is
 * missing when it is empty. Stops at its limits. Nothing in the path is run as code, and no key of the document is syntax.
 * @spec §2.7
 */
export const findByJsonPath = (
  { segments, written }: JsonPath,
  document: JsonValue,
  limits: SearchLimits = SEARCH_LIMITS,
): JsonPathFind => {
  try {
    const all = new Search(limits).follow(segments, document);
    const [first] = all;
    if (first === undefined) return MISSING;
    const value = segments.every(isPlain) ? first.value : all.map((reached) => reached.value);
    return { kind: 'found', value };
  } catch (error) {
    if (!(error instanceof SearchTooLarge)) throw error;
    const shown = shortenText(written);
    const text = `path '${shown}' leads to too many places, or more than ${limits.maxDepth} levels deep`;
    return { kind: 'refused', text };
  }
};

/** The characters of a name that a scan finds however it is escaped. */
const MAX_SCANNED_NAME_CHARS = 40;

/** Items of a slice whose places a scan returns. */
const MAX_SCANNED_ITEMS = 10_000;

/** Returns the range of the items that a selector selects; `undefined` where a scan cannot find them. */
const toRange = (selector: JsonPathSelector): RequestedParts['range'] => {
  if (selector.kind === 'index')
    return selector.index < 0 ? undefined : [selector.index, selector.index + 1];
  if (selector.kind !== 'slice') return undefined;
  const [from = 0, to = 0, step = 0] = selector.written.split(':').map(Number);
  const isBounded = from >= 0 && to > 0 && to - from <= MAX_SCANNED_ITEMS;
  return isBounded && step === 0 ? [from, to] : undefined;
};

/** Returns the request for the parts that a segment selects; `undefined` where a scan cannot find them. */
const toScanRequest = ({ descends, selectors }: JsonPathSegment): RequestedParts | undefined => {
  const [selector, ...others] = selectors;
  if (descends || selector === undefined || others.length > 0) return undefined;
  if (selector.kind !== 'name') {
    const range = toRange(selector);
    return range && { elements: {}, range };
  }
  const { name } = selector;
  const isScanned = name !== '' && name.length <= MAX_SCANNED_NAME_CHARS;
  return isScanned ? { members: { [name]: {} } } : undefined;
};

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Returns the text of a requested member, or of requested items with the commas between them. */
const findParts = async (
  text: Uint8Array,
  request: RequestedParts,
): Promise<Uint8Array | undefined> => {
  const scan = new JsonScan(text, request);
  await scanInSlices(scan);
  const { root } = scan;
  if (root === undefined) return undefined;
  const items = text[root.from] === OPEN_BRACKET ? root.elements : undefined;
  const [first, ...others] = items ?? Object.values(root.members ?? {});
  return first && text.subarray(first.from, (others.at(-1) ?? first).to);
};

const EVERY_ITEM: JsonPathSegment = { descends: false, selectors: [{ kind: 'all' }] };

/** JSON, and the rest of a path in it. */
interface NarrowedJson {
  readonly json: Uint8Array;
  readonly segments: readonly JsonPathSegment[];
}

/** Follows the segments at the start of a path without parsing. Returns `undefined` when they lead nowhere. */
const narrowText = async (
  text: Uint8Array,
  segments: readonly JsonPathSegment[],
): Promise<NarrowedJson | undefined> => {
  const [segment, ...rest] = segments;
  const request = segment && toScanRequest(segment);
  if (request === undefined) return { json: text, segments };
  const parts = await findParts(text, request);
  if (parts === undefined) return undefined;
  if (segment?.selectors[0]?.kind !== 'slice') return narrowText(parts, rest);
  const list = new Uint8Array(parts.length + 2).fill(OPEN_BRACKET, 0, 1).fill(CLOSE_BRACKET, -1);
  list.set(parts, 1);
  return { json: list, segments: rest.length === 0 ? [] : [EVERY_ITEM, ...rest] };
};

const toSegments = (path: Path): readonly JsonPathSegment[] =>
  path.kind === 'json-path'
    ? path.segments
    : path.steps.map((step) => ({
        descends: false,
        selectors: [step.kind === 'key' ? { kind: 'name', name: step.key } : step],
      }));

/** JSON that was found in JSON text, as it is written there, or why there is none. */
export type JsonTextFind =
  | { readonly kind: 'found'; readonly json: Uint8Array }
  | Exclude<JsonPathFind, { readonly kind: 'found' }>;

/**
 * Searches JSON text (UTF-8) with a path as it is written. Parses only what leading names, indexes and a slice lead to, and that only where the path goes on.
 * @spec §2.7 `jsonPath`
 */
export const findInJsonText = async (written: string, text: Uint8Array): Promise<JsonTextFind> => {
  const path = parsePath(written);
  if (!path.ok) return { kind: 'refused', text: path.error };
  const narrowed = await narrowText(text, toSegments(path.value));
  if (narrowed === undefined) return MISSING;
  const { json, segments } = narrowed;
  if (segments.length === 0) return { kind: 'found', json };
  const parsed = parseJson(json);
  if (!parsed.ok) {
    const reason = formatJsonProblem(parsed.problem);
    return { kind: 'refused', text: `the JSON at path '${shortenText(written)}': ${reason}` };
  }
  const found = findByJsonPath({ kind: 'json-path', segments, written }, parsed.value as JsonValue);
  return found.kind === 'found'
    ? { kind: 'found', json: new TextEncoder().encode(JSON.stringify(found.value)) }
    : found;
};
