import type { MachineEventKind, PhaseKind } from './phase.ts';

/** What the adapter has to do. A timer or watch belongs to the phase that began it, and ends with it. */
export type MachineAction =
  /** Begin the attempt of the new phase. */
  | 'open'
  /** End the connection of the old phase, or the attempt at one, if there still is any. */
  | 'close'
  /** Say `retry-due`, or `appeared`, as the new phase plans it. */
  | 'plan-retry'
  /** Say `stable` in time. */
  | 'await-stability';

/** What happens to the count of failures in a row. */
type Counting = 'keep' | 'forget' | 'failure' | 'early-start';

/** Where an event leads, and what is to be done. */
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

const ASKED = move('starting', 'forget', 'open');
const AGAIN = move('starting', 'keep', 'open');
const EARLY = move('starting', 'early-start', 'open');
const STOPPED = move('stopped', 'forget');
const CLOSING = move('stopping', 'forget', 'close');
const REOPENING = move('restarting', 'forget', 'close');
const FAILED = move('waiting', 'failure', 'close', 'plan-retry');
const UNAUTHORIZED = move('auth-required', 'forget', 'close');

const NEVER = undefined;

/**
 * Where each event leads from each phase; `undefined` where it changes nothing. A server is wanted in every phase but `stopped` and `stopping`,
 * and only `start` and `restart` lead out of these two.
 *
 * @spec §2.6 states, §3
 */
export const TRANSITIONS: {
  readonly [P in PhaseKind]: { readonly [E in MachineEventKind]: Move | undefined };
} = {
  stopped: {
    start: ASKED,
    stop: NEVER,
    restart: ASKED,
    redefined: NEVER,
    'retry-due': NEVER,
    appeared: NEVER,
    connected: NEVER,
    stable: NEVER,
    failed: NEVER,
    unauthorized: NEVER,
    closed: NEVER,
  },
  starting: {
    start: NEVER,
    stop: CLOSING,
    restart: REOPENING,
    redefined: REOPENING,
    'retry-due': NEVER,
    appeared: NEVER,
    connected: move('live', 'keep', 'await-stability'),
    stable: NEVER,
    failed: FAILED,
    unauthorized: UNAUTHORIZED,
    closed: NEVER,
  },
  live: {
    start: NEVER,
    stop: CLOSING,
    restart: REOPENING,
    redefined: REOPENING,
    'retry-due': NEVER,
    appeared: NEVER,
    connected: NEVER,
    stable: move('live', 'forget'),
    failed: FAILED,
    unauthorized: UNAUTHORIZED,
    closed: NEVER,
  },
  waiting: {
    start: ASKED,
    stop: STOPPED,
    restart: ASKED,
    redefined: ASKED,
    'retry-due': AGAIN,
    appeared: EARLY,
    connected: NEVER,
    stable: NEVER,
    failed: NEVER,
    unauthorized: NEVER,
    closed: NEVER,
  },
  'auth-required': {
    start: ASKED,
    stop: STOPPED,
    restart: ASKED,
    redefined: ASKED,
    'retry-due': NEVER,
    appeared: NEVER,
    connected: NEVER,
    stable: NEVER,
    failed: NEVER,
    unauthorized: NEVER,
    closed: NEVER,
  },
  stopping: {
    start: move('restarting', 'forget'),
    stop: NEVER,
    restart: move('restarting', 'forget'),
    redefined: NEVER,
    'retry-due': NEVER,
    appeared: NEVER,
    connected: NEVER,
    stable: NEVER,
    failed: NEVER,
    unauthorized: NEVER,
    closed: STOPPED,
  },
  restarting: {
    start: NEVER,
    stop: move('stopping', 'forget'),
    restart: NEVER,
    redefined: NEVER,
    'retry-due': NEVER,
    appeared: NEVER,
    connected: NEVER,
    stable: NEVER,
    failed: NEVER,
    unauthorized: NEVER,
    closed: AGAIN,
  },
};
