import { resolveAuthStrategy, type McpServer } from '@gateway/crd-schemas';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import type { BackoffPolicy } from '../wire/limits.ts';
import type { DrainingConnections } from './attempts.ts';
import type { ConnectionRow, OwnerKind } from './connection-table.ts';
import {
  type MachineAction,
  type MachineEvent,
  type OpeningMode,
  computeTransition,
} from './machine.ts';

/** The rows that count for the bounds, least recently used first. */
interface CountedRows {
  readonly placed: readonly ConnectionRow[];
  /** Rows whose connection is ending, which no new call uses and which cannot be evicted. */
  readonly draining: readonly ConnectionRow[];
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
  listUnused(kind: OwnerKind): readonly ConnectionRow[] {
    const { now, policies } = this.#options;
    const since = now() - policies[kind].idleMs;
    return [...this.#used[kind]].flatMap(([row, at]) => (at > since ? [] : [row]));
  }

  /** Takes a place. Returns the rows to evict for the row, or the reason why there is no place. */
  take(row: ConnectionRow, isIdle: CountedRows['isIdle']): Eviction {
    const { kind } = row.owner;
    const { bounds, countsEnding } = this.#options.policies[kind];
    const used = this.#used[kind];
    const draining = countsEnding ? this.#listDraining(kind) : [];
    const eviction: Eviction = used.has(row)
      ? { ok: true, evicted: [] }
      : findEviction(row, { placed: [...used.keys()], draining, isIdle }, bounds);
    if (eviction.ok && bounds.length > 0) this.use(row);
    return eviction;
  }

  /** Waits until the evicted processes leave room for that of a row with a place. */
  async waitForEvicted(row: ConnectionRow, signal: AbortSignal): Promise<void> {
    const { kind } = row.owner;
    const { policies, draining } = this.#options;
    const { bounds, countsEnding } = policies[kind];
    if (!countsEnding) return;
    const isFull = (): boolean => {
      const ending = draining.closing.filter(({ owner }) => owner.kind === kind);
      const all = [...this.#used[kind].keys(), ...this.#listDraining(kind), ...ending];
      return bounds.some(({ max, group }) => {
        const own = group(row);
        const counts = (other: ConnectionRow): boolean => own !== undefined && group(other) === own;
        return ending.some(counts) && all.filter(counts).length > max;
      });
    };
    while (!signal.aborted && isFull()) await draining.waitForClose();
  }

  #listDraining(kind: OwnerKind): readonly ConnectionRow[] {
    return this.#options.draining.draining.filter(({ owner }) => owner.kind === kind);
  }
}

export const DEFAULT_USERS = {
  /** A connection that was not used for this long is closed; its lists stay. */
  idleMs: 600_000,
  /** Maximum number of open connections. The least recently used idle connection is closed for another. */
  maxConnections: 1_000,
  /** Maximum number of remembered users. The user whose last request is oldest is forgotten. */
  maxUsers: 20_000,
  /** Maximum number of connections that are being opened; the others wait. */
  maxOpening: 64,
  /** Maximum time for which the first request of a user waits for the user's servers. */
  prepareMs: 15_000,
  /** From a failed attempt to the next that no call asks for; doubled per failure. */
  retryMs: 5_000,
  /** The same after a refused credential, which time alone seldom corrects. */
  refusedRetryMs: 300_000,
  /** Maximum time for which a request waits for an attempt that follows a failed one. */
  retryWaitMs: 1_000,
  maxRetryMs: 1_800_000,
  /** From a failed attempt to the next for a call. */
  callRetryMs: 1_000,
};

/** Bounds of the connections of users. Times are in milliseconds. */
export type UserPolicy = Readonly<typeof DEFAULT_USERS>;

export const DEFAULT_SESSIONS = {
  /** A connection without a call for this long is ended. */
  idleMs: 600_000,
  /** Maximum number of connections to one server. The least recently used idle connection is ended for another. */
  maxPerServer: 32,
  /** Maximum number of connections to all servers. */
  maxConnections: 128,
  /** Maximum number of connections to one server for one user, or for one network of callers who have not signed in. */
  maxPerServerAndUser: 16,
  /** Maximum number of connections to all servers for one user. */
  maxPerUser: 64,
  /** From a failed attempt to the next for a call. */
  callRetryMs: 1_000,
};

/** Bounds of the connections of client sessions, with `instances: perSession`. Times are in milliseconds. */
export type SessionPolicy = Readonly<typeof DEFAULT_SESSIONS>;

/** A limit of the open connections of one kind of owner. It counts the connections of the same group. */
interface ConnectionBound {
  readonly max: number;
  readonly reason: string;
  /** Returns the group of a connection; `undefined` when the bound does not limit it. */
  readonly group: (row: Pick<ConnectionRow, 'server' | 'owner'>) => string | undefined;
}

export interface OwnerPolicy {
  readonly opens: OpeningMode;
  readonly idleMs: number;
  readonly bounds: readonly ConnectionBound[];
  /** Connections that are ending count for the bounds, because each is a process. */
  readonly countsEnding: boolean;
  /** The lists of the connection are read and stay known after its end; otherwise those of the shared connection count. */
  readonly hasLists: boolean;
  /** Attempts to connect to remote servers wait for a slot, and users take turns. */
  readonly takesTurns: boolean;
  /** From a failed attempt to the next that no request asks for. */
  readonly backoff: BackoffPolicy;
  readonly refusedBackoff: BackoffPolicy;
  /** From a failed attempt to the next for a request, in milliseconds. */
  readonly callRetryMs: number;
}

export const applyEvent = (
  row: ConnectionRow,
  event: MachineEvent,
  { opens, backoff, refusedBackoff }: OwnerPolicy,
): readonly MachineAction[] => {
  const { state, actions } = computeTransition(row.state, event, {
    random: Math.random(),
    backoff: event.kind === 'unauthorized' ? refusedBackoff : backoff,
    opens,
  });
  row.state = state;
  return actions;
};

const USERS_FULL = 'too many connections of users are in use';
const SERVER_FULL =
  'as many clients as possible have an instance of the server, and each of them has a call in progress';
const USER_FULL =
  'this user has as many instances as possible, and each of them has a call in progress';

export const createOwnerPolicies = (
  users: UserPolicy,
  sessions: SessionPolicy,
  backoff: BackoffPolicy,
): Readonly<Record<OwnerKind, OwnerPolicy>> => {
  const { maxPerServerAndUser, maxPerUser, maxPerServer, maxConnections } = sessions;
  return {
    shared: {
      opens: 'by-itself',
      idleMs: Infinity,
      bounds: [],
      countsEnding: true,
      hasLists: true,
      takesTurns: false,
      backoff,
      refusedBackoff: backoff,
      callRetryMs: 0,
    },
    user: {
      opens: 'on-request',
      idleMs: users.idleMs,
      bounds: [{ max: users.maxConnections, reason: USERS_FULL, group: () => '' }],
      countsEnding: false,
      hasLists: true,
      takesTurns: true,
      backoff: { ...backoff, firstMs: users.retryMs, maxMs: users.maxRetryMs },
      refusedBackoff: { ...backoff, firstMs: users.refusedRetryMs, maxMs: users.maxRetryMs },
      callRetryMs: users.callRetryMs,
    },
    session: {
      opens: 'on-request',
      idleMs: sessions.idleMs,
      bounds: [
        {
          max: maxPerServerAndUser,
          reason: USER_FULL,
          group: ({ server, owner: { limitedAs } }) =>
            limitedAs === undefined ? undefined : JSON.stringify([server, limitedAs]),
        },
        { max: maxPerUser, reason: USER_FULL, group: ({ owner }) => owner.limitedAs },
        { max: maxPerServer, reason: SERVER_FULL, group: ({ server }) => server },
        { max: maxConnections, reason: SERVER_FULL, group: () => '' },
      ],
      countsEnding: true,
      hasLists: false,
      takesTurns: true,
      backoff,
      refusedBackoff: backoff,
      callRetryMs: sessions.callRetryMs,
    },
  };
};

/** Returns whether requests to the server need the token of a user. @spec §2.6 auth */
const needsSignIn = ({ spec }: McpServer): boolean =>
  spec.type !== 'stdio' && resolveAuthStrategy(spec.auth).kind !== 'none';

/** A refusal of the credentials in the definition of a shared connection may pass; one that a user must resolve does not. */
export const findFailureKind = (
  { served }: ConnectionRow,
  { code }: ConnectionFailure,
): 'failed' | 'unauthorized' | 'sign-in-required' => {
  if (served === undefined || code !== 'auth-required') return 'failed';
  return needsSignIn(served.definition) ? 'sign-in-required' : 'unauthorized';
};
