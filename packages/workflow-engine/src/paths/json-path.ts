import {
  type JsonPathSegment,
  type JsonPathSelector,
  type Path,
  shortenText,
} from '@gateway/go-template';
import type { JsonValue } from '@gateway/crd-schemas';
import { JSONPath } from 'jsonpath-plus';
import { SearchTooLarge, GuardedView, type SearchLimits } from './guarded-view.ts';

/** A path that is ready to search with. */
export interface JsonPathQuery {
  readonly written: string;
  /** Names and single indexes only: it leads to one value at most. Other paths give a list. */
  readonly leadsToOne: boolean;
  readonly segments: number;
  /** The path as the library reads it, with `k<n>` for each name and index. */
  readonly safeExpression: string;
  readonly selectors: readonly JsonPathSelector[];
}

/** What a search found. */
export type JsonPathFind =
  | { readonly kind: 'found'; readonly value: JsonValue }
  | { readonly kind: 'missing' }
  /** The search was given up; `text` says why. */
  | { readonly kind: 'refused'; readonly text: string };

/** Bounds of a search: about a third of a second at the worst. */
const SEARCH_LIMITS: SearchLimits = { maxVisits: 250_000, maxDepth: 200 };

/** What all searches of one check may look together. */
const MAX_SHARED_VISITS = 4 * SEARCH_LIMITS.maxVisits;

/** Bounds for searches that belong together, such as those of one check. */
export const sharedSearchLimits = (): SearchLimits => ({
  ...SEARCH_LIMITS,
  shared: { left: MAX_SHARED_VISITS },
});

/** The library copies the rest of the path at every step, so that each look of a longer path takes longer. */
const SEGMENTS_PER_VISIT = 32;

/** How many parsed paths the library may remember. It never forgets one by itself. */
const MAX_REMEMBERED = 1000;

const MISSING: JsonPathFind = Object.freeze({ kind: 'missing' });

/** Writes segments with numbers for names, and collects the selectors that the numbers stand for. */
const safeExpressionOf = (
  segments: readonly JsonPathSegment[],
  selectors: JsonPathSelector[],
): string => {
  const written = (selector: JsonPathSelector): string => {
    if (selector.kind === 'all') return '*';
    if (selector.kind === 'slice') return selector.written;
    return `k${String(selectors.push(selector) - 1)}`;
  };
  const parts = segments.map(
    ({ descends, selectors: of }) => `${descends ? '..' : ''}[${of.map(written).join(',')}]`,
  );
  return `$${parts.join('')}`;
};

const isPlain = ({ descends, selectors: [first, ...others] }: JsonPathSegment): boolean =>
  !descends && others.length === 0 && (first?.kind === 'name' || first?.kind === 'index');

/** Makes a path ready to search with. */
export const compileJsonPath = ({
  segments,
  written,
}: Extract<Path, { kind: 'json-path' }>): JsonPathQuery => {
  const selectors: JsonPathSelector[] = [];
  const safeExpression = safeExpressionOf(segments, selectors);
  const leadsToOne = segments.every(isPlain);
  return { written, leadsToOne, segments: segments.length, safeExpression, selectors };
};

let remembered = 0;

const search = (query: JsonPathQuery, view: GuardedView): unknown => {
  remembered += 1;
  if (remembered > MAX_REMEMBERED) {
    JSONPath.cache = {};
    remembered = 0;
  }
  return JSONPath({
    path: query.safeExpression,
    json: view.root as object,
    eval: false,
    wrap: false,
    autostart: false,
  }).evaluate(query.safeExpression, view.root as object, undefined, undefined);
};

const shaped = (query: JsonPathQuery, found: unknown, view: GuardedView): JsonValue => {
  if (query.leadsToOne) return view.behind(found) ?? null;
  const list = isResultList(found, view) ? found : [found];
  return list.map((value) => view.behind(value) ?? null);
};

/** The library makes a list of what it found, but not always; views of the document's own lists are values. */
const isResultList = (found: unknown, view: GuardedView): found is readonly unknown[] =>
  Array.isArray(found) && view.behind(found) === undefined;

const refusalOf = (error: unknown, { written }: JsonPathQuery, limits: SearchLimits): string => {
  const shown = shortenText(written);
  return error instanceof SearchTooLarge
    ? `path '${shown}' leads to too many places, or more than ${limits.maxDepth} levels deep`
    : `path '${shown}' cannot be followed`;
};

/**
 * Searches a document. A path of names and single indexes finds the value; any other finds the list of all that it matches,
 * and is missing when that is nothing. Never throws, and gives up at its bounds. Nothing of the path is run as code.
 * @spec §2.7
 */
export const findByJsonPath = (
  query: JsonPathQuery,
  document: JsonValue,
  limits: SearchLimits = SEARCH_LIMITS,
): JsonPathFind => {
  if (query.safeExpression === '$') return { kind: 'found', value: document };
  if (typeof document !== 'object' || document === null) return MISSING;
  try {
    const weight = Math.max(1, query.segments / SEGMENTS_PER_VISIT);
    const view = new GuardedView(document, query.selectors, { ...limits, weight });
    const found = search(query, view);
    return found === undefined ? MISSING : { kind: 'found', value: shaped(query, found, view) };
  } catch (error) {
    return { kind: 'refused', text: refusalOf(error, query, limits) };
  }
};
