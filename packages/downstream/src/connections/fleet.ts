import type { ToolChange } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import {
  isStopRequested,
  listConnectionValues,
  type McpServer,
  type McpServerState,
} from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../connection/connection.ts';
import { type HealthReport, HEALTHY } from '../connection/server-link.ts';
import { type ListProblem, NO_LISTS, type ServerLists } from '../lists/server-lists.ts';
import { findMissingValue, hasOtherValuesOnly } from '../wire/referenced-values.ts';
import { AttemptSeries } from './attempts.ts';
import type {
  ConnectionRow,
  Generation,
  OwnedConnection,
  ServedConnection,
} from './connection-table.ts';
import type { ConnectionDriver, DownstreamDependencies } from './connection-driver.ts';
import {
  isAtRest,
  isTrying,
  type MachineEvent,
  type MachineState,
  type Phase,
  toStatusState,
} from './machine.ts';
import {
  type DiscoveredLists,
  logTransition,
  ServerHistory,
  type ServerRecord,
} from './server-history.ts';

/** Returns whether each client session has a connection to the server. @spec §2.6 */
export const isPerSession = ({ spec }: McpServer): boolean => spec.instances === 'perSession';

const isDesired = ({ kind }: Phase): boolean => kind !== 'stopped' && kind !== 'stopping';

/** Minimum interval between two reports of progress, in milliseconds. */
const PROGRESS_MS = 500;

export interface ServerFacts {
  readonly definition: McpServer;
  readonly state: MachineState;
  readonly record: ServerRecord;
  readonly lists: Pick<ServerLists, 'tools' | 'resources' | 'prompts'>;
  readonly listProblems: readonly ListProblem[];
  readonly toolChanges: readonly ToolChange[];
  readonly health: HealthReport;
  readonly connection: Connection | undefined;
  readonly connectionId: number | undefined;
  readonly startProgress: string | undefined;
  readonly isTrying: boolean;
}

/** One server of the fleet: its definition, its shared connection, and the facts that the views show. */
export class Supervisor implements ServedConnection {
  readonly #dependencies: DownstreamDependencies;
  readonly #connections: ConnectionDriver;
  readonly #history: ServerHistory;
  readonly #row: ConnectionRow;
  readonly #attempts: AttemptSeries;
  /** The last line of output of a starting server, which is reported at most once per interval. */
  #progress: string | undefined;
  #progressTimer: NodeJS.Timeout | undefined;
  #definition: McpServer;
  #generation: Generation = { mayFinish: false };
  #demandsSignIn = false;
  #connectionId: number | undefined;
  #health: HealthReport = HEALTHY;
  #facts: ServerFacts | undefined;
  readonly #waiting: (() => void)[] = [];
  #hasRested = false;

  constructor(
    definition: McpServer,
    dependencies: DownstreamDependencies,
    connections: ConnectionDriver,
    predecessor: Promise<void>,
  ) {
    this.#dependencies = dependencies;
    this.#connections = connections;
    this.#definition = definition;
    this.#history = new ServerHistory(dependencies);
    this.#attempts = new AttemptSeries(predecessor);
    const { table } = dependencies;
    this.#row = table.openRow(table.shared, definition.metadata.name);
    this.#row.served = this;
    this.#row.attempts = this.#attempts;
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
    return toStatusState(this.#definition.spec.type, this.#row.state.phase.kind);
  }

  get requiresAuth(): boolean {
    return this.#row.state.phase.kind === 'auth-required';
  }

  /** A server that answered HTTP 401 demands a sign-in until its shared connection works. */
  get demandsSignIn(): boolean {
    return this.#demandsSignIn;
  }

  get generation(): Generation {
    return this.#generation;
  }

  get isDesired(): boolean {
    return isDesired(this.#row.state.phase);
  }

  /** The facts that views of the server show; the same object while it is unchanged. */
  get facts(): ServerFacts {
    this.#facts ??= {
      definition: this.#definition,
      state: this.#row.state,
      record: this.#history.record,
      health: this.#health,
      lists: (this.connection && this.#row.lists) ?? NO_LISTS,
      toolChanges: this.#dependencies.declared.listChanges(this.#definition.metadata.name),
      listProblems: this.#listProblems,
      connection: this.connection?.connection,
      connectionId: this.connection && this.#connectionId,
      startProgress: this.#progress,
      isTrying: isTrying(this.#row.state, this.#hasRested),
    };
    return this.#facts;
  }

  get tools(): ServerLists['tools'] {
    return (this.connection && this.#row.lists?.tools) ?? [];
  }

  /** The same object while it is unchanged; `undefined` unless the server is connected. */
  get inventory(): ServerInventory | undefined {
    return this.connection && this.lastInventory;
  }

  /** The inventory of the present connection, or of the last one until the server is defined differently. */
  get lastInventory(): ServerInventory | undefined {
    const { lists } = this.#row;
    return lists && this.#dependencies.inventories.find(this.#definition, lists);
  }

  /** Applies a new definition. The connection stays unless it must be replaced. */
  redefine(definition: McpServer, reconnect: boolean): void {
    const isRotated = hasOtherValuesOnly(this.#definition, definition);
    this.#definition = definition;
    if (reconnect) {
      if (!isRotated) {
        this.#connections.forgetServer(definition.metadata.name);
        this.#row.lists = undefined;
      }
      this.#generation = { mayFinish: isRotated };
      this.#demandsSignIn = false;
      this.dispatch({ kind: isRotated ? 'rotated' : 'redefined' });
    }
    this.#reportChange();
  }

  refreshExposedLists(): void {
    this.#dependencies.inventories.refresh();
    this.#reportChange();
  }

  dispatch(event: MachineEvent): void {
    this.#connections.dispatch(this.#row, event);
  }

  /** Resolves when the server is connected, stopped, or has failed an attempt; after a failed era probe, with the attempt that skips the probe. */
  waitForRest(): Promise<void> {
    return isAtRest(this.#row.state.phase)
      ? Promise.resolve()
      : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Removes the server from the table. Resolves when it has ended completely. Call it after `stop`. */
  remove(): Promise<void> {
    this.#dependencies.table.remove(this.#row);
    this.#connections.forgetServer(this.#row.server);
    return this.waitForEnd();
  }

  waitForEnd(): Promise<void> {
    return this.#attempts.waitForEnd();
  }

  onMove(before: MachineState, event: MachineEvent): void {
    const after = this.#row.state;
    this.#facts = undefined;
    if (after.phase !== before.phase) this.#endProgress();
    if (event.kind === 'restart' || !isDesired(before.phase) || !this.isDesired)
      this.#generation = { mayFinish: false };
    if (this.requiresAuth) this.#demandsSignIn = true;
    else if (this.connection !== undefined || !this.isDesired) this.#demandsSignIn = false;
    logTransition(this.#definition, before, after, this.#dependencies.log);
    this.#history.take(this.#definition, { before, event, after }, this.#discovered);
    this.#reportChange();
    if (!isAtRest(after.phase)) return;
    this.#hasRested = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  onConnected(): void {
    this.#reviewTools();
    this.#connectionId = this.#dependencies.nextConnectionId();
    this.#health = HEALTHY;
  }

  onHealth(health: HealthReport): void {
    this.#health = health;
    this.#history.takeHealth(this.#definition, health);
    this.#reportChange();
  }

  onProgress(line: string): void {
    if (line === '') return;
    this.#progress = line;
    this.#progressTimer ??= setTimeout(() => {
      this.#progressTimer = undefined;
      this.#reportChange();
    }, PROGRESS_MS).unref();
  }

  onListsRead(isChanged: boolean): void {
    if (isChanged) this.#reviewTools();
    const hasOtherProblems = this.#history.takeLists(this.#definition, this.#discovered);
    if (isChanged || hasOtherProblems) this.#reportChange();
  }

  #endProgress(): void {
    clearTimeout(this.#progressTimer);
    this.#progressTimer = undefined;
    this.#progress = undefined;
  }

  #reviewTools(): void {
    this.#dependencies.declared.review(this.#definition.metadata, this.#row.lists?.tools ?? []);
  }

  get #listProblems(): readonly ListProblem[] {
    return this.connection?.connection.listReader.problems ?? [];
  }

  get #discovered(): DiscoveredLists {
    return { tools: this.tools.length, listProblems: this.#listProblems };
  }

  #reportChange(): void {
    this.#facts = undefined;
    this.#dependencies.onChange();
  }
}

interface FleetPlan {
  readonly add: readonly McpServer[];
  readonly remove: readonly string[];
  readonly update: readonly FleetUpdate[];
}

interface FleetUpdate {
  readonly server: McpServer;
  readonly reconnect: boolean;
  /** `autoStart` was switched on, or the request to stop has ended, which starts the server. @spec §2.6 autoStart */
  readonly start: boolean;
  readonly stop: boolean;
}

/** Returns whether a server starts when it is added. @spec §2.6 autoStart */
export const canAutoStart = (server: McpServer): boolean =>
  server.spec.autoStart && !isStopRequested(server);

/**
 * Returns the part of a definition that determines the connection. A value of a Secret or ConfigMap counts,
 * not its reference. @spec §2.6
 */
const pickConnectionPart = (server: McpServer): unknown => {
  const { spec, referenced } = server;
  return [
    ...listConnectionValues(spec),
    // Values for arguments of tools do not count.
    { ...referenced?.values },
    referenced?.args,
    referenced?.url,
    findMissingValue(server),
  ];
};

const planUpdate = (before: McpServer, after: McpServer): readonly FleetUpdate[] => {
  if (before === after || isDeepStrictEqual(before, after)) return [];
  return [
    {
      server: after,
      reconnect: !isDeepStrictEqual(pickConnectionPart(before), pickConnectionPart(after)),
      start:
        !isStopRequested(after) &&
        (isStopRequested(before) || (after.spec.autoStart && !before.spec.autoStart)),
      stop: isStopRequested(after) && !isStopRequested(before),
    },
  ];
};

/** Compares the desired servers with the present ones. Of two desired servers with one name the first counts. @spec §2.6 */
export const planFleet = (
  desired: readonly McpServer[],
  present: ReadonlyMap<string, McpServer>,
): FleetPlan => {
  const wanted = new Map<string, McpServer>();
  for (const server of desired) {
    const { name } = server.metadata;
    if (!wanted.has(name)) wanted.set(name, server);
  }
  return {
    add: [...wanted.values()].filter((server) => !present.has(server.metadata.name)),
    remove: [...present.keys()].filter((name) => !wanted.has(name)),
    update: [...wanted].flatMap(([name, server]) => {
      const before = present.get(name);
      return before === undefined ? [] : planUpdate(before, server);
    }),
  };
};

/** The servers by name: starts, changes and ends them so that they become the desired ones. */
export class Fleet {
  readonly #dependencies: DownstreamDependencies;
  readonly #connections: ConnectionDriver;
  readonly #supervisors = new Map<string, Supervisor>();
  /** Removed servers that are still ending; a new server of the same name waits for them. */
  readonly #ending = new Map<string, Promise<void>>();
  #sorted: readonly Supervisor[] = [];
  #isClosed = false;

  constructor(dependencies: DownstreamDependencies, connections: ConnectionDriver) {
    this.#dependencies = dependencies;
    this.#connections = connections;
  }

  apply(servers: readonly McpServer[]): void {
    if (this.#isClosed) return;
    const present = new Map(
      this.#sorted.map(({ definition }) => [definition.metadata.name, definition]),
    );
    const plan = planFleet(servers, present);
    for (const name of plan.remove) this.#remove(name);
    for (const server of plan.add) this.#add(server);
    for (const change of plan.update) this.#update(change);
    this.#sorted = [...this.#supervisors.values()].sort((a, b) =>
      a.definition.metadata.name < b.definition.metadata.name ? -1 : 1,
    );
    this.#dependencies.onChange();
  }

  get(name: string): Supervisor | undefined {
    return this.#supervisors.get(name);
  }

  /** Returns the supervisors, sorted by name. */
  all(): readonly Supervisor[] {
    return this.#sorted;
  }

  async waitForFirstAttempts(): Promise<void> {
    const starting = this.#sorted.filter(({ definition }) => canAutoStart(definition));
    await Promise.all(starting.map((supervisor) => supervisor.waitForRest()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const name of [...this.#supervisors.keys()]) this.#remove(name);
    this.#sorted = [];
    await Promise.all(this.#ending.values());
  }

  #add(server: McpServer): void {
    const { name } = server.metadata;
    const predecessor = this.#ending.get(name) ?? Promise.resolve();
    const supervisor = new Supervisor(server, this.#dependencies, this.#connections, predecessor);
    this.#supervisors.set(name, supervisor);
    if (canAutoStart(server)) supervisor.dispatch({ kind: 'start' });
  }

  #remove(name: string): void {
    const supervisor = this.#supervisors.get(name);
    if (supervisor === undefined) return;
    this.#supervisors.delete(name);
    supervisor.dispatch({ kind: 'stop' });
    const end = supervisor.remove().then(() => {
      // A new server of this name waits for this end, so it has used nothing yet.
      this.#dependencies.gate.forget(name);
      if (this.#ending.get(name) === end) this.#ending.delete(name);
    });
    this.#ending.set(name, end);
  }

  #update({ server, reconnect, start, stop }: FleetUpdate): void {
    const supervisor = this.#supervisors.get(server.metadata.name);
    supervisor?.redefine(server, reconnect);
    // A server that runs already, or retries, was started by the request itself.
    if (start && supervisor?.isDesired === false) supervisor.dispatch({ kind: 'start' });
    if (stop) supervisor?.dispatch({ kind: 'stop' });
  }
}
