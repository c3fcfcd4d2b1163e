import type { ServerInventory } from '@gateway/catalog';
import type { McpServer, McpServerStatus } from '@gateway/crd-schemas';
import type { ClientInfo, Era } from '../connection/client-session.ts';
import { openConnection } from '../connection/connection.ts';
import type { Connection } from '../connection/connection.ts';
import { inventoryOf, mergedLists } from '../lists/inventory.ts';
import type { BackoffPolicy, RelistPolicy } from '../limits.ts';
import { sanitisedLine } from '../reason.ts';
import { createRelistSchedule } from '../lists/relist-schedule.ts';
import { dependencyOf } from './dependency.ts';
import type { DependencyWatch } from './dependency-watch.ts';
import type { Failure, MachineEvent } from './phase.ts';
import { ServerHistory } from './server-history.ts';
import type { HistoryWorld } from './server-history.ts';
import { INITIAL_STATE, transition } from './server-machine.ts';
import type { MachineState } from './server-machine.ts';
import type { ServerRecord } from './server-record.ts';
import { viewOf } from './server-view.ts';
import type { ServerView } from './server-view.ts';
import type { StartGate } from './start-gate.ts';
import { logTransition } from './state-log.ts';
import type { MachineAction } from './transitions.ts';
import type { HealthNews } from '../connection/health-check.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { ConnectionWorld } from '../connection/link.ts';

/** What every supervisor shares. */
export interface SupervisorWorld extends ConnectionWorld, HistoryWorld {
  readonly clientInfo: ClientInfo;
  readonly gate: StartGate;
  readonly dependencies: DependencyWatch;
  /** Another number each time. */
  readonly nextLife: () => number;
  readonly backoff: BackoffPolicy;
  readonly relist: RelistPolicy;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A resource of a server that is subscribed to has changed. */
  readonly onResourceUpdated: (server: string, params: Readonly<Record<string, unknown>>) => void;
  /** After any change of a state or an inventory. */
  readonly onChange: () => void;
}

interface Live {
  readonly connection: Connection;
  readonly lists: ServerLists;
  readonly life: number;
}

/** Of a connection that was just made. */
const WELL: HealthNews = { level: 'healthy' };

/** Where an attempt has come to rest. */
const AT_REST: ReadonlySet<MachineState['phase']['kind']> = new Set([
  'stopped',
  'live',
  'waiting',
  'auth-required',
]);

/**
 * Keeps one server as it is wanted: carries out what the machine decides and tells it what happened. At most one connection of a
 * server exists at a time; the next one waits for the end of the last.
 */
export class Supervisor {
  readonly #world: SupervisorWorld;
  readonly #history: ServerHistory;
  #definition: McpServer;
  #state: MachineState = INITIAL_STATE;
  #live: Live | undefined;
  #inventory: ServerInventory | undefined;
  #knownEra: Era | undefined;
  /** The last attempt ended at the question about the era. */
  #isHalfTried = false;
  #health: HealthNews = WELL;
  #view: ServerView | undefined;
  /** Ends the timer or the watch of the present phase. */
  #endPlan: () => void = () => undefined;
  #end: () => void = () => undefined;
  #noticeListChange: () => void = () => undefined;
  #previous: Promise<void>;
  readonly #waiters = new Set<() => void>();

  /** @param predecessor the end of an earlier server of this name */
  constructor(definition: McpServer, world: SupervisorWorld, predecessor: Promise<void>) {
    this.#definition = definition;
    this.#world = world;
    this.#history = new ServerHistory(world);
    this.#previous = predecessor;
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

  /** Which connection it is. */
  get life(): number | undefined {
    return this.#live?.life;
  }

  /** Of the present or the last connection. */
  get health(): HealthNews {
    return this.#health;
  }

  get record(): ServerRecord {
    return this.#history.record;
  }

  /** The same object while nothing of it changed. */
  get view(): ServerView {
    return (this.#view ??= viewOf(this));
  }

  get tools(): ServerLists['tools'] {
    return this.#live?.lists.tools ?? [];
  }

  /** The same object while nothing of it changed; `undefined` unless the server is live. */
  get inventory(): ServerInventory | undefined {
    return this.#live === undefined ? undefined : this.#inventory;
  }

  /** Takes a new definition. A live connection stays unless it is made differently now. */
  redefine(definition: McpServer, reconnect: boolean): void {
    this.#definition = definition;
    if (reconnect) {
      this.#knownEra = undefined;
      this.tell({ kind: 'redefined' });
    }
    this.#changed();
  }

  /** What the resource's `status` shows now. */
  status(): McpServerStatus {
    const { type } = this.#definition.spec;
    const { tools, health } = this;
    return this.#history.status({ type, state: this.#state, health, tools: tools.length });
  }

  /** Lets the machine know, and does what it says. */
  tell(event: MachineEvent): void {
    const { random, backoff } = this.#world;
    const before = this.#state;
    const { state: after, actions } = transition(before, event, { random: random(), backoff });
    if (after === before) return;
    this.#state = after;
    if (after.phase !== before.phase) this.#endPlan();
    for (const action of actions) this.#act(action);
    if (after.phase.kind !== 'live') this.#live = undefined;
    logTransition(this.#definition, before, after, this.#world.log);
    this.#history.take(this.#definition, { before, event, after }, this.tools.length);
    this.#changed();
    if (this.#isAtRest()) this.#release();
  }

  /**
   * Resolves once the server is live, stopped, or has failed an attempt. One that ended at the question about the era is not over before
   * the next one, which does not ask.
   */
  atRest(): Promise<void> {
    if (this.#isAtRest()) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  /** Resolves once nothing of the server runs any more. Call it after `stop`. */
  ended(): Promise<void> {
    return this.#previous;
  }

  #isAtRest(): boolean {
    const { kind } = this.#state.phase;
    return AT_REST.has(kind) && !(kind === 'waiting' && this.#isHalfTried);
  }

  #release(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const resolve of waiters) resolve();
  }

  #act(action: MachineAction): void {
    const { attempts } = this.#state;
    switch (action) {
      case 'open':
        this.#previous = this.#run(attempts, this.#previous);
        break;
      case 'close':
        this.#end();
        break;
      case 'plan-retry':
        this.#planRetry();
        break;
      case 'await-stability':
        this.#plan({ kind: 'stable', attempt: attempts }, this.#world.backoff.stableAfterMs);
        break;
    }
  }

  #plan(event: MachineEvent, delayMs: number): void {
    const timer = setTimeout(() => this.tell(event), delayMs).unref();
    this.#endPlan = () => clearTimeout(timer);
  }

  #planRetry(): void {
    const { phase } = this.#state;
    if (phase.kind !== 'waiting') return;
    this.#plan({ kind: 'retry-due' }, phase.delayMs);
    if (phase.lookMs === undefined) return;
    const dependency = dependencyOf(this.#definition, this.#world.baseDirectory);
    const appeared = (): void => this.tell({ kind: 'appeared' });
    const stopLooking = this.#world.dependencies.watch(dependency, phase.lookMs, appeared);
    const stopTimer = this.#endPlan;
    this.#endPlan = () => {
      stopTimer();
      stopLooking();
    };
  }

  /** The life of one attempt, from waiting for its predecessor to the last trace of it. */
  async #run(attempt: number, previous: Promise<void>): Promise<void> {
    const controller = new AbortController();
    const ending = new Promise<void>((resolve) => {
      this.#end = () => {
        controller.abort(new Error('the server was stopped'));
        resolve();
      };
    });
    await previous;
    const leave = await this.#enter(controller.signal);
    const missed = { notice: false };
    this.#noticeListChange = () => {
      missed.notice = true;
    };
    const connection = await this.#open(attempt, controller.signal);
    leave?.();
    if (connection !== undefined) {
      const relist = createRelistSchedule(this.#world.relist, () => this.#relist(connection));
      this.#noticeListChange = () => relist.notice();
      if (missed.notice) relist.notice();
      this.#goLive(attempt, connection);
      await ending;
      relist.stop();
      await connection.close();
    }
    this.tell({ kind: 'closed', attempt });
  }

  #enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    // Only children compete for this machine's processors.
    if (this.#definition.spec.type !== 'stdio') return Promise.resolve(undefined);
    const server = this.#definition.metadata.name;
    return this.#world.gate.enter({ server, isRetry: this.#state.failures > 0, signal });
  }

  async #open(attempt: number, signal: AbortSignal): Promise<Connection | undefined> {
    if (signal.aborted) return undefined;
    const failed = (failure: Failure): void =>
      this.tell({ kind: failure.authRequired ? 'unauthorized' : 'failed', attempt, failure });
    const knownEra = this.#knownEra;
    const outcome = await openConnection(
      { server: this.#definition, clientInfo: this.#world.clientInfo, knownEra, signal },
      this.#world,
      {
        onListChanged: () => this.#noticeListChange(),
        onResourceUpdated: (params) =>
          this.#world.onResourceUpdated(this.#definition.metadata.name, params),
        onHealth: (health) => this.#takeHealth(attempt, health),
        onLost: failed,
      },
    );
    // An unsuccessful attempt may have been misled by what was remembered, so that is forgotten.
    this.#knownEra = outcome.ok ? outcome.connection.era : outcome.nextEra;
    this.#isHalfTried = !outcome.ok && outcome.nextEra !== undefined;
    if (outcome.ok) return outcome.connection;
    failed(outcome.failure);
    return undefined;
  }

  #takeHealth(attempt: number, health: HealthNews): void {
    const { phase } = this.#state;
    if (phase.kind !== 'live' || phase.attempt !== attempt) return;
    this.#health = health;
    this.#history.takeHealth(this.#definition, health);
    this.#changed();
  }

  #goLive(attempt: number, connection: Connection): void {
    this.#live = { connection, lists: connection.lists, life: this.#world.nextLife() };
    this.#health = WELL;
    this.tell({ kind: 'connected', attempt });
    if (this.#state.phase.kind !== 'live') this.#live = undefined;
  }

  async #relist(connection: Connection): Promise<void> {
    const outcome = await connection.readLists();
    const live = this.#live;
    if (live?.connection !== connection) return;
    if (!outcome.ok) {
      const { name } = this.#definition.metadata;
      const reason = sanitisedLine(outcome.reason);
      this.#world.log({
        level: 'warn',
        server: name,
        event: 'server.list-refused',
        list: 'tools/list',
        reason,
      });
      return;
    }
    const lists = mergedLists(live.lists, outcome.lists);
    if (lists === live.lists) return;
    this.#live = { ...live, lists };
    this.#changed();
  }

  #changed(): void {
    this.#view = undefined;
    if (this.#live !== undefined)
      this.#inventory = inventoryOf(this.#definition, this.#live.lists, this.#inventory);
    this.#world.onChange();
  }
}
