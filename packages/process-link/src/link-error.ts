/**
 * Reason of a failed call:
 * `closed` the other process has ended; `full` the call was not sent because a size limit is reached; `result-dropped` the call ran, and its
 * result was dropped because a size limit is reached; `cancelled` the caller, or the end of the enclosing call, cancelled it; `failed` the
 * implementation threw; `invalid-value` an argument or a result has no JSON form.
 */
export type LinkErrorCode =
  'closed' | 'full' | 'result-dropped' | 'cancelled' | 'failed' | 'invalid-value';

/** Failure of a call over a link. With the code `failed`, the message is the one of the error that the implementation threw. */
export class LinkError extends Error {
  readonly code: LinkErrorCode;

  constructor(code: LinkErrorCode, message: string) {
    super(message);
    this.name = 'LinkError';
    this.code = code;
  }
}

/** Returns the message of an error, or the text of any other thrown value. Never throws. */
export const messageOf = (error: unknown): string => {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'the thrown value has no text';
  }
};
