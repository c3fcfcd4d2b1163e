import { sanitisedLine } from '../wire/reason.ts';
import { attemptReason } from './attempt-reason.ts';
import { isEraFailure } from './client-session.ts';
import { secretsOfTarget } from './connection-target.ts';
import type { ConnectionTarget } from './connection-target.ts';
import type { ConnectionFailure, FailureCode } from './connection-failure.ts';
import type { ConnectionLifetime } from './connection-lifetime.ts';
import { onlyRevisionOf } from './only-revision.ts';
import { failureCodeOf } from './failure-code.ts';

/** Returns the reason of an attempt that exceeded its bound. */
export const lateText = (boundMs: number): string => `not ready within ${boundMs / 1_000} s`;

const codeOf = ({ link, unauthorized }: ConnectionLifetime, error: unknown): FailureCode => {
  if (unauthorized()) return 'auth-required';
  const code = link.failureCode();
  return code === 'other' ? failureCodeOf(error) : code;
};

/** Returns what a user can do when a remote server reset or refused the era probe; an empty text otherwise. */
const remedyOf = (
  { server }: ConnectionTarget,
  { link }: ConnectionLifetime,
  error: unknown,
): string => {
  const isRefused = link.unreachable() || isEraFailure(error);
  if (!isRefused || link.missing() || server.spec.type === 'stdio') return '';
  if (!link.interceptor.endsAtProbe) return '';
  return onlyRevisionOf(server) === undefined
    ? ' after "server/discover"; if the server supports only the 2025 revisions, set spec.protocol to 2025-11-25'
    : '; spec.protocol names 2026-07-28, which the server may not support';
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
): ConnectionFailure => {
  const code = codeOf(lifetime, ended.error);
  const { fallbackRefusal } = lifetime.link.interceptor;
  const reason =
    lifetime.link.reason() ??
    attemptReason(ended.error, lateText(ended.boundMs)) +
      (fallbackRefusal === undefined
        ? ''
        : `: "server/discover" is not answered, and "initialize" was refused: ${fallbackRefusal}`);
  return {
    code,
    ...(lifetime.link.missing() ? { missing: true } : {}),
    reason: lifetime.unauthorized()
      ? 'the server requires authentication'
      : `${sanitisedLine(reason, secretsOfTarget(target))}${code === 'other' ? remedyOf(target, lifetime, ended.error) : ''}`,
  };
};
