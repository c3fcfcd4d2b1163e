import type { ConnectionFailure, FailureCode } from '../../connection/connection-failure.ts';

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
      /** Absent when a person must sign in first. */
    } & Partial<Pick<RetryPlan, 'delayMs'>>)
  | { readonly kind: 'stopping'; readonly attempt: number }
  | { readonly kind: 'restarting'; readonly attempt: number };

/** The time of the next attempt after a failure that may pass. */
export interface RetryPlan {
  readonly delayMs: number;
  /** A dependency is missing: interval of the checks for it; the server starts when it exists. */
  readonly checkMs?: number;
}

/** The name of a phase. */
export type PhaseKind = Phase['kind'];

/** An input of the state machine. */
export type MachineEvent =
  /** A start on request, or by `autoStart`. */
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'restart' }
  /** The connection is defined differently. */
  | { readonly kind: 'redefined' }
  /** The connection is defined by other values of Secrets and ConfigMaps, and its calls may finish. */
  | { readonly kind: 'rotated' }
  /** The server does not know the session of the connection. */
  | { readonly kind: 'session-ended'; readonly attempt: number }
  | { readonly kind: 'retry-due' }
  /** The missing dependency exists. */
  | { readonly kind: 'appeared' }
  | { readonly kind: 'connected'; readonly attempt: number }
  /** The connection has lasted long enough to be stable. */
  | { readonly kind: 'stable'; readonly attempt: number }
  | { readonly kind: 'failed'; readonly attempt: number; readonly failure: ConnectionFailure }
  /** The server answered HTTP 401 to the credentials of its definition. */
  | { readonly kind: 'unauthorized'; readonly attempt: number; readonly failure: ConnectionFailure }
  /** The server answered HTTP 401 and a person must sign in. */
  | {
      readonly kind: 'sign-in-required';
      readonly attempt: number;
      readonly failure: ConnectionFailure;
    }
  /** The attempt has ended completely. */
  | { readonly kind: 'closed'; readonly attempt: number };

/** The name of an event. */
export type MachineEventKind = MachineEvent['kind'];
