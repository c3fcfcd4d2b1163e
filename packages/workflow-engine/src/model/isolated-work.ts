import type { JsonMap } from '@gateway/go-template';

/** Work that a run needs done outside of its process, because it takes too long or too much memory. */
export interface IsolatedWork {
  /** Returns the work as JSON, for `doIsolatedWork` in the other process. Called when the work begins. */
  readonly work: () => JsonMap;
  /** Identifies the run with the runs inside it: those of one owner wait for each other, so that no run holds up the others. */
  readonly owner: object;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** The result of `doIsolatedWork`, or the reason that there is none. */
export type IsolatedResult =
  { readonly ok: true; readonly result: JsonMap } | { readonly ok: false; readonly text: string };
