import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { isCertificateError, isCommandNotFound, isMissing } from '../wire/error-codes.ts';
import { reasonOf } from '../wire/reason.ts';

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

const FORBIDDEN = 403;

/** Thrown when the tools of a server cannot be listed. */
export class ToolsUnreadableError extends Error {
  /** HTTP status of the answer, when that was the cause. */
  readonly httpStatus: number | undefined;

  constructor(reason: string, httpStatus: number | undefined) {
    super(reason);
    this.name = 'ToolsUnreadableError';
    this.httpStatus = httpStatus;
  }
}

const readHttpStatus = (error: unknown): number | undefined => {
  if (error instanceof SdkHttpError) return error.data.status;
  return error instanceof ToolsUnreadableError ? error.httpStatus : undefined;
};

/** Returns the code of an error that ended an attempt or a connection. */
export const toFailureCode = (error: unknown): FailureCode => {
  if (readHttpStatus(error) === FORBIDDEN) return 'forbidden';
  if (isCertificateError(error)) return 'certificate';
  if (isCommandNotFound(error)) return 'command-not-found';
  return isMissing(error) ? 'unreachable' : 'other';
};

/** The prefix of the client library. It names the failed probe and says nothing about the server. */
const NEGOTIATION =
  /^Version negotiation (?:probe )?failed: (?:the server answered the probe with )?/;

/** Returns the reason of a failed handshake. It may contain secrets. `late` is the reason after a timeout. */
export const attemptReason = (error: unknown, late: string): string =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
    ? late
    : reasonOf(error).replace(NEGOTIATION, '');
