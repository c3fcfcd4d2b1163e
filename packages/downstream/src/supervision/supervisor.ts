import type { ServerInventory } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import type { ClientInfo, Era } from '../connection/client-session.ts';
import { openConnection } from '../connection/connection.ts';
import type { Connection } from '../connection/connection.ts';
import { inventoryOf, mergedLists } from '../lists/inventory.ts';
import type { BackoffPolicy, RelistPolicy } from '../limits.ts';
import { sanitisedLine } from '../reason.ts';
import { createRelistSchedule } from '../lists/relist-schedule.ts';
import { INITIAL_STATE, transition } from './server-machine.ts';
import type { Failure, MachineAction, MachineEvent, MachineState } from './server-machine.ts';
import type { StartGate } from './start-gate.ts';
import { logTransition } from './state-log.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { ConnectionWorld } from '../connection/link.ts';

/** What every supervisor shares. */
export interface SupervisorWorld extends ConnectionWorld {
  readonly clientInfo: ClientInfo;
  readonly gate: StartGate;
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
}

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
  #definition: McpServer;
  #state: MachineState = INITIAL_STATE;
  #live: Live | undefined;
  #inventory: ServerInventory | undefined;
  #knownEra: Era | undefined;
  #retry: NodeJS.Timeout | undefined;
  #end: () => void = () => undefined;
  #noticeListChange: () => void = () => undefined;
  #previous: Promise<void>;
  readonly #waiters = new Set<() => void>();

  /** @param predecessor the end of an earlier server of this name */
  constructor(definition: McpServer, world: SupervisorWorld, predecessor: Promise<void>) {
    this.#definition = definition;
    this.#world = world;
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
    if (reconnect) this.#knownEra = undefined;
    const { kind } = this.#state.phase;
    if (reconnect && kind !== 'stopped' && kind !== 'stopping') this.tell({ kind: 'restart' });
    this.#changed();
  }

  /** Lets the machine know, and does what it says. */
  tell(event: MachineEvent): void {
    const { now, random, backoff } = this.#world;
    const before = this.#state;
    const next = transition(before, event, { now: now(), random: random(), backoff });
    this.#state = next.state;
    for (const action of next.actions) this.#act(action);
    if (before.phase === next.state.phase) return;
    if (next.state.phase.kind !== 'live') this.#live = undefined;
    logTransition(this.#definition, before, next.state, this.#world);
    this.#changed();
    if (AT_REST.has(next.state.phase.kind)) this.#release();
  }

  /** Resolves once the server is live, stopped, or has failed an attempt. */
  atRest(): Promise<void> {
    if (AT_REST.has(this.#state.phase.kind)) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  /** Resolves once nothing of the server runs any more. Call it after `stop`. */
  ended(): Promise<void> {
    return this.#previous;
  }

  #release(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const resolve of waiters) resolve();
  }

  #act(action: MachineAction): void {
    switch (action.kind) {
      case 'open':
        this.#previous = this.#run(action.attempt, this.#previous);
        break;
      case 'close':
        this.#end();
        break;
      case 'schedule-retry':
        this.#end();
        this.#retry = setTimeout(() => this.tell({ kind: 'retry-due' }), action.delayMs);
        this.#retry.unref();
        break;
      case 'cancel-retry':
        clearTimeout(this.#retry);
        break;
    }
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
    return this.#world.gate.enter(signal);
  }

  async #open(attempt: number, signal: AbortSignal): Promise<Connection | undefined> {
    if (signal.aborted) return undefined;
    const failed = (failure: Failure): void => this.tell({ kind: 'failed', attempt, failure });
    const knownEra = this.#knownEra;
    const outcome = await openConnection(
      { server: this.#definition, clientInfo: this.#world.clientInfo, knownEra, signal },
      this.#world,
      {
        onListChanged: () => this.#noticeListChange(),
        onResourceUpdated: (params) =>
          this.#world.onResourceUpdated(this.#definition.metadata.name, params),
        onLost: (failure) => {
          failed(failure);
          // `auth-required` schedules nothing, so the connection is ended here.
          this.#endOf(attempt);
        },
      },
    );
    // An unsuccessful attempt may have been misled by what was remembered, so that is forgotten.
    this.#knownEra = outcome.ok ? outcome.connection.era : undefined;
    if (outcome.ok) return outcome.connection;
    failed(outcome.failure);
    return undefined;
  }

  #endOf(attempt: number): void {
    if (this.#state.attempts === attempt) this.#end();
  }

  #goLive(attempt: number, connection: Connection): void {
    this.#live = { connection, lists: connection.lists };
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
    this.#live = { connection, lists };
    this.#changed();
  }

  #changed(): void {
    if (this.#live !== undefined)
      this.#inventory = inventoryOf(this.#definition, this.#live.lists, this.#inventory);
    this.#world.onChange();
  }
}
