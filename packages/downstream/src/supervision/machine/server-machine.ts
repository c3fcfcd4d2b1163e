import { backoffDelayMs, dependencyCheckDelayMs } from './backoff.ts';
import type { ConnectionFailure } from '../../connection/connection-failure.ts';
import type { BackoffPolicy } from '../../wire/limits.ts';
import type { MachineEvent, MachineEventKind, Phase, PhaseKind } from './phase.ts';
import { TRANSITIONS } from './transitions.ts';
import type { MachineAction, Move } from './transitions.ts';

/** All that the supervision of one server remembers. */
export interface MachineState {
  readonly phase: Phase;
  /** The number of the latest attempt. */
  readonly attempts: number;
  /** Failures in a row; a stable connection forgets them. */
  readonly failures: number;
  /** Starts ahead of their time since the last stable connection; each makes the next one wait longer. */
  readonly earlyStarts: number;
}

/** The next state and what to do about it. */
export interface Transition {
  readonly state: MachineState;
  readonly actions: readonly MachineAction[];
}

/** The inputs, as far as a transition depends on it. */
export interface MachineInputs {
  /** A number in [0, 1). */
  readonly random: number;
  readonly backoff: BackoffPolicy;
}

/** A server that nobody asked for yet. */
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

/** What a phase is made of. */
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

const phases: { readonly [P in PhaseKind]: (input: PhaseInput) => Phase } = {
  stopped: () => ({ kind: 'stopped' }),
  starting: ({ counts }) => ({ kind: 'starting', attempt: counts.attempts }),
  live: (input) => ({ kind: 'live', attempt: attemptOf(input) }),
  waiting,
  'auth-required': (input) => {
    const { code, reason } = failureOf(input);
    return { kind: 'auth-required', code, reason };
  },
  stopping: (input) => ({ kind: 'stopping', attempt: attemptOf(input) }),
  restarting: (input) => ({ kind: 'restarting', attempt: attemptOf(input) }),
};

/** Where an event leads; news of an attempt that is no longer the present one leads nowhere. */
const moveOf = (phase: Phase, event: MachineEvent): Move | undefined => {
  const isStale = 'attempt' in event && 'attempt' in phase && event.attempt !== phase.attempt;
  const moves: Readonly<Record<MachineEventKind, Move | undefined>> = TRANSITIONS[phase.kind];
  return isStale ? undefined : moves[event.kind];
};

/**
 * The next state of a server after an event, as {@link TRANSITIONS} has it.
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
