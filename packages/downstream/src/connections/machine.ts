import { computeBackoffDelay, type FailureCode, type ServerHealth } from '@gateway/call-contract';
import type { McpServerState, McpServerType, RemoteState, StdioState } from '@gateway/crd-schemas';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import type { BackoffPolicy } from '../wire/limits.ts';

/** The phase of one server. `attempt` numbers its attempts, so that events of an earlier one can be ignored. */
export type Phase =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting'; readonly attempt: number }
  | { readonly kind: 'live'; readonly attempt: number }
  | ({
      readonly kind: 'waiting';
      readonly code: FailureCode;
      readonly reason: string;
    } & Partial<RetryPlan>)
  | ({
      readonly kind: 'auth-required';
      readonly code: FailureCode;
      readonly reason: string;
      /** Absent when a user must sign in first. */
    } & Partial<Pick<RetryPlan, 'delayMs'>>)
  | { readonly kind: 'stopping'; readonly attempt: number }
  | { readonly kind: 'restarting'; readonly attempt: number };

/** The time of the next attempt after a failure that may pass. */
interface RetryPlan {
  readonly delayMs: number;
  /** A dependency is missing: interval of the checks for it; the server starts when it exists. */
  readonly checkMs?: number;
  /** The attempt ended at the era probe, so that the next one skips it. */
  readonly isHalfTried?: true;
}

export type PhaseKind = Phase['kind'];

export type MachineEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'redefined' }
  /** The connection is defined by other values of Secrets and ConfigMaps, and its calls may finish. */
  | { readonly kind: 'rotated' }
  | { readonly kind: 'session-ended'; readonly attempt: number }
  | { readonly kind: 'retry-due' }
  | { readonly kind: 'appeared' }
  | { readonly kind: 'connected'; readonly attempt: number }
  | { readonly kind: 'stable'; readonly attempt: number }
  | { readonly kind: 'failed'; readonly attempt: number; readonly failure: ConnectionFailure }
  /** The server answered HTTP 401 to the credentials of its definition. */
  | { readonly kind: 'unauthorized'; readonly attempt: number; readonly failure: ConnectionFailure }
  /** The server answered HTTP 401 and a user must sign in. */
  | {
      readonly kind: 'sign-in-required';
      readonly attempt: number;
      readonly failure: ConnectionFailure;
    }
  | { readonly kind: 'closed'; readonly attempt: number }
  /** The connection gives its place to another, or was not used for long. */
  | { readonly kind: 'evicted' };

type MachineEventKind = MachineEvent['kind'];

/** An action of the owner of the state. Timers and watches belong to the phase that started them and end with it. */
export type MachineAction =
  /** Starts the attempt of the new phase. */
  | 'open'
  | 'close'
  /** Ends the connection of the old phase when its calls have ended. */
  | 'drain'
  /** Schedules `retry-due` or `appeared` as the new phase plans it. */
  | 'plan-retry'
  | 'await-stability';

type Counting = 'unchanged' | 'reset' | 'failure' | 'early-start';

interface Move {
  readonly to: PhaseKind;
  readonly actions: readonly MachineAction[];
  readonly count: Counting;
}

const createMove = (
  to: PhaseKind,
  count: Counting,
  ...actions: readonly MachineAction[]
): Move => ({
  to,
  actions,
  count,
});

const START_REQUESTED = createMove('starting', 'reset', 'open');
const RETRY = createMove('starting', 'unchanged', 'open');
const EARLY_START = createMove('starting', 'early-start', 'open');
const STOPPED = createMove('stopped', 'reset');
const CLOSING = createMove('stopping', 'reset', 'close');
const REOPENING = createMove('restarting', 'reset', 'close');
/** The present connection is in use until the next one has replaced it. */
const ROTATING = createMove('starting', 'reset', 'open');
/** The same, and a failure: the next one waits for its backoff. */
const RENEWING = createMove('starting', 'failure', 'open');
const FAILED = createMove('waiting', 'failure', 'close', 'plan-retry');
const UNAUTHORIZED = createMove('auth-required', 'failure', 'close', 'plan-retry');
const SIGN_IN_REQUIRED = createMove('auth-required', 'reset', 'close');

/** The moves by phase and event; an event that is absent has no effect. */
type TransitionTable = {
  readonly [P in PhaseKind]: { readonly [E in MachineEventKind]?: Move };
};

/** A connection that opens by itself is open in every phase except `stopped` and `stopping`, which only `start` and `restart` leave. */
const BY_ITSELF: TransitionTable = {
  stopped: {
    start: START_REQUESTED,
    restart: START_REQUESTED,
  },
  starting: {
    stop: CLOSING,
    restart: REOPENING,
    redefined: REOPENING,
    rotated: REOPENING,
    connected: createMove('live', 'unchanged', 'await-stability'),
    failed: FAILED,
    unauthorized: UNAUTHORIZED,
    'sign-in-required': SIGN_IN_REQUIRED,
  },
  live: {
    stop: CLOSING,
    restart: REOPENING,
    redefined: REOPENING,
    rotated: ROTATING,
    'session-ended': RENEWING,
    stable: createMove('live', 'reset'),
    failed: FAILED,
    unauthorized: UNAUTHORIZED,
    'sign-in-required': SIGN_IN_REQUIRED,
  },
  waiting: {
    start: START_REQUESTED,
    stop: STOPPED,
    restart: START_REQUESTED,
    redefined: START_REQUESTED,
    rotated: START_REQUESTED,
    'retry-due': RETRY,
    appeared: EARLY_START,
  },
  'auth-required': {
    start: START_REQUESTED,
    stop: STOPPED,
    restart: START_REQUESTED,
    redefined: START_REQUESTED,
    rotated: START_REQUESTED,
    'retry-due': RETRY,
  },
  stopping: {
    start: createMove('restarting', 'reset'),
    restart: createMove('restarting', 'reset'),
    closed: STOPPED,
  },
  restarting: {
    stop: createMove('stopping', 'reset'),
    closed: RETRY,
  },
};

const ENDED = createMove('stopped', 'unchanged', 'close');
const DRAINED = createMove('stopped', 'unchanged', 'drain');
const AT_REST: TransitionTable['waiting'] = {
  start: RETRY,
  stop: createMove('stopped', 'unchanged'),
  rotated: STOPPED,
};

/** A connection that opens for a request: a failed attempt leaves nothing to close, and the next one does not wait for the end of the last. */
const ON_REQUEST: TransitionTable = {
  stopped: { start: RETRY },
  starting: {
    stop: ENDED,
    rotated: ENDED,
    evicted: ENDED,
    connected: createMove('live', 'reset'),
    failed: createMove('waiting', 'failure'),
    unauthorized: createMove('auth-required', 'failure'),
  },
  live: { stop: ENDED, rotated: DRAINED, 'session-ended': DRAINED, evicted: ENDED, failed: ENDED },
  waiting: AT_REST,
  'auth-required': AT_REST,
  stopping: {},
  restarting: {},
};

export type OpeningMode = 'by-itself' | 'on-request';

/** @spec §2.6 states, §3 */
export const TRANSITIONS: Readonly<Record<OpeningMode, TransitionTable>> = {
  'by-itself': BY_ITSELF,
  'on-request': ON_REQUEST,
};

export interface MachineState {
  readonly phase: Phase;
  readonly attempts: number;
  /** Consecutive failures; a stable connection resets them. */
  readonly failures: number;
  /** Early starts since the last stable connection; each doubles the interval of the dependency checks. */
  readonly earlyStarts: number;
}

interface Transition {
  readonly state: MachineState;
  readonly actions: readonly MachineAction[];
}

interface MachineInputs {
  /** A number in [0, 1). */
  readonly random: number;
  readonly backoff: BackoffPolicy;
  readonly opens: OpeningMode;
}

/** There may be 100,000 connections in this phase. */
const STOPPED_PHASE: Phase = { kind: 'stopped' };

export const INITIAL_STATE: MachineState = {
  phase: STOPPED_PHASE,
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

interface PhaseInput {
  readonly event: MachineEvent;
  readonly counts: Counts;
  readonly inputs: MachineInputs;
}

const readFailure = ({ event }: PhaseInput): ConnectionFailure =>
  'failure' in event ? event.failure : { code: 'other', reason: '' };

const resolveWait = (input: PhaseInput): Phase => {
  const { code, reason, missing, nextEra } = readFailure(input);
  const { counts, inputs } = input;
  const { checkMs, maxMs } = inputs.backoff;
  // The next definition has the value.
  if (code === 'missing-value') return { kind: 'waiting', code, reason };
  return {
    kind: 'waiting',
    code,
    reason,
    delayMs: computeBackoffDelay(counts.failures - 1, inputs.backoff, inputs.random),
    ...(missing === true && {
      checkMs: computeBackoffDelay(counts.earlyStarts, {
        firstMs: checkMs,
        maxMs: Math.max(checkMs, maxMs),
      }),
    }),
    ...(nextEra === undefined ? {} : { isHalfTried: true }),
  };
};

const resolveAuthRequirement = (input: PhaseInput): Phase => {
  const { code, reason } = readFailure(input);
  const { counts, inputs } = input;
  return {
    kind: 'auth-required',
    code,
    reason,
    ...(input.event.kind === 'unauthorized' && {
      delayMs: computeBackoffDelay(counts.failures - 1, inputs.backoff, inputs.random),
    }),
  };
};

const phases: { readonly [P in PhaseKind]: (input: PhaseInput) => Phase } = {
  stopped: () => STOPPED_PHASE,
  starting: ({ counts }) => ({ kind: 'starting', attempt: counts.attempts }),
  live: ({ counts }) => ({ kind: 'live', attempt: counts.attempts }),
  waiting: resolveWait,
  'auth-required': resolveAuthRequirement,
  stopping: ({ counts }) => ({ kind: 'stopping', attempt: counts.attempts }),
  restarting: ({ counts }) => ({ kind: 'restarting', attempt: counts.attempts }),
};

/** Returns the next state of a connection after an event, with the actions that lead to it. @spec §2.6 states */
export const computeTransition = (
  state: MachineState,
  event: MachineEvent,
  inputs: MachineInputs,
): Transition => {
  // An event of an earlier attempt has no effect.
  const isStale =
    'attempt' in event && 'attempt' in state.phase && event.attempt !== state.phase.attempt;
  const move = isStale ? undefined : TRANSITIONS[inputs.opens][state.phase.kind][event.kind];
  if (move === undefined) return { state, actions: [] };
  const attempts = state.attempts + (move.actions.includes('open') ? 1 : 0);
  const { failures, earlyStarts } = counted[move.count](state);
  const counts: Counts = { attempts, failures, earlyStarts };
  const stays = move.to === state.phase.kind;
  const phase = stays ? state.phase : phases[move.to]({ event, counts, inputs });
  const closed =
    phase === STOPPED_PHASE && failures + earlyStarts === 0 ? CLOSED_STATES[attempts] : undefined;
  return { state: closed ?? { phase, ...counts }, actions: move.actions };
};

/** The states of closed connections without failures, by the number of their attempts: there may be 100,000 such connections. */
const CLOSED_STATES: readonly MachineState[] = Array.from({ length: 64 }, (_, attempts) => ({
  ...INITIAL_STATE,
  attempts,
}));

interface PhaseFacts {
  readonly stdio: StdioState;
  readonly remote: RemoteState;
  /** `measured`: the result of the health checks. */
  readonly health: ServerHealth | 'measured';
  readonly isAtRest: boolean;
}

/** The facts about each phase. Every state of `status.state` is shown by at least one phase. @spec §2.6 */
export const PHASES = {
  stopped: { stdio: 'Stopped', remote: 'Disconnected', health: 'unknown', isAtRest: true },
  starting: { stdio: 'Starting', remote: 'Connecting', health: 'checking', isAtRest: false },
  live: { stdio: 'Running', remote: 'Connected', health: 'measured', isAtRest: true },
  waiting: { stdio: 'Failed', remote: 'Failed', health: 'unhealthy', isAtRest: true },
  // A stdio server cannot answer HTTP 401 and has no state for it.
  'auth-required': { stdio: 'Failed', remote: 'Auth Required', health: 'unknown', isAtRest: true },
  stopping: { stdio: 'Stopped', remote: 'Disconnected', health: 'unknown', isAtRest: false },
  restarting: { stdio: 'Starting', remote: 'Connecting', health: 'checking', isAtRest: false },
} as const satisfies Readonly<Record<PhaseKind, PhaseFacts>>;

type ShownState = (typeof PHASES)[PhaseKind]['stdio' | 'remote'];

/** `never` while a phase is missing that shows a state of the resource, so that `toStatusState` does not compile. */
type CompleteState = [Exclude<McpServerState, ShownState>] extends [never] ? McpServerState : never;

/** Returns the state that the status of the resource shows for a phase. @spec §2.6 */
export const toStatusState = (type: McpServerType, phase: PhaseKind): CompleteState =>
  PHASES[phase][type === 'stdio' ? 'stdio' : 'remote'];

/** A second try that starts within this time belongs to the same attempt, in milliseconds. */
const SECOND_TRY_MS = 1_000;

export const isAtRest = (phase: Phase): boolean => {
  const goesOn = 'isHalfTried' in phase && (phase.delayMs ?? Infinity) <= SECOND_TRY_MS;
  return PHASES[phase.kind].isAtRest && !goesOn;
};

/** Returns whether the first attempt or one after a failure is in progress, and not a requested start. */
export const isTrying = (
  { phase, failures }: { readonly phase: Phase; readonly failures: number },
  hasRested: boolean,
): boolean => !isAtRest(phase) && (failures > 0 || !hasRested);
