import { sanitisedLine } from '../wire/reason.ts';
import { attemptReason } from './attempt-reason.ts';
import { secretsOfTarget } from './connection-target.ts';
import type { ConnectionTarget } from './connection-target.ts';
import type { ConnectionFailure, FailureCode } from './connection-failure.ts';
import type { ConnectionLifetime } from './connection-lifetime.ts';
import { failureCodeOf } from './failure-code.ts';

/** Returns the reason of an attempt that exceeded its bound. */
export const lateText = (boundMs: number): string => `not ready within ${boundMs / 1_000} s`;

const codeOf = ({ link, unauthorized }: ConnectionLifetime, error: unknown): FailureCode => {
  if (unauthorized()) return 'auth-required';
  const code = link.failureCode();
  return code === 'other' ? failureCodeOf(error) : code;
};

/**
 * Returns the failure of an attempt to connect. What the link knows takes precedence over the error.
 *
 * @param ended.error the error that ended the attempt
 * @param ended.boundMs the bound of the attempt, in milliseconds
 */
export const attemptFailure = (
  target: ConnectionTarget,
  lifetime: ConnectionLifetime,
  ended: { readonly error: unknown; readonly boundMs: number },
): ConnectionFailure => ({
  code: codeOf(lifetime, ended.error),
  ...(lifetime.link.missing() ? { missing: true } : {}),
  reason: lifetime.unauthorized()
    ? 'the server requires authentication'
    : sanitisedLine(
        lifetime.link.reason() ?? attemptReason(ended.error, lateText(ended.boundMs)),
        secretsOfTarget(target),
      ),
});
