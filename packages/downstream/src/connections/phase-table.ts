import type { McpServerState, McpServerType, RemoteState, StdioState } from '@gateway/crd-schemas';
import type { Phase, PhaseKind } from './machine.ts';

/**
 * The health of a server. `checking`: an attempt to connect is in progress. `degraded`: the last health checks failed, but fewer in a row
 * than make a server unhealthy. `unknown`: the server does not run.
 */
export type ServerHealth = 'unknown' | 'checking' | 'healthy' | 'degraded' | 'unhealthy';

interface PhaseFacts {
  readonly stdio: StdioState;
  readonly remote: RemoteState;
  /** `measured`: the result of the health checks. */
  readonly health: ServerHealth | 'measured';
  /** The attempt is over. */
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

/** `never` while a phase is missing that shows a state of the resource, so that `statusState` does not compile. */
type CompleteState = [Exclude<McpServerState, ShownState>] extends [never] ? McpServerState : never;

/** Returns the state that the status of the resource shows for a phase. @spec §2.6 */
export const statusState = (type: McpServerType, phase: PhaseKind): CompleteState =>
  PHASES[phase][type === 'stdio' ? 'stdio' : 'remote'];

/** A second try that starts within this time belongs to the same attempt, in milliseconds. */
const SECOND_TRY_MS = 1_000;

/**
 * Returns whether an attempt is over.
 *
 * @param isHalfTried the attempt ended at the era probe, so that the next one skips it
 */
export const isAtRest = (phase: Phase, isHalfTried: boolean): boolean => {
  const goesOn = 'delayMs' in phase && isHalfTried && phase.delayMs <= SECOND_TRY_MS;
  return PHASES[phase.kind].isAtRest && !goesOn;
};

/**
 * Returns whether the first attempt or one after a failure is in progress, and not a requested start.
 *
 * @param hasRested an attempt was over before
 */
export const isTrying = (
  { phase, failures }: { readonly phase: Phase; readonly failures: number },
  isHalfTried: boolean,
  hasRested: boolean,
): boolean => !isAtRest(phase, isHalfTried) && (failures > 0 || !hasRested);
