import type { McpServer } from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { ClientInfo } from '../connection/client-session.ts';
import type { Connection } from '../connection/connection.ts';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import type { ConnectionDependencies } from '../connection/server-link.ts';
import { SessionRenewals } from '../connection/session-renewals.ts';
import type { RelistDelays, ListReading, ServerLists } from '../lists/server-lists.ts';
import type { Era, ServerFeatures } from '../requests/outgoing-requests.ts';
import { Attempt } from './attempts.ts';
import type { AttemptSteps, PreparedAttempt } from './attempts.ts';
import type { ConnectionRow, ConnectionTable, OwnerKind } from './connection-table.ts';
import { DrainingConnections } from './draining-connections.ts';
import { findEviction } from './evict-idle.ts';
import type { MachineEvent } from './machine.ts';
import { OwnedConnection } from './owned-connection.ts';
import { applyEvent, computeReopenMs } from './policy.ts';
import type { OwnerPolicy } from './policy.ts';
import type { CredentialProblem, UserAuthority } from './user-authority.ts';

/** The dependencies of {@link OwnedConnections}. */
export interface OwnedConnectionsOptions extends ConnectionDependencies, RelistDelays {
  readonly clientInfo: ClientInfo;
  readonly table: ConnectionTable;
  readonly policies: Readonly<Record<OwnerKind, OwnerPolicy>>;
  /** Returns the present definition of a server; `undefined` when it does not exist any more. */
  readonly findDefinition: (server: string) => McpServer | undefined;
  /** Returns the credential of the requests of a row; `undefined` when they carry none. */
  readonly createAuthority: (row: ConnectionRow) => UserAuthority | undefined;
  /** Waits for a slot among the connections that open. Resolves with its release, or with `undefined` when the signal aborts first. */
  readonly enter: (row: ConnectionRow, signal: AbortSignal) => Promise<(() => void) | undefined>;
  /** Returns lists as an object that all users with equal lists share. */
  readonly shareLists: (server: McpServer, lists: ServerLists) => Promise<ServerLists>;
  /** Returns whether a connection stays open although no call runs on it. */
  readonly isNeeded: (row: ConnectionRow) => boolean;
  /** The connection or the lists of a row changed. */
  readonly onChange: (row: ConnectionRow) => void;
  readonly onProblem: (row: ConnectionRow, problem: CredentialProblem) => void;
  /** A request was answered with the credential. */
  readonly onAuthorized: (row: ConnectionRow) => void;
  /** The features of a server became known, or changed. */
  readonly onFeatures: () => void;
  readonly onResourceUpdated: (
    row: ConnectionRow,
    params: Readonly<Record<string, unknown>>,
  ) => void;
}

const KINDS: readonly OwnerKind[] = ['user', 'session'];

/** Maximum time between two checks for idle connections, in milliseconds. */
const MAX_CHECK_MS = 30_000;

/** Returns whether an attempt is that of the present connection of a row. */
const isLive = ({ state: { phase } }: ConnectionRow, attempt: number): boolean =>
  phase.kind === 'live' && phase.attempt === attempt;

/** Opens, drains and evicts the connections of users and client sessions: performs the actions of the state machine on the table. */
export class OwnedConnections {
  readonly table: ConnectionTable;
  readonly #options: OwnedConnectionsOptions;
  readonly #draining = new DrainingConnections<ConnectionRow>();
  readonly #timers: readonly NodeJS.Timeout[];
  /** The last known era of each server, which skips the era probe. */
  readonly #eras = new Map<string, Era>();
  readonly #features = new Map<string, ServerFeatures>();
  #isClosed = false;

  constructor(options: OwnedConnectionsOptions) {
    this.#options = options;
    this.table = options.table;
    this.#timers = KINDS.map((kind) => {
      const { idleMs } = options.policies[kind];
      const checkMs = Math.max(10, Math.min(MAX_CHECK_MS, idleMs / 4));
      return setInterval(() => this.#evictUnused(kind, idleMs), checkMs).unref();
    });
  }

  /** Returns the features of the servers that users were connected to, by name. */
  get features(): ReadonlyMap<string, ServerFeatures> {
    return this.#features;
  }

  /** Forgets what is known about a server whose connection is defined differently. */
  forgetServer(server: string): void {
    this.#eras.delete(server);
    this.#features.delete(server);
  }

  /** Returns whether an attempt for a request failed so recently that the next is not due. */
  isBackingOff({ owner, failure, failedAt }: ConnectionRow): boolean {
    const { now, policies } = this.#options;
    return failure !== undefined && now() < failedAt + policies[owner.kind].callRetryMs;
  }

  /** Opens a connection; concurrent calls share one attempt. Resolves when it, and each that replaced it, has ended; the row has the outcome. */
  async open(row: ConnectionRow): Promise<void> {
    if (row.connection === undefined && !this.#isClosed) this.#dispatch(row, { kind: 'start' });
    while (row.opening !== undefined) await row.opening;
  }

  /**
   * Ends the attempt or the connection; what is known about the lists stays.
   *
   * @param problem why the requests that run have no result; absent when the connection itself is the reason
   */
  end(row: ConnectionRow, problem?: CredentialProblem): void {
    if (problem !== undefined) row.connection?.endFor(problem);
    this.#release(row, { kind: 'stop' });
  }

  /** Ends the attempt, or the connection when its calls have ended. */
  drain(row: ConnectionRow): void {
    this.#release(row, { kind: 'rotated' });
  }

  /** Closes the draining connections of a server too. */
  endDraining(server: string): void {
    this.#draining.end((row) => row.server === server);
  }

  /** Ends all connections. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const kind of KINDS)
      for (const { rows } of this.table.owners(kind))
        for (const row of rows.values()) this.end(row);
    await this.#draining.closeAll();
  }

  #policy({ owner }: ConnectionRow): OwnerPolicy {
    return this.#options.policies[owner.kind];
  }

  #release(row: ConnectionRow, event: MachineEvent): void {
    this.#dispatch(row, event);
    if (this.#policy(row).hasLists) this.table.leave(row);
    else this.table.remove(row);
  }

  #dispatch(row: ConnectionRow, event: MachineEvent): void {
    const actions = applyEvent(row, event, this.#policy(row), this.#options.random());
    for (const action of actions)
      if (action === 'open') this.#begin(row);
      else if (action === 'close' || action === 'drain') this.#detach(row, action);
  }

  /** Ends the attempt, and lets no new request use the connection. */
  #detach(row: ConnectionRow, how: 'close' | 'drain'): void {
    const { connection, attempt } = row;
    row.connection = undefined;
    row.opening = undefined;
    row.attempt = undefined;
    attempt?.[how === 'close' ? 'end' : 'leave']();
    // The number of the connections of client sessions is shown.
    if (connection !== undefined && !this.#policy(row).hasLists) this.#options.onChange(row);
  }

  #begin(row: ConnectionRow): void {
    const attempt = new Attempt(row, this.#draining, this.#createSteps(row), this.#options);
    row.attempt = attempt;
    const opening: Promise<void> = attempt.opened.then(() => {
      if (row.opening !== opening) return;
      row.opening = undefined;
      // The server was removed meanwhile.
      if (row.state.phase.kind === 'starting') this.#dispatch(row, { kind: 'stop' });
      if (row.connection === undefined) this.#reopenNeeded(row);
      this.#options.onChange(row);
    });
    row.opening = opening;
  }

  #createSteps(row: ConnectionRow): AttemptSteps {
    const { findDefinition, shareLists, createAuthority, onResourceUpdated } = this.#options;
    const { hasLists } = this.#policy(row);
    const attempt = row.state.attempts;
    const authority = createAuthority(row);
    let lists: ServerLists | undefined;
    return {
      prepare: (signal) => this.#prepare(row, authority, signal),
      takeLists: async (connection) => {
        this.#note(row, connection);
        const server = findDefinition(row.server);
        if (hasLists && server !== undefined) lists = await shareLists(server, connection.lists);
      },
      onOutcome: (outcome) => {
        if (outcome.ok) this.#goLive(row, { connection: outcome.connection, authority, lists });
        else this.#missed(row, outcome.failure, authority?.problem);
      },
      onSessionEnded: () => this.#sessionEnded(row, attempt),
      onLost: (failure) => {
        if (!isLive(row, attempt)) return;
        this.#dispatch(row, { kind: 'failed', attempt, failure });
        this.#reopenNeeded(row);
      },
      onResourceUpdated: (params) => onResourceUpdated(row, params),
      ...(hasLists && {
        onListsRead: (connection: Connection, reading: ListReading) =>
          this.#takeReading(row, connection, reading),
      }),
    };
  }

  /** Gets the credential, a slot and a place. */
  async #prepare(
    row: ConnectionRow,
    authority: UserAuthority | undefined,
    signal: AbortSignal,
  ): Promise<PreparedAttempt | undefined> {
    const { clientInfo, findDefinition, enter } = this.#options;
    const isEnded = (): boolean => signal.aborted || this.#isClosed;
    const credential = await authority?.acquire();
    if (isEnded()) return undefined;
    if (credential?.ok === false) {
      this.#refused(row, credential);
      return undefined;
    }
    const leave = await enter(row, signal);
    if (leave === undefined) return undefined;
    const refusal = this.#takePlace(row);
    if (refusal === undefined) await this.#untilEvictedHaveEnded(row, signal);
    else this.#full(row, refusal);
    const server = findDefinition(row.server);
    if (refusal !== undefined || server === undefined || isEnded()) {
      leave();
      return undefined;
    }
    row.definition = server;
    const lean = this.#policy(row).hasLists ? {} : { lean: true };
    const knownEra = this.#eras.get(row.server);
    return { request: { server, clientInfo, knownEra, authority, ...lean }, leave };
  }

  /** Evicts idle connections for a row. Returns the reason why none can be. */
  #takePlace(row: ConnectionRow): string | undefined {
    const { kind } = row.owner;
    const { bounds, countsEnding } = this.#options.policies[kind];
    if (!this.table.hasPlace(row)) {
      const draining = this.#draining.draining.filter(({ owner }) => owner.kind === kind);
      const eviction = findEviction(
        row,
        {
          placed: this.table.placed(kind),
          draining: countsEnding ? draining : [],
          isIdle: (placed) => this.#isIdle(placed),
        },
        bounds,
      );
      if (!eviction.ok) return eviction.reason;
      for (const evicted of eviction.evicted) this.#release(evicted, { kind: 'evicted' });
    }
    this.table.use(row);
    return undefined;
  }

  /** Waits until the evicted processes leave room for that of a row with a place. */
  async #untilEvictedHaveEnded(row: ConnectionRow, signal: AbortSignal): Promise<void> {
    const { kind } = row.owner;
    const { bounds, countsEnding } = this.#options.policies[kind];
    if (!countsEnding) return;
    const isFull = (): boolean => {
      const ending = this.#draining.closing.filter(({ owner }) => owner.kind === kind);
      const all = [...this.table.placed(kind), ...this.#draining.draining, ...ending];
      return bounds.some(({ max, group }) => {
        const own = group(row);
        const counts = (other: ConnectionRow): boolean =>
          own !== undefined && other.owner.kind === kind && group(other) === own;
        return ending.some(counts) && all.filter(counts).length > max;
      });
    };
    while (!signal.aborted && isFull()) await this.#draining.oneClosed();
  }

  #goLive(
    row: ConnectionRow,
    {
      connection,
      authority,
      lists,
    }: {
      readonly connection: Connection;
      readonly authority: UserAuthority | undefined;
      readonly lists: ServerLists | undefined;
    },
  ): void {
    const { kind, key } = row.owner;
    const client = kind === 'session' ? key : undefined;
    row.connection = new OwnedConnection(
      { connection, client, authority },
      this.#observe(row, connection),
    );
    row.lists = lists;
    row.problem = undefined;
    row.failure = undefined;
    this.#dispatch(row, { kind: 'connected', attempt: row.state.attempts });
    this.table.use(row);
  }

  #note(row: ConnectionRow, { era, features }: Connection): void {
    const { server } = row;
    this.#eras.set(server, era);
    if (!this.#policy(row).hasLists) return;
    const isKnown = isDeepStrictEqual(this.#features.get(server), features);
    this.#features.set(server, features);
    if (!isKnown) this.#options.onFeatures();
  }

  /** The use of an earlier connection does not concern the row. */
  #observe(row: ConnectionRow, connection: Connection) {
    const { onProblem, onAuthorized } = this.#options;
    const isPresent = (): boolean => row.connection?.connection === connection;
    return {
      onUse: () => {
        if (isPresent()) this.table.use(row);
      },
      onAuthorized: () => {
        if (isPresent()) onAuthorized(row);
      },
      onProblem: (problem: CredentialProblem) => {
        if (isPresent()) onProblem(row, problem);
      },
    };
  }

  async #takeReading(
    row: ConnectionRow,
    connection: Connection,
    reading: ListReading,
  ): Promise<void> {
    const { findDefinition, shareLists, onChange } = this.#options;
    const server = findDefinition(row.server);
    const known = row.lists;
    if (server === undefined || known === undefined) return;
    const lists = await shareLists(server, { ...known, ...reading.lists });
    if (row.connection?.connection !== connection || row.lists === lists) return;
    row.lists = lists;
    onChange(row);
  }

  #missed(
    row: ConnectionRow,
    failure: ConnectionFailure,
    problem: CredentialProblem | undefined,
  ): void {
    this.#eras.delete(row.server);
    if (failure.code === 'auth-required' && problem !== undefined) this.#refused(row, problem);
    else this.#failed(row, failure);
  }

  #refused(row: ConnectionRow, problem: CredentialProblem): void {
    row.problem = problem;
    row.failedAt = this.#options.now();
    const failure = { code: 'auth-required', reason: problem.reason } as const;
    const kind = problem.code === 'unavailable' ? 'failed' : 'unauthorized';
    this.#dispatch(row, { kind, attempt: row.state.attempts, failure });
  }

  #failed(row: ConnectionRow, failure: ConnectionFailure): void {
    row.failure = failure.reason;
    row.failedAt = this.#options.now();
    this.#dispatch(row, { kind: 'failed', attempt: row.state.attempts, failure });
  }

  /** A place may be free for the next request, so it does not back off. */
  #full(row: ConnectionRow, reason: string): void {
    this.#failed(row, { code: 'other', reason });
    const { hasLists, callRetryMs } = this.#policy(row);
    row.failedAt -= callRetryMs;
    if (!hasLists) this.table.remove(row);
  }

  /** The calls that run may finish; the next request opens another session. */
  #sessionEnded(row: ConnectionRow, attempt: number): void {
    const { now, backoff } = this.#options;
    row.renewals ??= new SessionRenewals();
    if (!isLive(row, attempt) || !row.renewals.take(now(), backoff)) return;
    this.#dispatch(row, { kind: 'session-ended', attempt });
    this.#reopenNeeded(row);
  }

  /** Opens a lost connection again for its subscriptions; any other waits for the next request. */
  #reopenNeeded(row: ConnectionRow): void {
    if (!this.#options.isNeeded(row) || this.#isClosed) return;
    const { owner, server, state } = row;
    const again = (): void => {
      const known = this.table.owner(owner.kind, owner.key)?.rows.get(server);
      if (known === row) void this.open(row);
    };
    const { callRetryMs } = this.#options.policies[owner.kind];
    setTimeout(again, computeReopenMs(state.failures, callRetryMs)).unref();
  }

  #isIdle(row: ConnectionRow): boolean {
    if (row.opening !== undefined || row.connection?.isIdle === false) return false;
    return !this.#options.isNeeded(row);
  }

  #evictUnused(kind: OwnerKind, idleMs: number): void {
    for (const row of this.table.unusedSince(kind, this.#options.now() - idleMs))
      if (this.#isIdle(row)) this.#release(row, { kind: 'evicted' });
  }
}
