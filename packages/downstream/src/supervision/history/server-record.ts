import type { MachineEvent, Phase } from '../machine/phase.ts';
import type { MachineState } from '../machine/server-machine.ts';

/** What is remembered of a server beside where it stands. Times are milliseconds since the epoch; nothing is computed from them. */
export interface ServerRecord {
  /** Why the last attempt or connection ended; until the server is connected again. */
  readonly lastError?: string;
  /** When the present or last connection was made. */
  readonly lastConnectedAt?: number;
  readonly lastAttemptAt?: number;
  readonly nextRetryAt?: number;
  /** Starts without anybody asking, since the server was defined. */
  readonly restarts: number;
}

/** One transition. */
export interface Step {
  readonly before: MachineState;
  readonly event: MachineEvent;
  readonly after: MachineState;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Of a server that was just defined. */
export const NEW_RECORD: ServerRecord = { restarts: 0 };

const OWN_STARTS: ReadonlySet<MachineEvent['kind']> = new Set(['retry-due', 'appeared']);

/** Whether the gateway started the server without anybody asking. */
export const isOwnStart = ({ event, after }: Step): boolean =>
  after.phase.kind === 'starting' && OWN_STARTS.has(event.kind);

const entering = (record: ServerRecord, phase: Phase, at: number): ServerRecord => {
  const { lastError: _lastError, ...connected } = record;
  switch (phase.kind) {
    case 'starting':
      return { ...record, lastAttemptAt: at };
    case 'live':
      return { ...connected, lastConnectedAt: at };
    case 'waiting':
      return { ...record, lastError: phase.reason, nextRetryAt: at + phase.delayMs };
    case 'auth-required':
      return { ...record, lastError: phase.reason };
    case 'stopped':
    case 'stopping':
    case 'restarting':
      return record;
  }
};

/** The record after a transition. */
export const recorded = (record: ServerRecord, step: Step): ServerRecord => {
  const { phase } = step.after;
  if (phase === step.before.phase) return record;
  const { nextRetryAt: _nextRetryAt, ...rest } = record;
  const restarts = rest.restarts + (isOwnStart(step) ? 1 : 0);
  return entering({ ...rest, restarts }, phase, step.at);
};
