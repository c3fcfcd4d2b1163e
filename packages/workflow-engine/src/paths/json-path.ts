import {
  type JsonPathSegment,
  type JsonPathSelector,
  type Path,
  shortenText,
} from '@gateway/go-template';
import type { JsonValue } from '@gateway/crd-schemas';
import { JSONPath } from 'jsonpath-plus';
import {
  SearchTooLarge,
  GuardedView,
  type SearchLimits,
  type SharedVisits,
} from './guarded-view.ts';

/** A path that is ready to search with. */
export interface JsonPathQuery {
  readonly written: string;
  /** True when the path has names and single indexes only: it matches at most one value. Other paths give a list. */
  readonly leadsToOne: boolean;
  readonly segments: number;
  /** The path as the library reads it, with `k<n>` for each name and index. */
  readonly safeExpression: string;
  readonly selectors: readonly JsonPathSelector[];
}

/** The result of a search. */
export type JsonPathFind =
  | { readonly kind: 'found'; readonly value: JsonValue }
  | { readonly kind: 'missing' }
  /** The search exceeded its limits or failed; `text` is the reason. */
  | { readonly kind: 'refused'; readonly text: string };

/** Bounds of a search: about a third of a second at the worst. */
const SEARCH_LIMITS: SearchLimits = { maxVisits: 250_000, maxDepth: 200 };

/** Maximum number of visits of all searches of one check. */
const MAX_SHARED_VISITS = 4 * SEARCH_LIMITS.maxVisits;

/** Visits of a check that must not hold up other work of the process: about ten milliseconds. */
const INLINE_VISITS = 8000;

/** Bounds of the searches of a check within the process that serves other callers. */
export const inlineSearchLimits = (): SearchLimits & { readonly shared: SharedVisits } => ({
  ...SEARCH_LIMITS,
  shared: { left: INLINE_VISITS },
});

/** Bounds for searches that belong together, such as those of one check. */
export const sharedSearchLimits = (): SearchLimits => ({
  ...SEARCH_LIMITS,
  shared: { left: MAX_SHARED_VISITS },
});

/** The library copies the rest of the path at every step, so each visit of a longer path costs more. */
const SEGMENTS_PER_VISIT = 32;

/** Maximum number of parsed paths in the cache of the library, which has no limit of its own. */
const MAX_REMEMBERED = 1000;

const MISSING: JsonPathFind = Object.freeze({ kind: 'missing' });

/** Returns segments with numbers instead of names, and collects the selectors behind the numbers. */
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

/** Prepares a path for searches. */
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
    JSONPath.clearCache();
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

/**
 * The library usually, but not always, returns a list of results; representations of the document's own lists are
 * values.
 */
const isResultList = (found: unknown, view: GuardedView): found is readonly unknown[] =>
  Array.isArray(found) && view.behind(found) === undefined;

const refusalOf = (error: unknown, { written }: JsonPathQuery, limits: SearchLimits): string => {
  const shown = shortenText(written);
  return error instanceof SearchTooLarge
    ? `path '${shown}' leads to too many places, or more than ${limits.maxDepth} levels deep`
    : `path '${shown}' cannot be followed`;
};

/**
 * Searches a document. A path of names and single indexes finds one value; any other path finds the list of all matches, and is
 * missing when it is empty. Never throws, and stops at its limits. Nothing in the path is run as code.
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
