import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';
import { isDeepStrictEqual } from 'node:util';
import type { HealthReport } from '../connection/server-link.ts';
import { type ListProblem, formatListProblem } from '../lists/server-lists.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import {
  type MachineEvent,
  type MachineState,
  type Phase,
  type PhaseKind,
  toStatusState,
} from './machine.ts';

/** The recorded facts about a server besides its phase. Times are milliseconds since the epoch; no durations are computed from them. */
export interface ServerRecord {
  readonly lastError?: string;
  readonly lastConnectedAt?: number;
  readonly lastAttemptAt?: number;
  readonly nextRetryAt?: number;
  readonly restarts: number;
}

export interface HistoryStep {
  readonly before: MachineState;
  readonly event: MachineEvent;
  readonly after: MachineState;
  readonly at: number;
}

const NEW_RECORD: ServerRecord = { restarts: 0 };

const OWN_STARTS: ReadonlySet<MachineEvent['kind']> = new Set(['retry-due', 'appeared']);

const isOwnStart = ({ event, after }: HistoryStep): boolean =>
  after.phase.kind === 'starting' && OWN_STARTS.has(event.kind);

const applyPhase = (record: ServerRecord, phase: Phase, at: number): ServerRecord => {
  const { lastError: _lastError, ...connected } = record;
  switch (phase.kind) {
    case 'starting':
      return { ...record, lastAttemptAt: at };
    case 'live':
      return { ...connected, lastConnectedAt: at };
    case 'waiting':
    case 'auth-required':
      return {
        ...record,
        lastError: phase.reason,
        ...(phase.delayMs === undefined ? {} : { nextRetryAt: at + phase.delayMs }),
      };
    case 'stopped':
    case 'stopping':
    case 'restarting':
      return record;
  }
};

const applyStep = (record: ServerRecord, step: HistoryStep): ServerRecord => {
  const { phase } = step.after;
  if (phase === step.before.phase) return record;
  const { nextRetryAt: _nextRetryAt, ...rest } = record;
  const restarts = rest.restarts + (isOwnStart(step) ? 1 : 0);
  return applyPhase({ ...rest, restarts }, phase, step.at);
};

interface EventState {
  /** The server failed and was not started on request since. */
  readonly outage?: {
    readonly isRecovering: boolean;
    readonly failedWith?: string;
  };
  readonly isUnhealthy: boolean;
  readonly listProblems?: readonly ListProblem[];
}

type WithoutServer<E> = E extends GatewayEvent ? Omit<E, 'name' | 'namespace'> : never;

type Occurrence = WithoutServer<GatewayEvent>;

interface EventTransition {
  readonly state: EventState;
  readonly events: readonly Occurrence[];
}

export interface DiscoveredLists {
  readonly tools: number;
  readonly listProblems: readonly ListProblem[];
}

const INITIAL_EVENT_STATE: EventState = { isUnhealthy: false };

/** Returns the state without its outage. That the server is unhealthy stays until the event that it is healthy. */
const withoutOutage = ({ isUnhealthy }: EventState): EventState => ({ isUnhealthy });

const resolveStart = (state: EventState, step: HistoryStep): EventTransition => {
  if (isOwnStart(step))
    return {
      state: { ...state, outage: { ...state.outage, isRecovering: true } },
      events: state.outage?.isRecovering ? [] : [{ reason: 'MCPServerRecoveryStarted' }],
    };
  // The event was emitted when the restart began.
  if (step.before.phase.kind === 'restarting') return { state, events: [] };
  const isAgain = step.event.kind !== 'start' && step.before.phase.kind !== 'stopped';
  return {
    state: withoutOutage(state),
    events: [{ reason: isAgain ? 'MCPServerRestarting' : 'MCPServerStarting' }],
  };
};

const findToolProblem = (problems: readonly ListProblem[] | undefined): ListProblem | undefined =>
  problems?.find(({ list }) => list === 'tools/list');

const createToolsEvent = (lists: DiscoveredLists): Occurrence => {
  const problem = findToolProblem(lists.listProblems);
  if (problem?.unread !== undefined)
    return { reason: 'MCPServerToolsUnavailable', error: problem.unread };
  const omitted = problem && formatListProblem(problem);
  const { tools } = lists;
  return {
    reason: 'MCPServerToolsDiscovered',
    tools,
    ...(omitted === undefined ? {} : { omitted }),
  };
};

const resolveLive = (
  state: EventState,
  _step: HistoryStep,
  lists: DiscoveredLists,
): EventTransition => {
  const isRecovered = state.outage?.isRecovering === true;
  const reason = isRecovered ? 'MCPServerRecoverySucceeded' : 'MCPServerStarted';
  return {
    state: { ...INITIAL_EVENT_STATE, listProblems: lists.listProblems },
    events: [
      { reason },
      ...(state.isUnhealthy ? [{ reason: 'MCPServerHealthCheckSucceeded' } as const] : []),
      createToolsEvent(lists),
    ],
  };
};

const readReason = (phase: Phase): string => ('reason' in phase ? phase.reason : '');

const listLossEvents = (step: HistoryStep): readonly Occurrence[] =>
  step.before.phase.kind === 'live'
    ? [{ reason: 'MCPServerToolsUnavailable', error: readReason(step.after.phase) }]
    : [];

const resolveWait = (state: EventState, step: HistoryStep): EventTransition => {
  const error = readReason(step.after.phase);
  if (state.outage?.isRecovering !== true)
    return {
      state: { ...state, outage: { isRecovering: false } },
      events: [{ reason: 'MCPServerFailed', error }, ...listLossEvents(step)],
    };
  return {
    state: { ...state, outage: { isRecovering: true, failedWith: error } },
    events: state.outage.failedWith === error ? [] : [{ reason: 'MCPServerRecoveryFailed', error }],
  };
};

/** The retries of a server that refuses its credentials are recoveries: they repeat the event only after another failure. */
const resolveAuthRequirement = (state: EventState, step: HistoryStep): EventTransition => {
  const failedWith = readReason(step.after.phase);
  const isRecovering = state.outage?.isRecovering === true;
  return {
    state: { ...state, outage: { isRecovering, failedWith } },
    events:
      isRecovering && state.outage.failedWith === failedWith
        ? []
        : [{ reason: 'MCPServerAuthRequired' }, ...listLossEvents(step)],
  };
};

const transitions: {
  readonly [P in PhaseKind]: (
    state: EventState,
    step: HistoryStep,
    lists: DiscoveredLists,
  ) => EventTransition;
} = {
  starting: resolveStart,
  live: resolveLive,
  waiting: resolveWait,
  'auth-required': resolveAuthRequirement,
  stopping: (state) => ({ state: withoutOutage(state), events: [] }),
  stopped: () => ({
    state: INITIAL_EVENT_STATE,
    events: [{ reason: 'MCPServerStopped' }],
  }),
  restarting: (state) => ({
    state: withoutOutage(state),
    events: [{ reason: 'MCPServerRestarting' }],
  }),
};

/** Returns the events of a transition: none unless the phase changed, and within one outage only new facts. @spec §6 */
const computeStepEvents = (
  state: EventState,
  step: HistoryStep,
  lists: DiscoveredLists,
): EventTransition =>
  step.before.phase === step.after.phase
    ? { state, events: [] }
    : transitions[step.after.phase.kind](state, step, lists);

/** Returns the event of tools that could be read at last, or of the first entries that are left out, if any. @spec §6 */
const listEvents = (state: EventState, lists: DiscoveredLists): EventTransition => {
  const before = findToolProblem(state.listProblems);
  const now = findToolProblem(lists.listProblems);
  const isReadAtLast = before?.unread !== undefined && now?.unread === undefined;
  const hasNewGap = before === undefined && now !== undefined && now.unread === undefined;
  return {
    state: { ...state, listProblems: lists.listProblems },
    events: isReadAtLast || hasNewGap ? [createToolsEvent(lists)] : [],
  };
};

/** Returns the event of a change between healthy and unhealthy, if any. @spec §6 */
const computeHealthEvents = (state: EventState, health: HealthReport): EventTransition => {
  const isUnhealthy = health.level === 'unhealthy';
  if (isUnhealthy === state.isUnhealthy) return { state, events: [] };
  const events: readonly Occurrence[] = isUnhealthy
    ? [{ reason: 'MCPServerHealthCheckFailed', error: health.reason ?? 'no answer' }]
    : [{ reason: 'MCPServerHealthCheckSucceeded' }];
  return { state: { ...state, isUnhealthy }, events };
};

export interface HistoryDependencies {
  readonly emit: EventSink;
  readonly wallNow: () => number;
}

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

  take(server: McpServer, step: Omit<HistoryStep, 'at'>, lists: DiscoveredLists): void {
    const dated = { ...step, at: this.#dependencies.wallNow() };
    this.#record = applyStep(this.#record, dated);
    this.#apply(server, computeStepEvents(this.#eventState, dated, lists));
  }

  /** Records that the lists of a connected server were read again. Returns whether they lack something else than before. */
  takeLists(server: McpServer, lists: DiscoveredLists): boolean {
    const { listProblems } = this.#eventState;
    this.#apply(server, listEvents(this.#eventState, lists));
    return !isDeepStrictEqual(listProblems, lists.listProblems);
  }

  takeHealth(server: McpServer, health: HealthReport): void {
    this.#apply(server, computeHealthEvents(this.#eventState, health));
  }

  #apply({ metadata: { name, namespace } }: McpServer, { state, events }: EventTransition): void {
    this.#eventState = state;
    for (const event of events) this.#dependencies.emit({ ...event, name, namespace });
  }
}

export const logTransition = (
  { metadata, spec }: McpServer,
  before: MachineState,
  after: MachineState,
  log: DownstreamLog,
): void => {
  const { phase } = after;
  if (phase === before.phase) return;
  const state = toStatusState(spec.type, phase.kind);
  const hasFailed = 'reason' in phase;
  if (!hasFailed && toStatusState(spec.type, before.phase.kind) === state) return;
  log({
    level: hasFailed ? 'warn' : 'info',
    server: metadata.name,
    event: 'server.state',
    state,
    ...(hasFailed ? { reason: phase.reason } : {}),
    ...('delayMs' in phase ? { nextRetryMs: phase.delayMs } : {}),
  });
};
