/** The reasons why a guarded request has no response. */
export type GuardedFetchCode =
  /** The URL or an address of its host is not allowed; nothing was sent. */
  | 'refused'
  /** The host is unknown, does not accept connections, or the connection failed. */
  | 'unreachable'
  /** The response was not complete in time. */
  | 'timeout'
  /** The signal of the caller was aborted. */
  | 'aborted'
  /** The response is a redirect, which is not followed. */
  | 'redirect'
  /** The response is larger than the limit. */
  | 'too-large';

/** The failure of a guarded request. `message` is one line without query, headers or text of the peer. */
export class GuardedFetchError extends Error {
  readonly code: GuardedFetchCode;

  constructor(code: GuardedFetchCode, message: string) {
    super(message);
    this.name = 'GuardedFetchError';
    this.code = code;
  }
}
