import type { Era } from '@gateway/mcp-wire';
import { computeBackoffDelay, type ServerFeatures } from '@gateway/call-contract';
import { isDeepStrictEqual } from 'node:util';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import type { ClientInfo, Connection } from '../connection/connection.ts';
import type { ConnectionDependencies } from '../connection/server-link.ts';
import type { ListReading, RelistDelays, ServerLists } from '../lists/server-lists.ts';
import {
  computeDigests,
  type KnownInventories,
  mergeLists,
  SharedLists,
} from '../lists/shared-lists.ts';
import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import {
  Attempt,
  AttemptSeries,
  type AttemptSteps,
  type DrainingConnections,
  type PreparedAttempt,
  SessionRenewals,
} from './attempts.ts';
import {
  type ConnectionRow,
  type ConnectionTable,
  type CredentialProblem,
  type DefinedServer,
  OwnedConnection,
  type OwnerKind,
  type RowListener,
  type UserAuthority,
} from './connection-table.ts';
import { findDependency, type WatchDependency } from './dependency.ts';
import type { MachineAction, MachineEvent, Phase } from './machine.ts';
import { applyEvent, findFailureKind, type OwnerPolicy, Places } from './policy.ts';
import type { HistoryDependencies } from './server-history.ts';
import { StartGate } from './start-gate.ts';

export interface DownstreamDependencies
  extends ConnectionDependencies, HistoryDependencies, RelistDelays {
  readonly clientInfo: ClientInfo;
  readonly table: ConnectionTable;
  readonly policies: Readonly<Record<OwnerKind, OwnerPolicy>>;
  readonly gate: StartGate;
  readonly draining: DrainingConnections<ConnectionRow>;
  readonly watchDependency: WatchDependency;
  readonly declared: DeclaredTools;
  readonly inventories: KnownInventories;
  readonly nextConnectionId: () => number;
  readonly onChange: () => void;
}

interface ConnectionDriverOptions extends DownstreamDependencies {
  /** Maximum number of connections that are being opened; the others wait, and users take turns. */
  readonly maxOpening: number;
  readonly listener: () => RowListener;
  readonly isNeeded: (row: ConnectionRow) => boolean;
  readonly onResourceUpdated: (
    row: ConnectionRow,
    params: Readonly<Record<string, unknown>>,
  ) => void;
}

const KINDS: readonly OwnerKind[] = ['user', 'session'];

/** Maximum time between two checks for idle connections, in milliseconds. */
const MAX_CHECK_MS = 30_000;

/** The longest delay before a lost connection with subscriptions is opened again, as a multiple of the retry of a call. */
const MAX_REOPEN_FACTOR = 128;

/** Only the shared connection compares the revisions of a server, so that each kind of owner remembers its own. */
const createEraKey = (kind: OwnerKind, server: string): string => `${kind} ${server}`;

const isLive = ({ state: { phase } }: ConnectionRow, attempt: number): boolean =>
  phase.kind === 'live' && phase.attempt === attempt;

interface Opening {
  readonly row: ConnectionRow;
  readonly attempt: number;
  readonly authority: UserAuthority | undefined;
  readonly previous: Promise<void>;
}

/** Drives each row of the table through the states of its connection: opens, drains, evicts and reopens it. */
export class ConnectionDriver {
  readonly table: ConnectionTable;
  readonly places: Places;
  readonly #options: ConnectionDriverOptions;
  readonly #lists: SharedLists;
  readonly #opening: StartGate;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #eras = new Map<string, Era>();
  readonly #features = new Map<string, ServerFeatures>();
  #isClosed = false;

  constructor(options: ConnectionDriverOptions) {
    this.#options = options;
    this.table = options.table;
    this.places = new Places(options);
    this.#lists = new SharedLists(options.declared);
    this.#opening = new StartGate(options.maxOpening, options.now);
    this.#timers = KINDS.map((kind) => {
      const { idleMs } = options.policies[kind];
      const checkMs = Math.max(10, Math.min(MAX_CHECK_MS, idleMs / 4));
      return setInterval(() => this.#evictUnused(kind), checkMs).unref();
    });
  }

  get features(): ReadonlyMap<string, ServerFeatures> {
    return this.#features;
  }

  forgetServer(server: string): void {
    for (const kind of ['shared', ...KINDS] as const) this.#eras.delete(createEraKey(kind, server));
    this.#features.delete(server);
  }

  /** Returns whether an attempt for a request failed so recently that the next is not due. */
  isBackingOff({ owner, failure, failedAt }: ConnectionRow): boolean {
    const { now, policies } = this.#options;
    return failure !== undefined && now() < failedAt + policies[owner.kind].callRetryMs;
  }

  /** Opens a connection; concurrent calls share one attempt. Resolves when it, and each that replaced it, has ended; the row has the outcome. */
  async open(row: ConnectionRow): Promise<void> {
    if (row.connection === undefined && !this.#isClosed) this.dispatch(row, { kind: 'start' });
    while (row.opening !== undefined) await row.opening;
  }

  /** Ends the attempt or the connection; its lists stay. `problem` says why the requests that run have no result. */
  end(row: ConnectionRow, problem?: CredentialProblem): void {
    if (problem !== undefined) row.connection?.endFor(problem);
    this.#release(row, { kind: 'stop' });
  }

  drain(row: ConnectionRow): void {
    this.#release(row, { kind: 'rotated' });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const kind of KINDS)
      for (const { rows } of this.table.listOwners(kind))
        for (const row of rows.values()) this.end(row);
    await this.#options.draining.closeAll();
  }

  #findPolicy({ owner }: ConnectionRow): OwnerPolicy {
    return this.#options.policies[owner.kind];
  }

  #release(row: ConnectionRow, event: MachineEvent): void {
    this.dispatch(row, event);
    this.places.leave(row);
    if (!this.#findPolicy(row).hasLists) this.table.remove(row);
  }

  dispatch(row: ConnectionRow, event: MachineEvent): void {
    const before = row.state;
    const actions = applyEvent(row, event, this.#findPolicy(row));
    const { phase } = row.state;
    if (row.state === before) return;
    row.attempts?.follow(before.phase, event, phase);
    for (const action of actions) this.#act(row, action);
    const isLive = row.state.phase.kind === 'live';
    if (!isLive && row.attempts?.isRotating !== true) row.connection = undefined;
    row.served?.onMove(before, event);
  }

  #act(row: ConnectionRow, action: MachineAction): void {
    const { attempts, phase } = row.state;
    switch (action) {
      case 'open':
        this.#begin(row);
        break;
      case 'drain':
      case 'close':
        this.#detach(row, action);
        break;
      case 'plan-retry':
        this.#planRetry(row, phase);
        break;
      case 'await-stability':
        this.#dispatchAfter(row, this.#options.backoff.stableAfterMs, {
          kind: 'stable',
          attempt: attempts,
        });
        break;
    }
  }

  #dispatchAfter(row: ConnectionRow, delayMs: number, event: MachineEvent): void {
    const timer = setTimeout(() => this.dispatch(row, event), delayMs).unref();
    row.attempts?.runAtPhaseEnd(() => clearTimeout(timer));
  }

  #planRetry(row: ConnectionRow, phase: Phase): void {
    if (!('delayMs' in phase)) return;
    this.#dispatchAfter(row, phase.delayMs, { kind: 'retry-due' });
    if (!('checkMs' in phase) || row.served === undefined) return;
    const { watchDependency, baseDirectory } = this.#options;
    const dependency = findDependency(row.served.definition, baseDirectory);
    const appeared = (): void => this.dispatch(row, { kind: 'appeared' });
    row.attempts?.runAtPhaseEnd(watchDependency(dependency, phase.checkMs, appeared));
  }

  /** Ends the attempt or the connection. The next connection of an owner that opens on request does not wait for its end. */
  #detach(row: ConnectionRow, how: 'close' | 'drain'): void {
    const { connection, attempts } = row;
    if (this.#findPolicy(row).opens === 'on-request') {
      row.connection = undefined;
      row.opening = undefined;
      row.attempts = undefined;
    }
    attempts?.[how]();
    // The number of the connections of client sessions is shown.
    if (connection !== undefined && !this.#findPolicy(row).hasLists) this.#reportChange(row);
  }

  #begin(row: ConnectionRow): void {
    const attempt = row.state.attempts;
    row.attempts ??= new AttemptSeries(Promise.resolve());
    const authority = row.served ? undefined : this.#options.listener().createAuthority(row);
    const opened = row.attempts.begin(
      (previous) =>
        new Attempt(
          row,
          this.#options.draining,
          this.#createSteps({ row, attempt, authority, previous }),
          this.#options,
        ),
      () => this.dispatch(row, { kind: 'closed', attempt }),
    );
    if (this.#findPolicy(row).opens === 'by-itself') return;
    const opening: Promise<void> = opened.then(() => {
      if (row.opening !== opening) return;
      row.opening = undefined;
      // The server was removed meanwhile.
      if (row.state.phase.kind === 'starting') this.dispatch(row, { kind: 'stop' });
      if (row.connection === undefined) this.#reopenIfNeeded(row);
      this.#reportChange(row);
    });
    row.opening = opening;
  }

  #createSteps(opening: Opening): AttemptSteps {
    const { row, attempt } = opening;
    const { served } = row;
    const { hasLists } = this.#findPolicy(row);
    return {
      prepare: (signal) => this.#prepare(opening, signal),
      take: async (connection) => {
        const lists = await this.#keepLists(row, connection.lists);
        const owned = this.#createOwned(opening, connection);
        return { owned, goLive: () => this.#goLive(opening, owned, lists) };
      },
      onFailed: (failure) => this.#handleFailure(opening, failure),
      onHealth: (health) => {
        if (isLive(row, attempt)) served?.onHealth(health);
      },
      onProgress: (line) => served?.onProgress(line),
      onSessionEnded: (reason) => this.#handleSessionEnd(opening, reason),
      onLost: (failure) => {
        if (served === undefined && !isLive(row, attempt)) return;
        this.dispatch(row, { kind: findFailureKind(row, failure), attempt, failure });
        this.#reopenIfNeeded(row);
      },
      onResourceUpdated: (params) => this.#options.onResourceUpdated(row, params),
      ...(hasLists && {
        onListsRead: (connection: Connection, reading: ListReading) =>
          this.#takeReading(row, connection, reading),
      }),
    };
  }

  #findServer(row: ConnectionRow): DefinedServer | undefined {
    return row.served ?? this.table.shared.rows.get(row.server)?.served;
  }

  /** Waits for a slot. Only stdio servers use the processors of this machine. */
  #enter(row: ConnectionRow, signal: AbortSignal): Promise<(() => void) | undefined> {
    const { server, owner, state } = row;
    const isRetry = state.failures > 0;
    if (this.#findServer(row)?.definition.spec.type === 'stdio')
      return this.#options.gate.enter(server, isRetry, signal);
    return this.#findPolicy(row).takesTurns
      ? this.#opening.enter(owner.principal.key, isRetry, signal)
      : Promise.resolve(() => undefined);
  }

  async #prepare(
    { row, authority, previous }: Opening,
    signal: AbortSignal,
  ): Promise<PreparedAttempt | undefined> {
    const { clientInfo, declared } = this.#options;
    const isEnded = (): boolean => signal.aborted || this.#isClosed;
    await previous;
    await declared.ready;
    const credential = await authority?.acquire();
    if (isEnded()) return undefined;
    if (credential?.ok === false) {
      this.#recordRefusal(row, credential);
      return undefined;
    }
    const leave = await this.#enter(row, signal);
    if (leave === undefined) return undefined;
    const place = this.places.take(row, (other) => this.#isIdle(other));
    if (place.ok) {
      for (const evicted of place.evicted) this.#release(evicted, { kind: 'evicted' });
      await this.places.waitForEvicted(row, signal);
    } else this.#recordFull(row, place.reason);
    const server = this.#findServer(row);
    if (!place.ok || server === undefined || isEnded()) {
      leave();
      return undefined;
    }
    row.generation = server.generation;
    const lean = this.#findPolicy(row).hasLists ? {} : { lean: true };
    const knownEra = this.#eras.get(createEraKey(row.owner.kind, row.server));
    const request = { server: server.definition, clientInfo, knownEra, authority, ...lean };
    return { request, leave };
  }

  #createOwned({ row, authority }: Opening, connection: Connection): OwnedConnection {
    const { kind, key } = row.owner;
    const client = kind === 'session' ? key : undefined;
    const observer = row.served === undefined ? this.#observe(row, connection) : undefined;
    return new OwnedConnection(connection, client, authority, observer);
  }

  #goLive({ row, attempt }: Opening, owned: OwnedConnection, lists: ServerLists | undefined): void {
    row.connection = owned;
    row.lists = lists;
    row.problem = undefined;
    row.failure = undefined;
    this.#note(row, owned.connection);
    row.served?.onConnected();
    this.dispatch(row, { kind: 'connected', attempt });
    if (row.served === undefined) this.places.use(row);
  }

  #note(row: ConnectionRow, { era, features }: Connection): void {
    const { server, owner } = row;
    this.#eras.set(createEraKey(owner.kind, server), era);
    if (owner.kind !== 'user') return;
    const isKnown = isDeepStrictEqual(this.#features.get(server), features);
    this.#features.set(server, features);
    if (!isKnown) this.#options.onChange();
  }

  /** The use of an earlier connection does not concern the row. */
  #observe(row: ConnectionRow, connection: Connection) {
    const listener = this.#options.listener();
    const isPresent = (): boolean => row.connection?.connection === connection;
    return {
      onUse: () => {
        if (isPresent()) this.places.use(row);
      },
      onAuthorized: () => {
        if (isPresent()) listener.onAuthorized(row);
      },
      onProblem: (problem: CredentialProblem) => {
        if (isPresent()) listener.onProblem(row, problem);
      },
    };
  }

  /** Returns lists that all users with equal lists share, or in which what is unchanged since the last lists is the same. */
  async #keepLists(row: ConnectionRow, lists: ServerLists): Promise<ServerLists | undefined> {
    const server = this.#findServer(row)?.definition;
    if (server === undefined || !this.#findPolicy(row).hasLists) return undefined;
    if (row.served === undefined) return this.#lists.share(server, lists);
    const merged = row.lists === undefined ? lists : await mergeLists(row.lists, lists);
    await computeDigests(merged.tools);
    return merged;
  }

  async #takeReading(
    row: ConnectionRow,
    connection: Connection,
    reading: ListReading,
  ): Promise<void> {
    if (row.lists === undefined) return;
    const lists = await this.#keepLists(row, { ...row.lists, ...reading.lists });
    if (lists === undefined || row.connection?.connection !== connection) return;
    const isChanged = row.lists !== lists;
    row.lists = lists;
    if (row.served !== undefined) row.served.onListsRead(isChanged);
    else if (isChanged) this.#reportChange(row);
  }

  /** The remembered era may have caused the failure, so it is not tried again. */
  #handleFailure({ row, attempt, authority }: Opening, failure: ConnectionFailure): void {
    const { nextEra, code } = failure;
    const problem = authority?.problem;
    const key = createEraKey(row.owner.kind, row.server);
    if (nextEra === undefined) this.#eras.delete(key);
    else this.#eras.set(key, nextEra);
    if (code === 'auth-required' && problem !== undefined) this.#recordRefusal(row, problem);
    else if (row.served === undefined) this.#recordFailure(row, failure);
    else this.dispatch(row, { kind: findFailureKind(row, failure), attempt, failure });
  }

  #reportChange(row: ConnectionRow): void {
    if (row.owner.kind === 'session') this.#options.onChange();
    else this.#options.listener().onRowChanged(row);
  }

  #recordRefusal(row: ConnectionRow, problem: CredentialProblem): void {
    row.problem = problem;
    row.failedAt = this.#options.now();
    const failure = { code: 'auth-required', reason: problem.reason } as const;
    const kind = problem.code === 'unavailable' ? 'failed' : 'unauthorized';
    this.dispatch(row, { kind, attempt: row.state.attempts, failure });
  }

  #recordFailure(row: ConnectionRow, failure: ConnectionFailure): void {
    row.failure = failure.reason;
    row.failedAt = this.#options.now();
    this.dispatch(row, { kind: 'failed', attempt: row.state.attempts, failure });
  }

  /** A place may be free for the next request, so it does not back off. */
  #recordFull(row: ConnectionRow, reason: string): void {
    this.#recordFailure(row, { code: 'other', reason });
    const { hasLists, callRetryMs } = this.#findPolicy(row);
    row.failedAt -= callRetryMs;
    if (!hasLists) this.table.remove(row);
  }

  /** The calls that run may finish, or wait for the next session. */
  #handleSessionEnd({ row, attempt }: Opening, reason: string): void {
    const { now, backoff, log } = this.#options;
    if (!isLive(row, attempt)) return;
    row.renewals ??= new SessionRenewals();
    if (!row.renewals.take(now(), backoff)) return;
    if (row.served !== undefined)
      log({ level: 'warn', server: row.server, event: 'server.session-ended', reason });
    this.dispatch(row, { kind: 'session-ended', attempt });
    this.#reopenIfNeeded(row);
  }

  /** Opens a lost connection again for its subscriptions; any other waits for the next request. */
  #reopenIfNeeded(row: ConnectionRow): void {
    if (!this.#options.isNeeded(row) || this.#isClosed) return;
    const { owner, server, state } = row;
    const again = (): void => {
      const known = this.table.findOwner(owner.kind, owner.key)?.rows.get(server);
      if (known === row) void this.open(row);
    };
    const { callRetryMs } = this.#options.policies[owner.kind];
    const maxMs = callRetryMs * MAX_REOPEN_FACTOR;
    const delays = { firstMs: 2 * callRetryMs, maxMs, jitter: 0.5 };
    setTimeout(again, computeBackoffDelay(state.failures, delays)).unref();
  }

  #isIdle(row: ConnectionRow): boolean {
    if (row.opening !== undefined || row.connection?.isIdle === false) return false;
    return !this.#options.isNeeded(row);
  }

  #evictUnused(kind: OwnerKind): void {
    for (const row of this.places.listUnused(kind))
      if (this.#isIdle(row)) this.#release(row, { kind: 'evicted' });
  }
}
