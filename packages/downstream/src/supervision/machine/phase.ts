import type { ConnectionFailure, FailureCode } from '../../connection/connection-failure.ts';

/**
 * Where one server stands. `attempt` numbers its connections, so that news of an old one is told from news of the
 * present one.
 */
export type Phase =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting'; readonly attempt: number }
  | { readonly kind: 'live'; readonly attempt: number }
  | ({ readonly kind: 'waiting'; readonly code: FailureCode; readonly reason: string } & RetryPlan)
  | { readonly kind: 'auth-required'; readonly code: FailureCode; readonly reason: string }
  | { readonly kind: 'stopping'; readonly attempt: number }
  | { readonly kind: 'restarting'; readonly attempt: number };

/** When a server that failed is tried again. */
export interface RetryPlan {
  readonly delayMs: number;
  /** What it needs was not there: somebody looks for that this often, and starts it when it is. */
  readonly checkMs?: number;
}

/** The word for a phase. */
export type PhaseKind = Phase['kind'];

/** What can happen to a server. */
export type MachineEvent =
  /** Somebody asks for it, or `autoStart` does. */
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'restart' }
  /** It is to be connected in another way. */
  | { readonly kind: 'redefined' }
  | { readonly kind: 'retry-due' }
  /** What was missing is there. */
  | { readonly kind: 'appeared' }
  | { readonly kind: 'connected'; readonly attempt: number }
  /** The connection has lasted long enough. */
  | { readonly kind: 'stable'; readonly attempt: number }
  | { readonly kind: 'failed'; readonly attempt: number; readonly failure: ConnectionFailure }
  /** The server answered 401. */
  | { readonly kind: 'unauthorized'; readonly attempt: number; readonly failure: ConnectionFailure }
  /** Nothing of the attempt is left. */
  | { readonly kind: 'closed'; readonly attempt: number };

/** The word for an event. */
export type MachineEventKind = MachineEvent['kind'];
