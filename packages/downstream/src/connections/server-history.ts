import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import { isDeepStrictEqual } from 'node:util';
import type { HealthReport } from '../connection/health-check.ts';
import type { ListProblem } from '../lists/server-lists.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import type { MachineState } from './machine.ts';
import { statusState } from './phase-table.ts';
import { NEW_RECORD, recorded } from './server-record.ts';
import type { ServerRecord, Step } from './server-record.ts';
import { INITIAL_EVENT_STATE, healthEvents, listEvents, stepEvents } from './event-state.ts';
import type { EventTransition } from './event-state.ts';

/** The dependencies of a history. */
export interface HistoryDependencies {
  readonly emit: EventSink;
  /** Returns milliseconds since the epoch, for timestamps. */
  readonly wallNow: () => number;
}

/** The tools of a connected server, and what its lists lack. */
export interface DiscoveredLists {
  readonly tools: number;
  readonly listProblems: readonly ListProblem[];
}

/** Records the transitions of a server and emits their events. */
export class ServerHistory {
  readonly #dependencies: HistoryDependencies;
  #record: ServerRecord = NEW_RECORD;
  #eventState = INITIAL_EVENT_STATE;

  constructor(dependencies: HistoryDependencies) {
    this.#dependencies = dependencies;
  }

  get record(): ServerRecord {
    return this.#record;
  }

  /** Records a transition. */
  take(server: McpServer, step: Omit<Step, 'at'>, discovered: DiscoveredLists): void {
    const dated = { ...step, at: this.#dependencies.wallNow() };
    this.#record = recorded(this.#record, dated);
    const { name, namespace } = server.metadata;
    this.#apply(stepEvents(this.#eventState, dated, { name, namespace, ...discovered }));
  }

  /** Records that the lists of a connected server were read again. Returns whether they lack something else than before. */
  takeLists({ metadata }: McpServer, discovered: DiscoveredLists): boolean {
    const { name, namespace } = metadata;
    const before = this.#eventState;
    this.#apply(listEvents(before, { name, namespace, ...discovered }));
    return !isDeepStrictEqual(before.listProblems, discovered.listProblems);
  }

  /** Records a change of health. */
  takeHealth({ metadata }: McpServer, health: HealthReport): void {
    const { name, namespace } = metadata;
    this.#apply(healthEvents(this.#eventState, health, { name, namespace }));
  }

  #apply({ state, events }: EventTransition): void {
    this.#eventState = state;
    for (const event of events) this.#dependencies.emit(event);
  }
}

/** Logs a change of the state or of its reason as one entry. */
export const logTransition = (
  { metadata, spec }: McpServer,
  before: MachineState,
  after: MachineState,
  log: DownstreamLog,
): void => {
  const { phase } = after;
  if (phase === before.phase) return;
  const state = statusState(spec.type, phase.kind);
  const hasFailed = 'reason' in phase;
  if (!hasFailed && statusState(spec.type, before.phase.kind) === state) return;
  log({
    level: hasFailed ? 'warn' : 'info',
    server: metadata.name,
    event: 'server.state',
    state,
    ...(hasFailed ? { reason: phase.reason } : {}),
    ...('delayMs' in phase ? { nextRetryMs: phase.delayMs } : {}),
  });
};
