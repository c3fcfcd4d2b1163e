import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';
import { isDeepStrictEqual } from 'node:util';
import type { HealthReport } from '../connection/health-check.ts';
import { type ListProblem, problemPhrase } from '../lists/server-lists.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import {
  type MachineEvent,
  type MachineState,
  type Phase,
  type PhaseKind,
  statusState,
} from './machine.ts';

/** The recorded facts about a server besides its phase. Times are milliseconds since the epoch; no durations are computed from them. */
export interface ServerRecord {
  /** The reason why the last attempt or connection ended; cleared by the next connection. */
  readonly lastError?: string;
  /** Time of the present or last connection. */
  readonly lastConnectedAt?: number;
  readonly lastAttemptAt?: number;
  readonly nextRetryAt?: number;
  /** Number of automatic starts since the server was defined. */
  readonly restarts: number;
}

/** One transition. */
export interface Step {
  readonly before: MachineState;
  readonly event: MachineEvent;
  readonly after: MachineState;
  /** Time in milliseconds since the epoch. */
  readonly at: number;
}

/** The record of a newly defined server. */
const NEW_RECORD: ServerRecord = { restarts: 0 };

const OWN_STARTS: ReadonlySet<MachineEvent['kind']> = new Set(['retry-due', 'appeared']);

/** Returns whether the gateway started the server automatically. */
const isOwnStart = ({ event, after }: Step): boolean =>
  after.phase.kind === 'starting' && OWN_STARTS.has(event.kind);

const entering = (record: ServerRecord, phase: Phase, at: number): ServerRecord => {
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

/** Returns the record after a transition. */
export const recorded = (record: ServerRecord, step: Step): ServerRecord => {
  const { phase } = step.after;
  if (phase === step.before.phase) return record;
  const { nextRetryAt: _nextRetryAt, ...rest } = record;
  const restarts = rest.restarts + (isOwnStart(step) ? 1 : 0);
  return entering({ ...rest, restarts }, phase, step.at);
};

/** The emitted events, as far as they decide which events follow. */
interface EventState {
  /** The server failed and was not started on request since. */
  readonly outage?: {
    readonly isRecovering: boolean;
    /** The reason of the last failed recovery, if any. */
    readonly failedWith?: string;
  };
  readonly isUnhealthy: boolean;
  /** The gaps in the lists of the connection. */
  readonly listProblems?: readonly ListProblem[];
}

/** The next state, and the events to emit. */
interface EventTransition {
  readonly state: EventState;
  readonly events: readonly GatewayEvent[];
}

/** The server that the events describe. */
interface Subject {
  readonly name: string;
  readonly namespace: string;
  /** Number of tools of the connection. */
  readonly tools: number;
  /** The gaps in the lists of the connection. */
  readonly listProblems: readonly ListProblem[];
}

/** The state of a newly defined server. */
const INITIAL_EVENT_STATE: EventState = { isUnhealthy: false };

type About = Pick<Subject, 'name' | 'namespace'>;

const aboutOf = ({ name, namespace }: Subject): About => ({ name, namespace });

/** Returns the state without its outage. That the server is unhealthy stays until the event that it is healthy. */
const withoutOutage = ({ isUnhealthy }: EventState): EventState => ({ isUnhealthy });

const starting = (state: EventState, step: Step, about: About): EventTransition => {
  if (isOwnStart(step))
    return {
      state: { ...state, outage: { ...state.outage, isRecovering: true } },
      events: state.outage?.isRecovering ? [] : [{ reason: 'MCPServerRecoveryStarted', ...about }],
    };
  // The event was emitted when the restart began.
  if (step.before.phase.kind === 'restarting') return { state, events: [] };
  const isAgain = step.event.kind !== 'start' && step.before.phase.kind !== 'stopped';
  return {
    state: withoutOutage(state),
    events: [{ reason: isAgain ? 'MCPServerRestarting' : 'MCPServerStarting', ...about }],
  };
};

const ofTools = (problems: readonly ListProblem[] | undefined): ListProblem | undefined =>
  problems?.find(({ list }) => list === 'tools/list');

const toolsEvent = (subject: Subject): GatewayEvent => {
  const about = aboutOf(subject);
  const problem = ofTools(subject.listProblems);
  if (problem?.unread !== undefined)
    return { reason: 'MCPServerToolsUnavailable', ...about, error: problem.unread };
  const omitted = problem && problemPhrase(problem);
  const { tools } = subject;
  return {
    reason: 'MCPServerToolsDiscovered',
    ...about,
    tools,
    ...(omitted === undefined ? {} : { omitted }),
  };
};

const live = (state: EventState, _step: Step, subject: Subject): EventTransition => {
  const about = aboutOf(subject);
  const isRecovered = state.outage?.isRecovering === true;
  const reason = isRecovered ? 'MCPServerRecoverySucceeded' : 'MCPServerStarted';
  return {
    state: { ...INITIAL_EVENT_STATE, listProblems: subject.listProblems },
    events: [
      { reason, ...about },
      ...(state.isUnhealthy
        ? [{ reason: 'MCPServerHealthCheckSucceeded', ...about } as const]
        : []),
      toolsEvent(subject),
    ],
  };
};

const reasonOf = (phase: Phase): string => ('reason' in phase ? phase.reason : '');

/** Returns the event of a lost connection, whose tools are lost with it. */
const lost = (step: Step, about: About): readonly GatewayEvent[] =>
  step.before.phase.kind === 'live'
    ? [{ reason: 'MCPServerToolsUnavailable', ...about, error: reasonOf(step.after.phase) }]
    : [];

const waiting = (state: EventState, step: Step, subject: Subject): EventTransition => {
  const about = aboutOf(subject);
  const error = reasonOf(step.after.phase);
  if (state.outage?.isRecovering !== true)
    return {
      state: { ...state, outage: { isRecovering: false } },
      events: [{ reason: 'MCPServerFailed', ...about, error }, ...lost(step, about)],
    };
  return {
    state: { ...state, outage: { isRecovering: true, failedWith: error } },
    events:
      state.outage.failedWith === error
        ? []
        : [{ reason: 'MCPServerRecoveryFailed', ...about, error }],
  };
};

/** The retries of a server that refuses its credentials are recoveries: they repeat the event only after another failure. */
const authRequired = (state: EventState, step: Step, subject: Subject): EventTransition => {
  const about = aboutOf(subject);
  const failedWith = reasonOf(step.after.phase);
  const isRecovering = state.outage?.isRecovering === true;
  return {
    state: { ...state, outage: { isRecovering, failedWith } },
    events:
      isRecovering && state.outage.failedWith === failedWith
        ? []
        : [{ reason: 'MCPServerAuthRequired', ...about }, ...lost(step, about)],
  };
};

const transitions: {
  readonly [P in PhaseKind]: (state: EventState, step: Step, subject: Subject) => EventTransition;
} = {
  starting: (state, step, subject) => starting(state, step, aboutOf(subject)),
  live,
  waiting,
  'auth-required': authRequired,
  stopping: (state) => ({ state: withoutOutage(state), events: [] }),
  stopped: (_story, _step, subject) => ({
    state: INITIAL_EVENT_STATE,
    events: [{ reason: 'MCPServerStopped', ...aboutOf(subject) }],
  }),
  restarting: (state, _step, subject) => ({
    state: withoutOutage(state),
    events: [{ reason: 'MCPServerRestarting', ...aboutOf(subject) }],
  }),
};

/** Returns the events of a transition: none unless the phase changed, and within one outage only new facts. @spec §6 */
const stepEvents = (state: EventState, step: Step, subject: Subject): EventTransition =>
  step.before.phase === step.after.phase
    ? { state, events: [] }
    : transitions[step.after.phase.kind](state, step, subject);

/** Returns the event of tools that could be read at last, or of the first entries that are left out, if any. @spec §6 */
const listEvents = (state: EventState, subject: Subject): EventTransition => {
  const before = ofTools(state.listProblems);
  const now = ofTools(subject.listProblems);
  const isReadAtLast = before?.unread !== undefined && now?.unread === undefined;
  const hasNewGap = before === undefined && now !== undefined && now.unread === undefined;
  return {
    state: { ...state, listProblems: subject.listProblems },
    events: isReadAtLast || hasNewGap ? [toolsEvent(subject)] : [],
  };
};

/** Returns the event of a change between healthy and unhealthy, if any. @spec §6 */
const healthEvents = (state: EventState, health: HealthReport, about: About): EventTransition => {
  const isUnhealthy = health.level === 'unhealthy';
  if (isUnhealthy === state.isUnhealthy) return { state, events: [] };
  const events: readonly GatewayEvent[] = isUnhealthy
    ? [{ reason: 'MCPServerHealthCheckFailed', ...about, error: health.reason ?? 'no answer' }]
    : [{ reason: 'MCPServerHealthCheckSucceeded', ...about }];
  return { state: { ...state, isUnhealthy }, events };
};

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
