/**
 * The cause of a failed attempt or a lost connection.
 *
 * - `auth-required`: the server answered HTTP 401. @spec §5.2
 * - `forbidden`: the server answered HTTP 403.
 * - `certificate`: the TLS handshake failed.
 * - `command-not-found`: the executable of a stdio server does not exist.
 * - `unreachable`: no endpoint or working directory exists, or the executable cannot be run.
 * - `missing-value`: a value of `envFrom` or `headersFrom` does not exist; only a change of it can help.
 * - `other`: any other cause; only the reason describes it.
 */
export type FailureCode =
  | 'auth-required'
  | 'forbidden'
  | 'certificate'
  | 'command-not-found'
  | 'unreachable'
  | 'missing-value'
  | 'other';

/** The end of an attempt or of a connection. */
export interface ConnectionFailure {
  readonly code: FailureCode;
  /** One line for people, without secrets. */
  readonly reason: string;
  /** The executable or the endpoint does not exist; the server can start as soon as it does. */
  readonly missing?: boolean;
}
