import type { Answer } from '../refusals/refusal.ts';

/**
 * Why there is no answer of agent-manager.
 *
 * - `unsendable`: the arguments cannot be written as a request. Nothing was sent.
 * - `aborted`: the caller's signal ended the call.
 * - `timeout`: the answer was not complete in time.
 * - `unreachable`: no connection, or one that broke before the answer was complete.
 * - `unexpected_answer`: something answered, but not what agent-manager answers: a proxy's page, a redirect, an answer that is not of
 *   the operation's schema, or one that is too large.
 *
 * After all but `unsendable` a write may have been done: read the agent before trying again.
 */
export type ClientFailureCode =
  'unsendable' | 'aborted' | 'timeout' | 'unreachable' | 'unexpected_answer';

/** A call without an answer of agent-manager. */
export interface ClientFailure {
  readonly code: ClientFailureCode;
  /** One sentence for people. */
  readonly message: string;
  /** HTTP status of an unexpected answer; 0 where a browser hides that of a redirect. */
  readonly status?: number;
}

/** A failure as an answer. `refusal` is never there, so that it tells the two kinds of `ok: false` apart. */
export interface Failed {
  readonly ok: false;
  readonly refusal?: undefined;
  readonly failure: ClientFailure;
}

/**
 * What agent-manager answered, a value or its refusal, or why there is no answer of it.
 *
 * `ok` tells whether there is a value; else `refusal` or `failure` is there, never both.
 */
export type ClientAnswer<T> = (Answer<T> & { readonly failure?: undefined }) | Failed;

/** A failure as an answer. */
export const failed = (code: ClientFailureCode, message: string, status?: number): Failed => ({
  ok: false,
  failure: { code, message, ...(status === undefined ? {} : { status }) },
});
