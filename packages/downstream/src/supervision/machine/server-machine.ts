import { backoffDelayMs, dependencyCheckDelayMs } from '../../wire/backoff.ts';
import type { ConnectionFailure } from '../../connection/connection-failure.ts';
import type { BackoffPolicy } from '../../wire/limits.ts';
import type { MachineEvent, MachineEventKind, Phase, PhaseKind } from './phase.ts';
import { TRANSITIONS } from './transitions.ts';
import type { MachineAction, Move } from './transitions.ts';

/** The complete supervision state of one server. */
export interface MachineState {
  readonly phase: Phase;
  /** Number of the latest attempt. */
  readonly attempts: number;
  /** Consecutive failures; a stable connection resets them. */
  readonly failures: number;
  /** Early starts since the last stable connection; each doubles the interval of the dependency checks. */
  readonly earlyStarts: number;
}

/** The next state and its actions. */
export interface Transition {
  readonly state: MachineState;
  readonly actions: readonly MachineAction[];
}

/** The external inputs of a transition. */
export interface MachineInputs {
  /** A number in [0, 1). */
  readonly random: number;
  readonly backoff: BackoffPolicy;
}

/** The state of a server that was never started. */
export const INITIAL_STATE: MachineState = {
  phase: { kind: 'stopped' },
  attempts: 0,
  failures: 0,
  earlyStarts: 0,
};

type Counts = Omit<MachineState, 'phase'>;

const counted: {
  readonly [C in Move['count']]: (state: Counts) => Pick<Counts, 'failures' | 'earlyStarts'>;
} = {
  unchanged: (state) => state,
  reset: () => ({ failures: 0, earlyStarts: 0 }),
  failure: ({ failures, earlyStarts }) => ({ failures: failures + 1, earlyStarts }),
  'early-start': ({ failures, earlyStarts }) => ({ failures, earlyStarts: earlyStarts + 1 }),
};

/** The input of a new phase. */
interface PhaseInput {
  readonly event: MachineEvent;
  readonly before: Phase;
  readonly counts: Counts;
  readonly inputs: MachineInputs;
}

const attemptOf = ({ before, counts }: PhaseInput): number =>
  'attempt' in before ? before.attempt : counts.attempts;

const failureOf = ({ event }: PhaseInput): ConnectionFailure =>
  'failure' in event ? event.failure : { code: 'other', reason: '' };

const waiting = (input: PhaseInput): Phase => {
  const { code, reason, missing } = failureOf(input);
  const { counts, inputs } = input;
  // The next definition has the value.
  if (code === 'missing-value') return { kind: 'waiting', code, reason };
  return {
    kind: 'waiting',
    code,
    reason,
    delayMs: backoffDelayMs(inputs.backoff, counts.failures, inputs.random),
    ...(missing === true
      ? { checkMs: dependencyCheckDelayMs(inputs.backoff, counts.earlyStarts) }
      : {}),
  };
};

const authRequired = (input: PhaseInput): Phase => {
  const { code, reason } = failureOf(input);
  const { counts, inputs } = input;
  return {
    kind: 'auth-required',
    code,
    reason,
    ...(input.event.kind === 'unauthorized'
      ? { delayMs: backoffDelayMs(inputs.backoff, counts.failures, inputs.random) }
      : {}),
  };
};

const phases: { readonly [P in PhaseKind]: (input: PhaseInput) => Phase } = {
  stopped: () => ({ kind: 'stopped' }),
  starting: ({ counts }) => ({ kind: 'starting', attempt: counts.attempts }),
  live: (input) => ({ kind: 'live', attempt: attemptOf(input) }),
  waiting,
  'auth-required': authRequired,
  stopping: (input) => ({ kind: 'stopping', attempt: attemptOf(input) }),
  restarting: (input) => ({ kind: 'restarting', attempt: attemptOf(input) }),
};

/** Returns the move of an event; `undefined` for events of an earlier attempt. */
const moveOf = (phase: Phase, event: MachineEvent): Move | undefined => {
  const isStale = 'attempt' in event && 'attempt' in phase && event.attempt !== phase.attempt;
  const moves: Readonly<Record<MachineEventKind, Move | undefined>> = TRANSITIONS[phase.kind];
  return isStale ? undefined : moves[event.kind];
};

/**
 * Returns the next state of a server after an event, by {@link TRANSITIONS}.
 *
 * @spec §2.6 states
 */
export const transition = (
  state: MachineState,
  event: MachineEvent,
  inputs: MachineInputs,
): Transition => {
  const move = moveOf(state.phase, event);
  if (move === undefined) return { state, actions: [] };
  const attempts = state.attempts + (move.actions.includes('open') ? 1 : 0);
  const counts: Counts = { attempts, ...pick(counted[move.count](state)) };
  const stays = move.to === state.phase.kind;
  const phase = stays
    ? state.phase
    : phases[move.to]({ event, before: state.phase, counts, inputs });
  return { state: { phase, ...counts }, actions: move.actions };
};

const pick = ({ failures, earlyStarts }: Pick<Counts, 'failures' | 'earlyStarts'>) => ({
  failures,
  earlyStarts,
});
