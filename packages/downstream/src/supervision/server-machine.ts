import { backoffDelayMs } from './backoff.ts';
import type { BackoffPolicy } from '../limits.ts';

/**
 * Where one server stands. `attempt` numbers its connections, so that news of an old one is told from news of the
 * present one. Times are milliseconds of the given clock.
 */
export type Phase =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting'; readonly attempt: number }
  | { readonly kind: 'live'; readonly attempt: number; readonly since: number }
  | { readonly kind: 'waiting'; readonly reason: string; readonly retryAt: number }
  | { readonly kind: 'auth-required'; readonly reason: string }
  | { readonly kind: 'stopping'; readonly attempt: number }
  | { readonly kind: 'restarting'; readonly attempt: number };

/** All that the supervision of one server remembers. */
export interface MachineState {
  readonly phase: Phase;
  /** The number of the latest attempt. */
  readonly attempts: number;
  /** Failures in a row; a stable connection forgets them. */
  readonly failures: number;
}

/** What can happen to a server. */
export type MachineEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'retry-due' }
  | { readonly kind: 'connected'; readonly attempt: number }
  | { readonly kind: 'failed'; readonly attempt: number; readonly failure: Failure }
  | { readonly kind: 'closed'; readonly attempt: number };

/** Why an attempt or a connection ended. */
export interface Failure {
  readonly reason: string;
  /** The server answered 401. @spec §5.2 */
  readonly authRequired: boolean;
}

/** What the adapter has to do. */
export type MachineAction =
  | { readonly kind: 'open'; readonly attempt: number }
  | { readonly kind: 'close'; readonly attempt: number }
  | { readonly kind: 'schedule-retry'; readonly delayMs: number }
  | { readonly kind: 'cancel-retry' };

/** The next state and what to do about it. */
export interface Transition {
  readonly state: MachineState;
  readonly actions: readonly MachineAction[];
}

/** The world, as far as a transition depends on it. */
export interface MachineWorld {
  readonly now: number;
  /** A number in [0, 1). */
  readonly random: number;
  readonly backoff: BackoffPolicy;
}

/** A server that nobody asked for yet. */
export const INITIAL_STATE: MachineState = {
  phase: { kind: 'stopped' },
  attempts: 0,
  failures: 0,
};

const unchanged = (state: MachineState): Transition => ({ state, actions: [] });

const open = (state: MachineState, before: readonly MachineAction[] = []): Transition => {
  const attempt = state.attempts + 1;
  return {
    state: { ...state, attempts: attempt, phase: { kind: 'starting', attempt } },
    actions: [...before, { kind: 'open', attempt }],
  };
};

const forgetFailures = (state: MachineState): MachineState => ({ ...state, failures: 0 });

const start = (state: MachineState): Transition => {
  const { phase } = state;
  switch (phase.kind) {
    case 'stopped':
    case 'auth-required':
      return open(forgetFailures(state));
    case 'waiting':
      return open(forgetFailures(state), [{ kind: 'cancel-retry' }]);
    case 'stopping':
      return unchanged({ ...state, phase: { kind: 'restarting', attempt: phase.attempt } });
    case 'starting':
    case 'live':
    case 'restarting':
      return unchanged(state);
  }
};

const stop = (state: MachineState): Transition => {
  const { phase } = state;
  switch (phase.kind) {
    case 'stopped':
    case 'stopping':
      return unchanged(state);
    case 'auth-required':
      return unchanged({ ...state, phase: { kind: 'stopped' } });
    case 'waiting':
      return {
        state: { ...state, phase: { kind: 'stopped' } },
        actions: [{ kind: 'cancel-retry' }],
      };
    case 'restarting':
      return unchanged({ ...state, phase: { kind: 'stopping', attempt: phase.attempt } });
    case 'starting':
    case 'live':
      return {
        state: { ...state, phase: { kind: 'stopping', attempt: phase.attempt } },
        actions: [{ kind: 'close', attempt: phase.attempt }],
      };
  }
};

const restart = (state: MachineState): Transition => {
  const { phase } = state;
  if (phase.kind !== 'starting' && phase.kind !== 'live') return start(state);
  return {
    state: { ...forgetFailures(state), phase: { kind: 'restarting', attempt: phase.attempt } },
    actions: [{ kind: 'close', attempt: phase.attempt }],
  };
};

const connected = (state: MachineState, attempt: number, now: number): Transition =>
  state.phase.kind === 'starting' && state.phase.attempt === attempt
    ? unchanged({ ...state, phase: { kind: 'live', attempt, since: now } })
    : unchanged(state);

const failed = (
  state: MachineState,
  event: Extract<MachineEvent, { kind: 'failed' }>,
  world: MachineWorld,
): Transition => {
  const { phase } = state;
  if ((phase.kind !== 'starting' && phase.kind !== 'live') || phase.attempt !== event.attempt)
    return unchanged(state);
  const { reason, authRequired } = event.failure;
  if (authRequired)
    return unchanged({ ...forgetFailures(state), phase: { kind: 'auth-required', reason } });
  const stable = phase.kind === 'live' && world.now - phase.since >= world.backoff.stableAfterMs;
  const failures = stable ? 1 : state.failures + 1;
  const delayMs = backoffDelayMs(world.backoff, failures, world.random);
  return {
    state: {
      ...state,
      failures,
      phase: { kind: 'waiting', reason, retryAt: world.now + delayMs },
    },
    actions: [{ kind: 'schedule-retry', delayMs }],
  };
};

const closed = (state: MachineState, attempt: number): Transition => {
  const { phase } = state;
  if (phase.kind === 'restarting' && phase.attempt === attempt) return open(state);
  if (phase.kind === 'stopping' && phase.attempt === attempt)
    return unchanged({ ...forgetFailures(state), phase: { kind: 'stopped' } });
  return unchanged(state);
};

/**
 * The next state of a server after an event. News of an attempt that is no longer the present one changes nothing.
 *
 * @spec §2.6 states
 */
export const transition = (
  state: MachineState,
  event: MachineEvent,
  world: MachineWorld,
): Transition => {
  switch (event.kind) {
    case 'start':
      return start(state);
    case 'stop':
      return stop(state);
    case 'restart':
      return restart(state);
    case 'retry-due':
      return state.phase.kind === 'waiting' ? open(state) : unchanged(state);
    case 'connected':
      return connected(state, event.attempt, world.now);
    case 'failed':
      return failed(state, event, world);
    case 'closed':
      return closed(state, event.attempt);
  }
};
