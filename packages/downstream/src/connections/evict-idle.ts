import type { ConnectionRow } from './connection-table.ts';
import type { ConnectionBound } from './policy.ts';

/** The rows that count for the bounds, least recently used first. */
export interface CountedRows {
  readonly placed: readonly ConnectionRow[];
  /** Rows whose connection is ending, which no new call uses and which cannot be evicted. */
  readonly draining: readonly ConnectionRow[];
  /** Returns whether no call runs on the connection and nothing needs it. */
  readonly isIdle: (row: ConnectionRow) => boolean;
}

/** The rows to evict, or the reason why there is no place. */
export type Eviction =
  | { readonly ok: true; readonly evicted: readonly ConnectionRow[] }
  | { readonly ok: false; readonly reason: string };

/** Returns the least recently used idle rows to evict for another, by bound in order. Nothing is evicted for a row that is refused. */
export const findEviction = (
  wanted: Pick<ConnectionRow, 'server' | 'owner'>,
  { placed, draining, isIdle }: CountedRows,
  bounds: readonly ConnectionBound[],
): Eviction => {
  const evicted = new Set<ConnectionRow>();
  for (const { max, reason, group } of bounds) {
    const wantedGroup = group(wanted);
    if (wantedGroup === undefined) continue;
    const counts = (row: ConnectionRow): boolean => group(row) === wantedGroup && !evicted.has(row);
    const counted = placed.filter(counts);
    let excess = counted.length + draining.filter(counts).length + 1 - max;
    for (const row of counted) {
      if (excess <= 0) break;
      if (!isIdle(row)) continue;
      evicted.add(row);
      excess -= 1;
    }
    if (excess > 0) return { ok: false, reason };
  }
  return { ok: true, evicted: [...evicted] };
};
