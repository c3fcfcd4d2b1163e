/** The requested part of a list; whole numbers, `limit` at least 1 and `offset` at least 0. */
export interface PageRequest {
  /** The most items of the page; absent means all that follow. */
  readonly limit?: number;
  /** Number of items before the page. Default 0. */
  readonly offset?: number;
}

/** A part of a list. */
export interface Page<T> {
  /** The length of the whole list. */
  readonly total: number;
  readonly items: readonly T[];
  /** Items follow the page. */
  readonly truncated: boolean;
}

/** Cuts a page out of a list; past the end it is empty and nothing follows. */
export function pageOf<T>(all: readonly T[], { limit, offset = 0 }: PageRequest): Page<T> {
  const end = limit === undefined ? all.length : offset + limit;
  return { total: all.length, items: all.slice(offset, end), truncated: end < all.length };
}
