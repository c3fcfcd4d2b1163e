import type { MachineEvent, MachineState, Phase } from './machine.ts';

/** The recorded facts about a server besides its phase. Times are milliseconds since the epoch; no durations are computed from them. */
export interface ServerRecord {
  /** The reason why the last attempt or connection ended; cleared by the next connection. */
  readonly lastError?: string;
  /** Time of the present or last connection. */
  readonly lastConnectedAt?: number;
  readonly lastAttemptAt?: number;
  readonly nextRetryAt?: number;
  /** Number of automatic starts since the server was defined. */
  readonly restarts: number;
}

/** One transition. */
export interface Step {
  readonly before: MachineState;
  readonly event: MachineEvent;
  readonly after: MachineState;
  /** Time in milliseconds since the epoch. */
  readonly at: number;
}

/** The record of a newly defined server. */
export const NEW_RECORD: ServerRecord = { restarts: 0 };

const OWN_STARTS: ReadonlySet<MachineEvent['kind']> = new Set(['retry-due', 'appeared']);

/** Returns whether the gateway started the server automatically. */
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
    case 'auth-required':
      return {
        ...record,
        lastError: phase.reason,
        ...(phase.delayMs === undefined ? {} : { nextRetryAt: at + phase.delayMs }),
      };
    case 'stopped':
    case 'stopping':
    case 'restarting':
      return record;
  }
};

/** Returns the record after a transition. */
export const recorded = (record: ServerRecord, step: Step): ServerRecord => {
  const { phase } = step.after;
  if (phase === step.before.phase) return record;
  const { nextRetryAt: _nextRetryAt, ...rest } = record;
  const restarts = rest.restarts + (isOwnStart(step) ? 1 : 0);
  return entering({ ...rest, restarts }, phase, step.at);
};
