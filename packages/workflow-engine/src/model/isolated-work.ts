import type { Turn } from '@gateway/call-contract';
import type { JsonMap } from '@gateway/go-template';

/** Work that a run needs done outside of its process, because it takes too long or too much memory. */
export interface IsolatedWork {
  /** Returns the work as JSON, for `doIsolatedWork` in the other process. Called when the work begins. */
  readonly work: () => JsonMap;
  /** The user, and the run with the runs inside it: users take turns, and the runs of a user. */
  readonly turn: Turn;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** The result of `doIsolatedWork`, or the reason that there is none. */
export type IsolatedResult =
  { readonly ok: true; readonly result: JsonMap } | { readonly ok: false; readonly text: string };
