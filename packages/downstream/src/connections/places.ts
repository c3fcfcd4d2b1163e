import type { DrainingConnections } from './attempts.ts';
import type { ConnectionRow, OwnerKind } from './connection-table.ts';
import type { ConnectionBound, OwnerPolicy } from './policy.ts';

/** The rows that count for the bounds, least recently used first. */
interface CountedRows {
  readonly placed: readonly ConnectionRow[];
  /** Rows whose connection is ending, which no new call uses and which cannot be evicted. */
  readonly draining: readonly ConnectionRow[];
  /** Returns whether no call runs on the connection and nothing needs it. */
  readonly isIdle: (row: ConnectionRow) => boolean;
}

type Eviction =
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

interface PlacesOptions {
  readonly policies: Readonly<Record<OwnerKind, OwnerPolicy>>;
  readonly draining: DrainingConnections<ConnectionRow>;
  readonly now: () => number;
}

export class Places {
  readonly #options: PlacesOptions;
  /** Monotonic time of the last use, least recently used first. */
  readonly #used: Readonly<Record<OwnerKind, Map<ConnectionRow, number>>> = {
    shared: new Map(),
    user: new Map(),
    session: new Map(),
  };

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  use(row: ConnectionRow): void {
    const used = this.#used[row.owner.kind];
    used.delete(row);
    used.set(row, this.#options.now());
  }

  leave(row: ConnectionRow): void {
    this.#used[row.owner.kind].delete(row);
  }

  countByServer(kind: OwnerKind): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { server, connection } of this.#used[kind].keys())
      if (connection !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1);
    return counts;
  }

  /** Returns the rows that were not used for the time that their policy permits, least recently used first. */
  unused(kind: OwnerKind): readonly ConnectionRow[] {
    const { now, policies } = this.#options;
    const since = now() - policies[kind].idleMs;
    return [...this.#used[kind]].flatMap(([row, at]) => (at > since ? [] : [row]));
  }

  /** Takes a place. Returns the rows to evict for the row, or the reason why there is no place. */
  take(row: ConnectionRow, isIdle: CountedRows['isIdle']): Eviction {
    const { kind } = row.owner;
    const { bounds, countsEnding } = this.#options.policies[kind];
    const used = this.#used[kind];
    const draining = countsEnding ? this.#draining(kind) : [];
    const eviction: Eviction = used.has(row)
      ? { ok: true, evicted: [] }
      : findEviction(row, { placed: [...used.keys()], draining, isIdle }, bounds);
    if (eviction.ok && bounds.length > 0) this.use(row);
    return eviction;
  }

  /** Waits until the evicted processes leave room for that of a row with a place. */
  async untilEvictedHaveEnded(row: ConnectionRow, signal: AbortSignal): Promise<void> {
    const { kind } = row.owner;
    const { policies, draining } = this.#options;
    const { bounds, countsEnding } = policies[kind];
    if (!countsEnding) return;
    const isFull = (): boolean => {
      const ending = draining.closing.filter(({ owner }) => owner.kind === kind);
      const all = [...this.#used[kind].keys(), ...this.#draining(kind), ...ending];
      return bounds.some(({ max, group }) => {
        const own = group(row);
        const counts = (other: ConnectionRow): boolean => own !== undefined && group(other) === own;
        return ending.some(counts) && all.filter(counts).length > max;
      });
    };
    while (!signal.aborted && isFull()) await draining.oneClosed();
  }

  #draining(kind: OwnerKind): readonly ConnectionRow[] {
    return this.#options.draining.draining.filter(({ owner }) => owner.kind === kind);
  }
}
