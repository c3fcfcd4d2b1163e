import type { GatewayEvent } from '@gateway/events';
import type { HealthReport } from '../../connection/health-check.ts';
import type { Phase, PhaseKind } from '../machine/phase.ts';
import { isOwnStart } from './server-record.ts';
import type { Step } from './server-record.ts';

/** What was told of a server, as far as it decides what is told next. */
export interface EventState {
  /** It failed, and nobody has asked for it since. */
  readonly outage?: {
    readonly isRecovering: boolean;
    /** Why the last recovery failed, if one did. */
    readonly failedWith?: string;
  };
  readonly isUnhealthy: boolean;
}

/** A new state, and what is to be told. */
export interface EventTransition {
  readonly state: EventState;
  readonly events: readonly GatewayEvent[];
}

/** Whom the events are about, and what they are made of. */
export interface Subject {
  readonly name: string;
  readonly namespace: string;
  /** Of the connection that was just made. */
  readonly tools: number;
}

/** Of a server that was just defined. */
export const INITIAL_EVENT_STATE: EventState = { isUnhealthy: false };

type About = Pick<Subject, 'name' | 'namespace'>;

/** Nothing is left of an outage; that the server was unhealthy is remembered until it is told that it is well. */
const withoutOutage = ({ isUnhealthy }: EventState): EventState => ({ isUnhealthy });

const starting = (state: EventState, step: Step, about: About): EventTransition => {
  if (isOwnStart(step))
    return {
      state: { ...state, outage: { ...state.outage, isRecovering: true } },
      events: state.outage?.isRecovering ? [] : [{ reason: 'MCPServerRecoveryStarted', ...about }],
    };
  // It was told when the restart began.
  if (step.before.phase.kind === 'restarting') return { state, events: [] };
  const isAgain = step.event.kind !== 'start' && step.before.phase.kind !== 'stopped';
  return {
    state: withoutOutage(state),
    events: [{ reason: isAgain ? 'MCPServerRestarting' : 'MCPServerStarting', ...about }],
  };
};

const live = (state: EventState, _step: Step, { tools, ...about }: Subject): EventTransition => ({
  state: INITIAL_EVENT_STATE,
  events: [
    {
      reason:
        state.outage?.isRecovering === true ? 'MCPServerRecoverySucceeded' : 'MCPServerStarted',
      ...about,
    },
    ...(state.isUnhealthy ? [{ reason: 'MCPServerHealthCheckSucceeded', ...about } as const] : []),
    { reason: 'MCPServerToolsDiscovered', ...about, tools },
  ],
});

const reasonOf = (phase: Phase): string => ('reason' in phase ? phase.reason : '');

/** A connection is gone, and its tools with it. */
const lost = (step: Step, about: About): readonly GatewayEvent[] =>
  step.before.phase.kind === 'live'
    ? [{ reason: 'MCPServerToolsUnavailable', ...about, error: reasonOf(step.after.phase) }]
    : [];

const waiting = (
  state: EventState,
  step: Step,
  { tools: _tools, ...about }: Subject,
): EventTransition => {
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

const transitions: {
  readonly [P in PhaseKind]: (state: EventState, step: Step, subject: Subject) => EventTransition;
} = {
  starting: (state, step, { tools: _tools, ...about }) => starting(state, step, about),
  live,
  waiting,
  'auth-required': (state, step, { tools: _tools, ...about }) => ({
    state: withoutOutage(state),
    events: [{ reason: 'MCPServerAuthRequired', ...about }, ...lost(step, about)],
  }),
  stopping: (state) => ({ state: withoutOutage(state), events: [] }),
  stopped: (_story, _step, { tools: _tools, ...about }) => ({
    state: INITIAL_EVENT_STATE,
    events: [{ reason: 'MCPServerStopped', ...about }],
  }),
  restarting: (state, _step, { tools: _tools, ...about }) => ({
    state: withoutOutage(state),
    events: [{ reason: 'MCPServerRestarting', ...about }],
  }),
};

/** What a transition has to tell: nothing unless the phase changed, and of the tries of one outage only what is new. @spec §6 */
export const stepEvents = (state: EventState, step: Step, subject: Subject): EventTransition =>
  step.before.phase === step.after.phase
    ? { state, events: [] }
    : transitions[step.after.phase.kind](state, step, subject);

/** What a change of health has to tell: once when the server becomes unhealthy, and once when it is healthy again. @spec §6 */
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
