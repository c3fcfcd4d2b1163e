import type { ServerInventory } from '@gateway/catalog';
import { authStrategyOf } from '@gateway/crd-schemas';
import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import type { Connection } from '../connection/connection.ts';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import { HEALTHY } from '../connection/health-check.ts';
import type { HealthReport } from '../connection/health-check.ts';
import { SessionRenewals } from '../connection/session-renewals.ts';
import { computeDigests, ExposedLists, InventoryRecord } from '../lists/exposed-lists.ts';
import type { ListProblem, ListReading, ServerLists } from '../lists/server-lists.ts';
import { NO_LISTS } from '../lists/server-lists.ts';
import type { ToolChange } from '../lists/trust/server-ledger.ts';
import type { Era } from '../requests/outgoing-requests.ts';
import { hasOtherValuesOnly } from '../wire/referenced-values.ts';
import { Attempt, AttemptSeries } from './attempts.ts';
import type { PreparedAttempt } from './attempts.ts';
import type { ConnectionRow } from './connection-table.ts';
import { dependencyOf } from './dependency.ts';
import type {
  MachineAction,
  MachineEvent,
  MachineEventKind,
  MachineState,
  Phase,
} from './machine.ts';
import { OwnedConnection } from './owned-connection.ts';
import { isAtRest, isTrying, statusState } from './phase-table.ts';
import { applyEvent } from './policy.ts';
import { logTransition, ServerHistory } from './server-history.ts';
import type { DiscoveredLists } from './server-history.ts';
import type { ServerRecord } from './server-record.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';

/** The timers of the present phase of a server. They end with the phase. */
class PhaseTimers {
  readonly #ends: (() => void)[] = [];

  /** Calls `act` once after the delay. */
  after(delayMs: number, act: () => void): void {
    const timer = setTimeout(act, delayMs).unref();
    this.#ends.push(() => clearTimeout(timer));
  }

  /** Registers a function that is called at the end of the phase. */
  onEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** Ends the phase. */
  clear(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

/** Promises that wait for one event. */
class Waiters {
  readonly #resolvers = new Set<() => void>();
  #hasReleased = false;

  /** Returns whether the event has happened. */
  get hasReleased(): boolean {
    return this.#hasReleased;
  }

  /** Resolves with the next release. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#resolvers.add(resolve));
  }

  /** Resolves all waiting promises. */
  release(): void {
    this.#hasReleased = true;
    const resolvers = [...this.#resolvers];
    this.#resolvers.clear();
    for (const resolve of resolvers) resolve();
  }
}

/** Minimum interval between two reports, in milliseconds. */
const INTERVAL_MS = 500;

/** The last line of output of a starting server. */
class StartProgress {
  readonly #onChange: () => void;
  #line: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onChange called after changes, at most once per interval */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get line(): string | undefined {
    return this.#line;
  }

  take(line: string): void {
    if (line === '') return;
    this.#line = line;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#onChange();
    }, INTERVAL_MS).unref();
  }

  /** Ends the progress of an attempt. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#line = undefined;
  }
}

/** Returns whether requests to the server need the token of a person. @spec §2.6 auth */
const needsSignIn = ({ spec }: McpServer): boolean =>
  spec.type !== 'stdio' && authStrategyOf(spec.auth).kind !== 'none';

/** Returns the event of a failure. A refusal of the credentials in a definition may pass, one that a person must resolve does not. */
const failureEventOf = (
  server: McpServer,
  { code }: ConnectionFailure,
): Extract<MachineEventKind, 'failed' | 'unauthorized' | 'sign-in-required'> => {
  if (code !== 'auth-required') return 'failed';
  return needsSignIn(server) ? 'sign-in-required' : 'unauthorized';
};

/** A waiting server and the receiver of its events. */
interface Waiter {
  readonly definition: McpServer;
  readonly phase: Phase;
  readonly dispatch: (event: MachineEvent) => void;
}

/** Schedules the next attempt of a waiting server and the checks for its dependency. */
const scheduleRetry = (
  timers: PhaseTimers,
  { definition, phase, dispatch }: Waiter,
  {
    dependencyWatch,
    baseDirectory,
  }: Pick<SupervisorDependencies, 'dependencyWatch' | 'baseDirectory'>,
): void => {
  if (!('delayMs' in phase)) return;
  timers.after(phase.delayMs, () => dispatch({ kind: 'retry-due' }));
  if (!('checkMs' in phase)) return;
  const dependency = dependencyOf(definition, baseDirectory);
  timers.onEnd(
    dependencyWatch.watch(dependency, phase.checkMs, () => dispatch({ kind: 'appeared' })),
  );
};

/** The facts from which a view is made. */
export interface ServerFacts {
  readonly definition: McpServer;
  readonly state: MachineState;
  readonly record: ServerRecord;
  /** The lists of a connected server; empty ones otherwise. */
  readonly lists: Pick<ServerLists, 'tools' | 'resources' | 'prompts'>;
  readonly listProblems: readonly ListProblem[];
  readonly toolChanges: readonly ToolChange[];
  readonly health: HealthReport;
  readonly connection: Connection | undefined;
  readonly connectionId: number | undefined;
  readonly startProgress: string | undefined;
  readonly isTrying: boolean;
}

interface Live {
  readonly exposed: ExposedLists;
  readonly connectionId: number;
}

/**
 * Runs one server: performs the actions of the state machine and reports its events. A server has at most one connection at a time; the
 * next one waits for the end of the last.
 */
export class Supervisor {
  /** The last inventory, of a connected server the present one. */
  readonly listed = new InventoryRecord();
  readonly #dependencies: SupervisorDependencies;
  readonly #history: ServerHistory;
  readonly #timers = new PhaseTimers();
  #definition: McpServer;
  readonly #row: ConnectionRow;
  #live: Live | undefined;
  #knownEra: Era | undefined;
  /** The last attempt ended at the era probe. */
  #isHalfTried = false;
  #health: HealthReport = HEALTHY;
  #facts: ServerFacts | undefined;
  readonly #attempts: AttemptSeries;
  readonly #waiters = new Waiters();
  readonly #progress = new StartProgress(() => this.#changed());

  /** @param predecessor resolves when an earlier server of this name has ended */
  constructor(
    definition: McpServer,
    dependencies: SupervisorDependencies,
    predecessor: Promise<void>,
  ) {
    this.#dependencies = dependencies;
    this.#row = dependencies.table.row(dependencies.table.shared, definition.metadata.name);
    this.#definition = definition;
    this.#history = new ServerHistory(dependencies);
    this.#attempts = new AttemptSeries(predecessor);
  }

  get definition(): McpServer {
    return this.#definition;
  }

  get state(): MachineState {
    return this.#row.state;
  }

  get connection(): OwnedConnection | undefined {
    return this.#row.connection;
  }

  /** The state alone: the view reads the status, which asks whether users sign in to the server. */
  get statusState(): McpServerState {
    return statusState(this.#definition.spec.type, this.#row.state.phase.kind);
  }

  get requiresAuth(): boolean {
    return this.#row.state.phase.kind === 'auth-required';
  }

  /** The server runs, or is meant to run. */
  get isDesired(): boolean {
    const { kind } = this.#row.state.phase;
    return kind !== 'stopped' && kind !== 'stopping';
  }

  /** The facts that views of the server show; the same object while it is unchanged. */
  get facts(): ServerFacts {
    this.#facts ??= {
      definition: this.#definition,
      state: this.#row.state,
      record: this.#history.record,
      health: this.#health,
      lists: this.#live?.exposed.lists ?? NO_LISTS,
      toolChanges: this.#dependencies.declared.changesOf(this.#definition.metadata.name),
      listProblems: this.#listProblems,
      connection: this.connection?.connection,
      connectionId: this.#live?.connectionId,
      startProgress: this.#progress.line,
      isTrying: isTrying(this.#row.state, this.#isHalfTried, this.#waiters.hasReleased),
    };
    return this.#facts;
  }

  get tools(): ServerLists['tools'] {
    return this.#live?.exposed.lists.tools ?? [];
  }

  /** The same object while it is unchanged; `undefined` unless the server is connected. */
  get inventory(): ServerInventory | undefined {
    return this.#live === undefined ? undefined : this.listed.inventory;
  }

  /** Applies a new definition. The connection stays unless it must be replaced. */
  redefine(definition: McpServer, reconnect: boolean): void {
    const isRotated = hasOtherValuesOnly(this.#definition, definition);
    this.#definition = definition;
    if (reconnect && !isRotated) {
      this.#knownEra = undefined;
      this.listed.forget();
    }
    if (reconnect) this.dispatch({ kind: isRotated ? 'rotated' : 'redefined' });
    this.#changed();
  }

  /** Exposes newly accepted hints. */
  refreshExposedLists(): void {
    this.#live?.exposed.refresh();
    this.#changed();
  }

  /** Passes an event to the state machine and performs its actions. */
  dispatch(event: MachineEvent): void {
    const { random, policies } = this.#dependencies;
    const before = this.#row.state;
    const actions = applyEvent(this.#row, event, policies.shared, random());
    const after = this.#row.state;
    if (after === before) return;
    this.#facts = undefined;
    if (after.phase !== before.phase) this.#timers.clear();
    this.#attempts.follow(before.phase, event, after.phase);
    for (const action of actions) this.#act(action);
    if (after.phase.kind !== 'live' && !this.#attempts.isRotating) this.#endLive();
    logTransition(this.#definition, before, after, this.#dependencies.log);
    this.#history.take(this.#definition, { before, event, after }, this.#discovered);
    this.#changed();
    if (isAtRest(after.phase, this.#isHalfTried)) this.#waiters.release();
  }

  /**
   * Resolves when the server is connected, stopped, or has failed an attempt. An attempt that ended at the era probe is over with the next
   * one, which skips the probe, if that starts soon.
   */
  atRest(): Promise<void> {
    if (isAtRest(this.#row.state.phase, this.#isHalfTried)) return Promise.resolve();
    return this.#waiters.wait();
  }

  /** Removes the server from the table. Call it after `stop`. */
  remove(): void {
    this.#dependencies.table.remove(this.#row);
  }

  /** Resolves when the server has ended completely. Call it after `stop`. */
  ended(): Promise<void> {
    return this.#attempts.over();
  }

  get #listProblems(): readonly ListProblem[] {
    return this.connection?.connection.listReader.problems ?? [];
  }

  get #discovered(): DiscoveredLists {
    return { tools: this.tools.length, listProblems: this.#listProblems };
  }

  #act(action: MachineAction): void {
    const { attempts, phase } = this.#row.state;
    const dispatch = (event: MachineEvent): void => this.dispatch(event);
    switch (action) {
      case 'open':
        this.#open(attempts);
        break;
      case 'drain':
      case 'close':
        this.#attempts.end();
        break;
      case 'plan-retry':
        scheduleRetry(
          this.#timers,
          { definition: this.#definition, phase, dispatch },
          this.#dependencies,
        );
        break;
      case 'await-stability':
        this.#timers.after(this.#dependencies.backoff.stableAfterMs, () =>
          dispatch({ kind: 'stable', attempt: attempts }),
        );
        break;
    }
  }

  #open(attempt: number): void {
    this.#timers.onEnd(() => this.#progress.clear());
    const dependencies = this.#dependencies;
    const isRetry = this.#row.state.failures > 0;
    const failed = (failure: ConnectionFailure): void =>
      this.dispatch({ kind: failureEventOf(this.#definition, failure), attempt, failure });
    const begin = (previous: Promise<void>): Attempt<object> =>
      new Attempt(
        {},
        dependencies.draining,
        {
          prepare: async (signal) => {
            await previous;
            await dependencies.declared.ready;
            return this.#prepare(isRetry, signal);
          },
          takeLists: ({ lists }) => computeDigests(lists.tools),
          onOutcome: (outcome) => {
            // The remembered era may have caused the failure, so it is cleared.
            this.#knownEra = outcome.ok ? outcome.connection.era : outcome.nextEra;
            this.#isHalfTried = !outcome.ok && outcome.nextEra !== undefined;
            if (outcome.ok) this.#goLive(attempt, outcome.connection);
            else failed(outcome.failure);
          },
          onHealth: (health) => this.#takeHealth(attempt, health),
          onProgress: (line) => this.#progress.take(line),
          onSessionEnded: (reason) => this.#renewSession(attempt, reason),
          onLost: failed,
          onListsRead: (connection, reading) => this.#takeLists(connection, reading),
          onResourceUpdated: (params) =>
            dependencies.onResourceUpdated(this.#definition.metadata.name, params),
        },
        dependencies,
      );
    this.#attempts.begin(begin, () => this.dispatch({ kind: 'closed', attempt }));
  }

  /** Only stdio servers use the processors of this machine, so only they wait for a slot. */
  async #prepare(isRetry: boolean, signal: AbortSignal): Promise<PreparedAttempt | undefined> {
    const { clientInfo, gate } = this.#dependencies;
    const { metadata, spec } = this.#definition;
    const leave =
      spec.type === 'stdio'
        ? await gate.enter({ server: metadata.name, isRetry, signal })
        : undefined;
    if (signal.aborted) {
      leave?.();
      return undefined;
    }
    return { request: { server: this.#definition, clientInfo, knownEra: this.#knownEra }, leave };
  }

  /** Replaces the connection. Its calls wait for the next one. */
  #renewSession(attempt: number, reason: string): void {
    const { phase } = this.#row.state;
    if (phase.kind !== 'live' || phase.attempt !== attempt) return;
    const { now, backoff, log } = this.#dependencies;
    this.#row.renewals ??= new SessionRenewals();
    if (!this.#row.renewals.take(now(), backoff)) return;
    const { name } = this.#definition.metadata;
    log({ level: 'warn', server: name, event: 'server.session-ended', reason });
    this.dispatch({ kind: 'session-ended', attempt });
  }

  #takeHealth(attempt: number, health: HealthReport): void {
    const { phase } = this.#row.state;
    if (phase.kind !== 'live' || phase.attempt !== attempt) return;
    this.#health = health;
    this.#history.takeHealth(this.#definition, health);
    this.#changed();
  }

  #goLive(attempt: number, connection: Connection): void {
    const { declared, nextConnectionId } = this.#dependencies;
    const exposed = new ExposedLists(this.#definition.metadata, declared, connection.lists);
    this.#live = { exposed, connectionId: nextConnectionId() };
    this.#row.connection = new OwnedConnection({ connection });
    this.#health = HEALTHY;
    this.dispatch({ kind: 'connected', attempt });
    if (this.#row.state.phase.kind !== 'live') this.#endLive();
  }

  #endLive(): void {
    this.#live = undefined;
    this.#row.connection = undefined;
  }

  async #takeLists(connection: Connection, { lists }: ListReading): Promise<void> {
    const live = this.#live;
    if (live === undefined || this.connection?.connection !== connection) return;
    const isLive = (): boolean => this.#live === live;
    const isChanged = await live.exposed.update(lists, isLive);
    if (!isLive()) return;
    const hasOtherProblems = this.#history.takeLists(this.#definition, this.#discovered);
    if (isChanged || hasOtherProblems) this.#changed();
  }

  #changed(): void {
    this.#facts = undefined;
    this.listed.update(this.#definition, this.#live?.exposed.lists);
    this.#dependencies.onChange();
  }
}
