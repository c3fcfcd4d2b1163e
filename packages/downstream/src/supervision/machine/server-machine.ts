import { backoffDelayMs, lookDelayMs } from './backoff.ts';
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

/** The world, as far as a transition depends on it. */
export interface MachineWorld {
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
  keep: (state) => state,
  forget: () => ({ failures: 0, earlyStarts: 0 }),
  failure: ({ failures, earlyStarts }) => ({ failures: failures + 1, earlyStarts }),
  'early-start': ({ failures, earlyStarts }) => ({ failures, earlyStarts: earlyStarts + 1 }),
};

/** What a phase is made of. */
interface Making {
  readonly event: MachineEvent;
  readonly before: Phase;
  readonly counts: Counts;
  readonly world: MachineWorld;
}

const attemptOf = ({ before, counts }: Making): number =>
  'attempt' in before ? before.attempt : counts.attempts;

const failureOf = ({ event }: Making): ConnectionFailure =>
  'failure' in event ? event.failure : { code: 'other', reason: '' };

const waiting = (making: Making): Phase => {
  const { code, reason, missing } = failureOf(making);
  const { counts, world } = making;
  return {
    kind: 'waiting',
    code,
    reason,
    delayMs: backoffDelayMs(world.backoff, counts.failures, world.random),
    ...(missing === true ? { lookMs: lookDelayMs(world.backoff, counts.earlyStarts) } : {}),
  };
};

const phases: { readonly [P in PhaseKind]: (making: Making) => Phase } = {
  stopped: () => ({ kind: 'stopped' }),
  starting: ({ counts }) => ({ kind: 'starting', attempt: counts.attempts }),
  live: (making) => ({ kind: 'live', attempt: attemptOf(making) }),
  waiting,
  'auth-required': (making) => {
    const { code, reason } = failureOf(making);
    return { kind: 'auth-required', code, reason };
  },
  stopping: (making) => ({ kind: 'stopping', attempt: attemptOf(making) }),
  restarting: (making) => ({ kind: 'restarting', attempt: attemptOf(making) }),
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
  world: MachineWorld,
): Transition => {
  const move = moveOf(state.phase, event);
  if (move === undefined) return { state, actions: [] };
  const attempts = state.attempts + (move.actions.includes('open') ? 1 : 0);
  const counts: Counts = { attempts, ...pick(counted[move.count](state)) };
  const stays = move.to === state.phase.kind;
  const phase = stays
    ? state.phase
    : phases[move.to]({ event, before: state.phase, counts, world });
  return { state: { phase, ...counts }, actions: move.actions };
};

const pick = ({ failures, earlyStarts }: Pick<Counts, 'failures' | 'earlyStarts'>) => ({
  failures,
  earlyStarts,
});
