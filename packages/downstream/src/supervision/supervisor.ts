import type { ServerInventory } from '@gateway/catalog';
import type { McpServer, McpServerStatus } from '@gateway/crd-schemas';
import type { Era } from '../requests/request-connection.ts';
import type { Connection } from '../connection/connection.ts';
import { inventoryOf } from '../lists/inventory.ts';
import { ServerOffer } from '../lists/exposed-lists.ts';
import { Agenda } from './phase-timers.ts';
import { isAtRest } from './machine/phase-table.ts';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import type { MachineEvent } from './machine/phase.ts';
import { planRetry } from './schedule-retry.ts';
import { ServerHistory } from './history/server-history.ts';
import { beginAttempt } from './server-attempt.ts';
import type { Attempt } from './server-attempt.ts';
import { INITIAL_STATE, transition } from './machine/server-machine.ts';
import type { MachineState } from './machine/server-machine.ts';
import type { ServerRecord } from './history/server-record.ts';
import { viewOf } from './server-view.ts';
import type { ServerView } from './server-view.ts';
import { logToolsRefused, logTransition } from './history/state-log.ts';
import type { SupervisorWorld } from './supervisor-dependencies.ts';
import type { MachineAction } from './machine/transitions.ts';
import { Waiters } from './waiters.ts';
import type { HealthNews } from '../connection/health-check.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { ToolChange } from '../lists/trust/tool-change.ts';

interface Live {
  readonly connection: Connection;
  readonly offer: ServerOffer;
  readonly life: number;
}

/** Of a connection that was just made. */
const WELL: HealthNews = { level: 'healthy' };

/**
 * Keeps one server as it is wanted: carries out what the machine decides and tells it what happened. At most one connection of a
 * server exists at a time; the next one waits for the end of the last.
 */
export class Supervisor {
  readonly #world: SupervisorWorld;
  readonly #history: ServerHistory;
  readonly #agenda = new Agenda();
  #definition: McpServer;
  #state: MachineState = INITIAL_STATE;
  #live: Live | undefined;
  #inventory: ServerInventory | undefined;
  #knownEra: Era | undefined;
  /** The last attempt ended at the question about the era. */
  #isHalfTried = false;
  #health: HealthNews = WELL;
  #view: ServerView | undefined;
  #attempt: Attempt | undefined;
  #previous: Promise<void>;
  readonly #waiters = new Waiters();

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

  get statusState(): ServerView['state'] {
    return this.view.state;
  }

  get requiresAuth(): boolean {
    return this.#state.phase.kind === 'auth-required';
  }

  /** The same object while nothing of it changed. */
  get view(): ServerView {
    return (this.#view ??= viewOf(this));
  }

  get tools(): ServerLists['tools'] {
    return this.#live?.offer.lists.tools ?? [];
  }

  /** The same array while nothing changed. */
  get toolChanges(): readonly ToolChange[] {
    return this.#world.declared.changesOf(this.#definition.metadata.name);
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

  /** Something that the server says of its tools was accepted. */
  offerAgain(): void {
    this.#live?.offer.again();
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
    this.#view = undefined;
    if (after.phase !== before.phase) this.#agenda.clear();
    for (const action of actions) this.#act(action);
    if (after.phase.kind !== 'live') this.#live = undefined;
    logTransition(this.#definition, before, after, this.#world.log);
    this.#history.take(this.#definition, { before, event, after }, this.tools.length);
    this.#changed();
    if (isAtRest(after.phase, this.#isHalfTried)) this.#waiters.release();
  }

  /**
   * Resolves once the server is live, stopped, or has failed an attempt. One that ended at the question about the era is not over before
   * the next one, which does not ask, if that comes soon.
   */
  atRest(): Promise<void> {
    if (isAtRest(this.#state.phase, this.#isHalfTried)) return Promise.resolve();
    return this.#waiters.wait();
  }

  /** Resolves once nothing of the server runs any more. Call it after `stop`. */
  ended(): Promise<void> {
    return this.#previous;
  }

  #act(action: MachineAction): void {
    const { attempts, phase } = this.#state;
    const tell = (event: MachineEvent): void => this.tell(event);
    switch (action) {
      case 'open':
        this.#open(attempts);
        break;
      case 'close':
        this.#attempt?.end();
        break;
      case 'plan-retry':
        planRetry(this.#agenda, { definition: this.#definition, phase, tell }, this.#world);
        break;
      case 'await-stability':
        this.#agenda.after(this.#world.backoff.stableAfterMs, () =>
          tell({ kind: 'stable', attempt: attempts }),
        );
        break;
    }
  }

  #open(attempt: number): void {
    const task = {
      definition: () => this.#definition,
      knownEra: this.#knownEra,
      isRetry: this.#state.failures > 0,
      previous: this.#previous,
    };
    const failed = (failure: ConnectionFailure): void =>
      this.tell({
        kind: failure.code === 'auth-required' ? 'unauthorized' : 'failed',
        attempt,
        failure,
      });
    this.#attempt = beginAttempt(task, this.#world, {
      onOutcome: (outcome) => {
        // An unsuccessful attempt may have been misled by what was remembered, so that is forgotten.
        this.#knownEra = outcome.ok ? outcome.connection.era : outcome.nextEra;
        this.#isHalfTried = !outcome.ok && outcome.nextEra !== undefined;
        if (outcome.ok) this.#goLive(attempt, outcome.connection);
        else failed(outcome.failure);
      },
      onHealth: (health) => this.#takeHealth(attempt, health),
      onLost: failed,
      onListsChanged: (connection) => this.#relist(connection),
    });
    this.#previous = this.#attempt.over.then(() => this.tell({ kind: 'closed', attempt }));
  }

  #takeHealth(attempt: number, health: HealthNews): void {
    const { phase } = this.#state;
    if (phase.kind !== 'live' || phase.attempt !== attempt) return;
    this.#health = health;
    this.#history.takeHealth(this.#definition, health);
    this.#changed();
  }

  #goLive(attempt: number, connection: Connection): void {
    const { declared, nextLife } = this.#world;
    const offer = new ServerOffer(this.#definition.metadata, declared, connection.lists);
    this.#live = { connection, offer, life: nextLife() };
    this.#health = WELL;
    this.tell({ kind: 'connected', attempt });
    if (this.#state.phase.kind !== 'live') this.#live = undefined;
  }

  async #relist(connection: Connection): Promise<void> {
    const outcome = await connection.readLists();
    const live = this.#live;
    if (live?.connection !== connection) return;
    if (!outcome.ok) logToolsRefused(this.#definition, outcome.reason, this.#world.log);
    else if (await live.offer.take(outcome.lists, () => this.#live === live)) this.#changed();
  }

  #changed(): void {
    this.#view = undefined;
    if (this.#live !== undefined)
      this.#inventory = inventoryOf(this.#definition, this.#live.offer.lists, this.#inventory);
    this.#world.onChange();
  }
}
