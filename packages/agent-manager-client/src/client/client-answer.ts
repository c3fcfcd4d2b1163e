import type { Answer } from '../refusals/refusal.ts';

/**
 * The reason why agent-manager did not answer.
 *
 * - `unsendable`: the arguments cannot be written as a request. Nothing was sent.
 * - `aborted`: the caller's signal ended the call.
 * - `timeout`: the answer was not complete in time.
 * - `unreachable`: no connection, or a connection that failed before the answer was complete.
 * - `unexpected_answer`: the answer is not from agent-manager: a page of a proxy, a redirect, an answer that does not match the
 *   schema of the operation, or an answer that is too large.
 *
 * After every code except `unsendable` a write can have happened: read the agent before a retry.
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

/** A failure as an answer. `refusal` is always absent, which distinguishes the two kinds of `ok: false`. */
export interface Failed {
  readonly ok: false;
  readonly refusal?: undefined;
  readonly failure: ClientFailure;
}

/**
 * The answer of agent-manager, a value or its refusal, or the reason why it did not answer.
 *
 * `ok: true` has a value; `ok: false` has either `refusal` or `failure`.
 */
export type ClientAnswer<T> = (Answer<T> & { readonly failure?: undefined }) | Failed;

/** A failure as an answer. */
export const failed = (code: ClientFailureCode, message: string, status?: number): Failed => ({
  ok: false,
  failure: { code, message, ...(status === undefined ? {} : { status }) },
});
