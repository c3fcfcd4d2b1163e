import type { MachineEventKind, PhaseKind } from './phase.ts';

/** An action of the supervisor. Timers and watches belong to the phase that started them and end with it. */
export type MachineAction =
  /** Starts the attempt of the new phase. */
  | 'open'
  /** Ends the connection or the attempt of the old phase. */
  | 'close'
  /** Schedules `retry-due` or `appeared` as the new phase plans it. */
  | 'plan-retry'
  /** Schedules `stable`. */
  | 'await-stability';

/** The effect on the count of consecutive failures. */
type Counting = 'unchanged' | 'reset' | 'failure' | 'early-start';

/** The next phase of an event with its actions. */
export interface Move {
  readonly to: PhaseKind;
  readonly actions: readonly MachineAction[];
  readonly count: Counting;
}

const move = (to: PhaseKind, count: Counting, ...actions: readonly MachineAction[]): Move => ({
  to,
  actions,
  count,
});

const START_REQUESTED = move('starting', 'reset', 'open');
const RETRY = move('starting', 'unchanged', 'open');
const EARLY_START = move('starting', 'early-start', 'open');
const STOPPED = move('stopped', 'reset');
const CLOSING = move('stopping', 'reset', 'close');
const REOPENING = move('restarting', 'reset', 'close');
/** The present connection is in use until the next one has replaced it. */
const ROTATING = move('starting', 'reset', 'open');
/** The same, and a failure: the next one waits for its backoff. */
const RENEWING = move('starting', 'failure', 'open');
const FAILED = move('waiting', 'failure', 'close', 'plan-retry');
const UNAUTHORIZED = move('auth-required', 'failure', 'close', 'plan-retry');
const SIGN_IN_REQUIRED = move('auth-required', 'reset', 'close');

const IGNORED = undefined;

/**
 * The next phase per phase and event; `undefined` when the event has no effect. A server should run in every phase except `stopped` and
 * `stopping`, which only `start` and `restart` leave.
 *
 * @spec §2.6 states, §3
 */
export const TRANSITIONS: {
  readonly [P in PhaseKind]: { readonly [E in MachineEventKind]: Move | undefined };
} = {
  stopped: {
    start: START_REQUESTED,
    stop: IGNORED,
    restart: START_REQUESTED,
    redefined: IGNORED,
    rotated: IGNORED,
    'session-ended': IGNORED,
    'retry-due': IGNORED,
    appeared: IGNORED,
    connected: IGNORED,
    stable: IGNORED,
    failed: IGNORED,
    unauthorized: IGNORED,
    'sign-in-required': IGNORED,
    closed: IGNORED,
  },
  starting: {
    start: IGNORED,
    stop: CLOSING,
    restart: REOPENING,
    redefined: REOPENING,
    rotated: REOPENING,
    'session-ended': IGNORED,
    'retry-due': IGNORED,
    appeared: IGNORED,
    connected: move('live', 'unchanged', 'await-stability'),
    stable: IGNORED,
    failed: FAILED,
    unauthorized: UNAUTHORIZED,
    'sign-in-required': SIGN_IN_REQUIRED,
    closed: IGNORED,
  },
  live: {
    start: IGNORED,
    stop: CLOSING,
    restart: REOPENING,
    redefined: REOPENING,
    rotated: ROTATING,
    'session-ended': RENEWING,
    'retry-due': IGNORED,
    appeared: IGNORED,
    connected: IGNORED,
    stable: move('live', 'reset'),
    failed: FAILED,
    unauthorized: UNAUTHORIZED,
    'sign-in-required': SIGN_IN_REQUIRED,
    closed: IGNORED,
  },
  waiting: {
    start: START_REQUESTED,
    stop: STOPPED,
    restart: START_REQUESTED,
    redefined: START_REQUESTED,
    rotated: START_REQUESTED,
    'session-ended': IGNORED,
    'retry-due': RETRY,
    appeared: EARLY_START,
    connected: IGNORED,
    stable: IGNORED,
    failed: IGNORED,
    unauthorized: IGNORED,
    'sign-in-required': IGNORED,
    closed: IGNORED,
  },
  'auth-required': {
    start: START_REQUESTED,
    stop: STOPPED,
    restart: START_REQUESTED,
    redefined: START_REQUESTED,
    rotated: START_REQUESTED,
    'session-ended': IGNORED,
    'retry-due': RETRY,
    appeared: IGNORED,
    connected: IGNORED,
    stable: IGNORED,
    failed: IGNORED,
    unauthorized: IGNORED,
    'sign-in-required': IGNORED,
    closed: IGNORED,
  },
  stopping: {
    start: move('restarting', 'reset'),
    stop: IGNORED,
    restart: move('restarting', 'reset'),
    redefined: IGNORED,
    rotated: IGNORED,
    'session-ended': IGNORED,
    'retry-due': IGNORED,
    appeared: IGNORED,
    connected: IGNORED,
    stable: IGNORED,
    failed: IGNORED,
    unauthorized: IGNORED,
    'sign-in-required': IGNORED,
    closed: STOPPED,
  },
  restarting: {
    start: IGNORED,
    stop: move('stopping', 'reset'),
    restart: IGNORED,
    redefined: IGNORED,
    rotated: IGNORED,
    'session-ended': IGNORED,
    'retry-due': IGNORED,
    appeared: IGNORED,
    connected: IGNORED,
    stable: IGNORED,
    failed: IGNORED,
    unauthorized: IGNORED,
    'sign-in-required': IGNORED,
    closed: RETRY,
  },
};
