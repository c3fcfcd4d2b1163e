import type { DownstreamBounds } from '../wire/limits.ts';
import { inSlices } from './in-slices.ts';
import { displayEntry } from './display-entry.ts';
import type { EntryBounds } from './display-entry.ts';
import { sessionReason } from '../wire/request-outcome.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';

/** One kind of list of a server. */
export interface ListKind<T> {
  readonly method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';
  /** The member of the answer that contains the entries. */
  readonly key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  /** A member of an entry, besides its title and description, that only readers use. */
  readonly label?: 'name';
  readonly parse: (entry: unknown) => T | undefined;
}

/** Requests one page. */
export type AskPage = (
  method: string,
  params: Readonly<Record<string, unknown>>,
) => Promise<RequestOutcome>;

/** A complete list, or the reason why it could not be read. */
export type ListOutcome<T> =
  | { readonly ok: true; readonly items: readonly T[]; readonly refused: number }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly rpcCode?: number;
      readonly httpStatus?: number;
    };

const failureOf = (
  method: string,
  outcome: Extract<RequestOutcome, { ok: false }>,
): Extract<ListOutcome<never>, { ok: false }> => {
  const { failure } = outcome;
  switch (failure.kind) {
    case 'refused':
      return { ok: false, reason: `${method}: ${failure.message}`, rpcCode: failure.rpcCode };
    case 'timeout':
      return { ok: false, reason: `${method} was not answered within ${failure.timeoutMs} ms` };
    case 'cancelled':
      return { ok: false, reason: `${method} was cancelled` };
    case 'input-required':
      return {
        ok: false,
        reason: `${method}: the server requires input, which this request cannot provide`,
      };
    case 'lost':
      return {
        ok: false,
        reason: `${method}: ${failure.reason}`,
        ...(failure.httpStatus === undefined ? {} : { httpStatus: failure.httpStatus }),
      };
    case 'session-refused':
      return { ok: false, reason: `${method}: ${sessionReason(failure)}` };
    case 'unauthorized':
    case 'not-given':
    case 'invalid':
      return { ok: false, reason: `${method}: ${failure.reason}` };
  }
};

/** The entries of one page. */
interface Page<T> {
  readonly items: readonly T[];
  readonly refused: number;
  readonly next?: string;
}

const pageOf = async <T>(
  kind: ListKind<T>,
  result: Readonly<Record<string, unknown>>,
  bounds: EntryBounds,
): Promise<Page<T> | undefined> => {
  const entries: unknown = result[kind.key];
  if (!Array.isArray(entries)) return undefined;
  const items: T[] = [];
  await inSlices(entries, (entry: unknown) => {
    const item = kind.parse(displayEntry(entry, bounds, kind.label));
    if (item !== undefined) items.push(item);
  });
  const next = result['nextCursor'];
  return {
    items,
    refused: entries.length - items.length,
    ...(typeof next === 'string' && next !== '' ? { next } : {}),
  };
};

/**
 * Reads all pages of a list within the bounds. Entries without an identifier, nested too deeply or too long are omitted and counted; the
 * texts of the others are cleaned for display. A repeated cursor is an error, because the pages would never end.
 */
export const readList = async <T>(
  kind: ListKind<T>,
  ask: AskPage,
  bounds: EntryBounds & Pick<DownstreamBounds, 'maxListPages' | 'maxListItems'>,
): Promise<ListOutcome<T>> => {
  const refuse = (reason: string): ListOutcome<T> => ({
    ok: false,
    reason: `${kind.method}: ${reason}`,
  });
  const items: T[] = [];
  const cursors = new Set<string>();
  let refused = 0;
  let cursor: string | undefined;
  for (let count = 0; count < bounds.maxListPages; count += 1) {
    const outcome = await ask(kind.method, cursor === undefined ? {} : { cursor });
    if (!outcome.ok) return failureOf(kind.method, outcome);
    const page = await pageOf(kind, outcome.result, bounds);
    if (page === undefined) return refuse(`the answer has no "${kind.key}" list`);
    for (const item of page.items) items.push(item);
    refused += page.refused;
    if (items.length + refused > bounds.maxListItems)
      return refuse(`more than ${bounds.maxListItems} entries`);
    if (page.next === undefined) return { ok: true, items, refused };
    if (cursors.has(page.next)) return refuse('a cursor is repeated');
    cursors.add(page.next);
    cursor = page.next;
  }
  return refuse(`more than ${bounds.maxListPages} pages`);
};
