import { escapeToLine } from '@gateway/service-host';
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { CommandFailure, TemporaryFailure } from '../failure.ts';

const MAX_TEXT = 300;

/** Returns the error and description that a server sent, escaped and bounded. */
const refusalText = (error: string, description: string | undefined): string =>
  escapeToLine([error, description].filter(Boolean).join(': ')).slice(0, MAX_TEXT);

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  if (error instanceof Error && error.cause instanceof Error) return codeOf(error.cause);
  return error instanceof Error && error.name === 'TimeoutError'
    ? 'no answer in time'
    : 'unknown error';
};

/** Returns the failure of a step of a sign-in at an issuer. The text contains no code, verifier or token. */
export const signInFailure = (issuer: string, error: unknown): CommandFailure => {
  if (error instanceof CommandFailure) return error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const refusal = refusalText(error.error, error.error_description);
    return new CommandFailure('failed', `${issuer} refused the sign-in: ${refusal}`);
  }
  const reason = codeOf(error);
  const subject = `the sign-in at ${issuer}`;
  return new TemporaryFailure(`${subject} failed (${reason})`, { subject, reason });
};
