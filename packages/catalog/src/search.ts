import type { CatalogTool } from './catalog-tool.ts';
import { filterTools, type FilterError, type ToolFilters } from './filter-tools.ts';
import { pageOf, type Page, type PageRequest } from './page.ts';
import { rankedPage, type RankOptions } from './rank-tools.ts';
import type { CatalogSnapshot } from './snapshot.ts';

/** Search conditions and the requested page. */
export interface ToolSearch extends ToolFilters, PageRequest, RankOptions {
  /** Ranks what passes the filters; absent means catalog order. */
  readonly query?: string;
}

/** A tool that was found; it has a score when there was a query. */
export interface FoundTool {
  readonly tool: CatalogTool;
  readonly score?: number;
}

/** The page that was asked for, or why there is none. */
export type SearchOutcome =
  | { readonly ok: true; readonly page: Page<FoundTool> }
  | { readonly ok: false; readonly error: FilterError };

/**
 * Searches tools of one snapshot: filters first, then ranking, then the page.
 *
 * @param candidates tools of the snapshot, in catalog order
 */
export function searchTools(
  snapshot: CatalogSnapshot,
  candidates: readonly CatalogTool[],
  search: ToolSearch,
): SearchOutcome {
  const filtered = filterTools(candidates, search);
  if (!filtered.ok) return filtered;
  if (search.query !== undefined) {
    const { query } = search;
    const page = rankedPage(snapshot, { ...search, query, candidates: filtered.tools });
    return { ok: true, page };
  }
  const page = pageOf(filtered.tools, search);
  return { ok: true, page: { ...page, items: page.items.map((tool) => ({ tool })) } };
}
