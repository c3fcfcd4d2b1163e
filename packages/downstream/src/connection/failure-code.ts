import { SdkHttpError } from '@modelcontextprotocol/client';
import { isCertificateError, isCommandNotFound, isMissing } from '../wire/error-codes.ts';
import type { FailureCode } from './connection-failure.ts';

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

const httpStatusOf = (error: unknown): number | undefined => {
  if (error instanceof SdkHttpError) return error.data.status;
  return error instanceof ToolsUnreadableError ? error.httpStatus : undefined;
};

/** Returns the code of an error that ended an attempt or a connection. */
export const failureCodeOf = (error: unknown): FailureCode => {
  if (httpStatusOf(error) === FORBIDDEN) return 'forbidden';
  if (isCertificateError(error)) return 'certificate';
  if (isCommandNotFound(error)) return 'command-not-found';
  return isMissing(error) ? 'unreachable' : 'other';
};
