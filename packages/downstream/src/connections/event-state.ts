import type { GatewayEvent } from '@gateway/events';
import type { HealthReport } from '../connection/health-check.ts';
import { problemPhrase } from '../lists/server-lists.ts';
import type { ListProblem } from '../lists/server-lists.ts';
import type { Phase, PhaseKind } from './machine.ts';
import { isOwnStart } from './server-record.ts';
import type { Step } from './server-record.ts';

/** The emitted events, as far as they decide which events follow. */
export interface EventState {
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
export interface EventTransition {
  readonly state: EventState;
  readonly events: readonly GatewayEvent[];
}

/** The server that the events describe. */
export interface Subject {
  readonly name: string;
  readonly namespace: string;
  /** Number of tools of the connection. */
  readonly tools: number;
  /** The gaps in the lists of the connection. */
  readonly listProblems: readonly ListProblem[];
}

/** The state of a newly defined server. */
export const INITIAL_EVENT_STATE: EventState = { isUnhealthy: false };

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
export const stepEvents = (state: EventState, step: Step, subject: Subject): EventTransition =>
  step.before.phase === step.after.phase
    ? { state, events: [] }
    : transitions[step.after.phase.kind](state, step, subject);

/** Returns the event of tools that could be read at last, or of the first entries that are left out, if any. @spec §6 */
export const listEvents = (state: EventState, subject: Subject): EventTransition => {
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
export const healthEvents = (
  state: EventState,
  health: HealthReport,
  about: About,
): EventTransition => {
  const isUnhealthy = health.level === 'unhealthy';
  if (isUnhealthy === state.isUnhealthy) return { state, events: [] };
  const events: readonly GatewayEvent[] = isUnhealthy
    ? [{ reason: 'MCPServerHealthCheckFailed', ...about, error: health.reason ?? 'no answer' }]
    : [{ reason: 'MCPServerHealthCheckSucceeded', ...about }];
  return { state: { ...state, isUnhealthy }, events };
};
