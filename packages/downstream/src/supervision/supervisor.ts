import type { ServerInventory } from '@gateway/catalog';
import type { McpServer, McpServerStatus } from '@gateway/crd-schemas';
import type { Era } from '../requests/request-connection.ts';
import type { Connection } from '../connection/connection.ts';
import { InventoryRecord } from '../lists/inventory.ts';
import { ExposedLists } from '../lists/exposed-lists.ts';
import { StartProgress } from './start-progress.ts';
import { PhaseTimers } from './phase-timers.ts';
import { isAtRest, isTrying, statusState } from './machine/phase-table.ts';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import type { MachineEvent } from './machine/phase.ts';
import { failureEventOf } from './failure-event.ts';
import { scheduleRetry } from './schedule-retry.ts';
import { ServerHistory, type DiscoveredLists } from './history/server-history.ts';
import { Attempts } from './attempts.ts';
import { INITIAL_STATE, transition, type MachineState } from './machine/server-machine.ts';
import { viewOf, type ServerView } from './server-view.ts';
import { logTransition } from './history/state-log.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';
import type { MachineAction } from './machine/transitions.ts';
import { Waiters } from './waiters.ts';
import { hasOtherValuesOnly } from '../wire/referenced-values.ts';
import { HEALTHY, type HealthReport } from '../connection/health-check.ts';
import { SessionRenewals } from '../connection/session-renewals.ts';
import { NO_LISTS, type ListReading, type ServerLists } from '../lists/server-lists.ts';
import type { ListProblem } from '../lists/list-problems.ts';

interface Live {
  readonly connection: Connection;
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
  #state: MachineState = INITIAL_STATE;
  #live: Live | undefined;
  #knownEra: Era | undefined;
  /** The last attempt ended at the era probe. */
  #isHalfTried = false;
  #health: HealthReport = HEALTHY;
  readonly #renewals = new SessionRenewals();
  #view: ServerView | undefined;
  readonly #attempts: Attempts;
  readonly #waiters = new Waiters();
  readonly #progress = new StartProgress(() => this.#changed());

  /** @param predecessor resolves when an earlier server of this name has ended */
  constructor(
    definition: McpServer,
    dependencies: SupervisorDependencies,
    predecessor: Promise<void>,
  ) {
    this.#definition = definition;
    this.#dependencies = dependencies;
    this.#history = new ServerHistory(dependencies);
    this.#attempts = new Attempts(predecessor);
  }

  get definition(): McpServer {
    return this.#definition;
  }

  get state(): MachineState {
    return this.#state;
  }

  get connection(): Connection | undefined {
    return this.#live?.connection;
  }

  /** The state alone: the view reads the status, which asks whether users sign in to the server. */
  get statusState(): ServerView['state'] {
    return statusState(this.#definition.spec.type, this.#state.phase.kind);
  }

  get requiresAuth(): boolean {
    return this.#state.phase.kind === 'auth-required';
  }

  /** The same object while it is unchanged. */
  get view(): ServerView {
    this.#view ??= viewOf({
      definition: this.#definition,
      state: this.#state,
      record: this.#history.record,
      health: this.#health,
      lists: this.#live?.exposed.lists ?? NO_LISTS,
      toolChanges: this.#dependencies.declared.changesOf(this.#definition.metadata.name),
      listProblems: this.#listProblems,
      connection: this.connection,
      connectionId: this.#live?.connectionId,
      startProgress: this.#progress.line,
      isTrying: isTrying(this.#state, this.#isHalfTried, this.#waiters.hasReleased),
      status: () => this.#status(),
    });
    return this.#view;
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
    const { random, backoff } = this.#dependencies;
    const before = this.#state;
    const { state: after, actions } = transition(before, event, { random: random(), backoff });
    if (after === before) return;
    this.#state = after;
    this.#view = undefined;
    if (after.phase !== before.phase) this.#timers.clear();
    this.#attempts.follow(before.phase, event, after.phase);
    for (const action of actions) this.#act(action);
    if (after.phase.kind !== 'live' && !this.#attempts.isRotating) this.#live = undefined;
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
    if (isAtRest(this.#state.phase, this.#isHalfTried)) return Promise.resolve();
    return this.#waiters.wait();
  }

  /** Resolves when the server has ended completely. Call it after `stop`. */
  ended(): Promise<void> {
    return this.#attempts.over();
  }

  get #listProblems(): readonly ListProblem[] {
    return this.connection?.listReader.problems ?? [];
  }

  get #discovered(): DiscoveredLists {
    return { tools: this.tools.length, listProblems: this.#listProblems };
  }

  #status(): McpServerStatus {
    const { referenced, spec } = this.#definition;
    const about = { type: spec.type, state: this.#state, ...this.#discovered };
    const tokenProblem = this.#dependencies.tokenProblem?.(this.#definition);
    return this.#history.status({ ...about, health: this.#health, referenced, tokenProblem });
  }

  #act(action: MachineAction): void {
    const { attempts, phase } = this.#state;
    const dispatch = (event: MachineEvent): void => this.dispatch(event);
    switch (action) {
      case 'open':
        this.#open(attempts);
        break;
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
    const task = {
      definition: () => this.#definition,
      knownEra: this.#knownEra,
      isRetry: this.#state.failures > 0,
    };
    const failed = (failure: ConnectionFailure): void =>
      this.dispatch({ kind: failureEventOf(this.#definition, failure), attempt, failure });
    this.#attempts.begin(task, this.#dependencies, {
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
      onClosed: () => this.dispatch({ kind: 'closed', attempt }),
    });
  }

  /** Replaces the connection. Its calls wait for the next one. */
  #renewSession(attempt: number, reason: string): void {
    const { phase } = this.#state;
    if (phase.kind !== 'live' || phase.attempt !== attempt) return;
    const { now, backoff, log } = this.#dependencies;
    if (!this.#renewals.take(now(), backoff)) return;
    const { name } = this.#definition.metadata;
    log({ level: 'warn', server: name, event: 'server.session-ended', reason });
    this.dispatch({ kind: 'session-ended', attempt });
  }

  #takeHealth(attempt: number, health: HealthReport): void {
    const { phase } = this.#state;
    if (phase.kind !== 'live' || phase.attempt !== attempt) return;
    this.#health = health;
    this.#history.takeHealth(this.#definition, health);
    this.#changed();
  }

  #goLive(attempt: number, connection: Connection): void {
    const { declared, nextConnectionId } = this.#dependencies;
    const exposed = new ExposedLists(this.#definition.metadata, declared, connection.lists);
    this.#live = { connection, exposed, connectionId: nextConnectionId() };
    this.#health = HEALTHY;
    this.dispatch({ kind: 'connected', attempt });
    if (this.#state.phase.kind !== 'live') this.#live = undefined;
  }

  async #takeLists(connection: Connection, { lists }: ListReading): Promise<void> {
    const live = this.#live;
    if (live?.connection !== connection) return;
    const isLive = (): boolean => this.#live === live;
    const isChanged = await live.exposed.update(lists, isLive);
    if (!isLive()) return;
    const hasOtherProblems = this.#history.takeLists(this.#definition, this.#discovered);
    if (isChanged || hasOtherProblems) this.#changed();
  }

  #changed(): void {
    this.#view = undefined;
    this.listed.update(this.#definition, this.#live?.exposed.lists);
    this.#dependencies.onChange();
  }
}
