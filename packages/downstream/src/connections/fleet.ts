import { type AcceptOutcome, raceLimit } from '@gateway/call-contract';
import { isStopRequested, listConnectionValues, type McpServer } from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import { findMissingValue } from '../wire/referenced-values.ts';
import type { Connections, DownstreamDependencies } from './connections.ts';
import { Supervisor } from './supervisor.ts';

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
const connectionPart = (server: McpServer): unknown => {
  const { spec, referenced } = server;
  return [
    ...listConnectionValues(spec),
    referenced?.values,
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
      reconnect: !isDeepStrictEqual(connectionPart(before), connectionPart(after)),
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

export class Fleet {
  readonly #dependencies: DownstreamDependencies;
  readonly #connections: Connections;
  readonly #supervisors = new Map<string, Supervisor>();
  /** Removed servers that are still ending; a new server of the same name waits for them. */
  readonly #ending = new Map<string, Promise<void>>();
  #sorted: readonly Supervisor[] = [];
  #isClosed = false;

  constructor(dependencies: DownstreamDependencies, connections: Connections) {
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

  async tried(): Promise<void> {
    const starting = this.#sorted.filter(({ definition }) => canAutoStart(definition));
    await Promise.all(starting.map((supervisor) => supervisor.atRest()));
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

export type ControlOutcome =
  | { readonly code: 'started'; readonly server: string }
  | { readonly code: 'already-running'; readonly server: string }
  | { readonly code: 'stopped'; readonly server: string }
  | { readonly code: 'already-stopped'; readonly server: string }
  | { readonly code: 'restarted'; readonly server: string }
  | { readonly code: 'auth-required'; readonly server: string }
  | { readonly code: 'unknown'; readonly server: string }
  | { readonly code: 'failed'; readonly server: string; readonly reason: string };

const STOPPED_MEANWHILE = 'the server was stopped meanwhile';

const outcomeAtRest = (supervisor: Supervisor, done: 'started' | 'restarted'): ControlOutcome => {
  const server = supervisor.definition.metadata.name;
  const { phase } = supervisor.state;
  switch (phase.kind) {
    case 'live':
      return { code: done, server };
    case 'waiting':
      return { code: 'failed', server, reason: phase.reason };
    case 'auth-required':
      return { code: 'auth-required', server };
    case 'stopped':
    case 'stopping':
    case 'starting':
    case 'restarting':
      return { code: 'failed', server, reason: STOPPED_MEANWHILE };
  }
};

export const startServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  if (supervisor.state.phase.kind === 'live')
    return { code: 'already-running', server: supervisor.definition.metadata.name };
  supervisor.dispatch({ kind: 'start' });
  await supervisor.atRest();
  return outcomeAtRest(supervisor, 'started');
};

export const stopServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  const server = supervisor.definition.metadata.name;
  if (supervisor.state.phase.kind === 'stopped') return { code: 'already-stopped', server };
  supervisor.dispatch({ kind: 'stop' });
  await supervisor.ended();
  return { code: 'stopped', server };
};

export const restartServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  supervisor.dispatch({ kind: 'restart' });
  await supervisor.atRest();
  return outcomeAtRest(supervisor, 'restarted');
};

/** Maximum time to write an acceptance, in milliseconds. */
const SAVE_MS = 5_000;

/** Accepts the declarations of these tools, or of all, exposes held hints and writes the acceptance. */
export const acceptTools = async (
  supervisor: Supervisor | undefined,
  declared: DeclaredTools,
  tools: readonly string[] | undefined,
): Promise<AcceptOutcome> => {
  if (supervisor === undefined) return { kind: 'unknown' };
  const outcome = await declared.accept(supervisor.definition.metadata, tools);
  if (outcome.kind !== 'done' || outcome.tools.length === 0) return outcome;
  supervisor.refreshExposedLists();
  const isSaved = await raceLimit(declared.saved(), { ms: SAVE_MS }, () => false);
  return isSaved ? outcome : { ...outcome, unsaved: true };
};
