import type { McpServer } from '@gateway/crd-schemas';
import { secretsOfTarget } from './server-link.ts';
import type { ConnectionDependencies, ConnectionTarget } from './server-link.ts';
import { reasonOf, sanitisedLine } from '../wire/reason.ts';
import { attemptReason, failureCodeOf } from './connection-failure.ts';
import type { ConnectionFailure, FailureCode } from './connection-failure.ts';
import { isEraFailure, isRefusal } from './client-session.ts';
import { createConnectionLifetime } from './connection-lifetime.ts';
import type { ConnectionLifetime, ConnectionObserver } from './connection-lifetime.ts';
import {
  compareMs,
  eraToTry,
  isCompared,
  onlyRevisionOf,
  richerOf,
  silenceable,
} from './choose-protocol.ts';
import type { Era } from '../requests/request-connection.ts';
import { closeIgnoringErrors } from './close-ignoring-errors.ts';
import { connect } from './connect.ts';
import type { Attempt, OpenOutcome, OpenRequest } from './connection.ts';
import { missingValueOf } from '../wire/referenced-values.ts';
import { untilAborted } from './until-aborted.ts';

type Dependencies = Pick<ConnectionDependencies, 'timeouts'>;

/** Returns the maximum duration of one attempt to connect, in milliseconds. @spec §2.6 timeout, §8 */
const startBoundMs = ({ spec }: McpServer, { timeouts }: Dependencies): number => {
  if (spec.type !== 'stdio') return spec.timeout * 1_000;
  return spec.startTimeout === undefined ? timeouts.stdioStartMs : spec.startTimeout * 1_000;
};

/** Returns the time without an answer to the era probe after which `initialize` is sent too, in milliseconds: a silent server is old or slow. */
export const fallbackMs = ({ timeouts }: Dependencies, boundMs: number): number =>
  Math.min(timeouts.eraProbeMs, boundMs / 2);

/** Returns the reason of an attempt that exceeded its bound. */
const lateText = (boundMs: number): string => `not ready within ${boundMs / 1_000} s`;

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
const attemptFailure = (
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

/** One try, with the era for another one when that may succeed. */
type TryOutcome = OpenOutcome & { readonly again?: { readonly knownEra: Era | undefined } };

const retryOf = (
  { request }: Attempt,
  error: unknown,
  knownEra: Era | undefined,
): Pick<TryOutcome, 'again'> & { readonly nextEra?: Era } => {
  if (onlyRevisionOf(request.server) !== undefined) return {};
  const isChild = request.server.spec.type === 'stdio';
  // The server has changed, so its remembered era is wrong. A stdio server is started once per attempt and probed again in the next one.
  if (knownEra === 'legacy')
    return isRefusal(error) && !isChild ? { again: { knownEra: undefined } } : {};
  if (!isEraFailure(error)) return {};
  return isChild ? { nextEra: 'legacy' } : { again: { knownEra: 'legacy' } };
};

const tryOnce = async (attempt: Attempt, knownEra: Era | undefined): Promise<TryOutcome> => {
  const lifetime = createConnectionLifetime(
    attempt.request,
    attempt.dependencies,
    attempt.observer,
  );
  const connected = connect(attempt, lifetime, knownEra);
  try {
    return {
      ok: true,
      connection: await Promise.race([connected, untilAborted(attempt.signal)]),
    };
  } catch (error) {
    // The other promise ends with the link.
    connected.catch(() => undefined);
    await closeIgnoringErrors(lifetime.link);
    const failure = attemptFailure(attempt.request, lifetime, {
      error,
      boundMs: attempt.boundMs,
    });
    if (lifetime.unauthorized() || lifetime.link.unreachable()) return { ok: false, failure };
    return { ok: false, failure, ...retryOf(attempt, error, knownEra) };
  }
};

const NO_OBSERVER: ConnectionObserver = {
  onListChanged: () => undefined,
  onLost: () => undefined,
};

const openOnce = async (attempt: Attempt): Promise<OpenOutcome> => {
  const { request, signal } = attempt;
  const first = await tryOnce(attempt, eraToTry(request.server, request.knownEra));
  if (first.ok || first.again === undefined || signal.aborted) return first;
  return tryOnce(attempt, first.again.knownEra);
};

/** Opens a connection with the `initialize` of the 2025 revisions, within a part of the bound of the attempt. */
const openEarlier = async (attempt: Attempt, limitMs: number): Promise<OpenOutcome> => {
  const { dependencies } = attempt;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(lateText(limitMs))), limitMs);
  const deadline = Math.min(attempt.deadline, dependencies.now() + limitMs);
  const signal = AbortSignal.any([attempt.signal, late.signal]);
  try {
    return await tryOnce({ ...attempt, deadline, signal }, 'legacy');
  } finally {
    clearTimeout(timer);
  }
};

/** Opens a connection in the revision in which the server declares the most. */
const openAttempt = async (attempt: Attempt): Promise<OpenOutcome> => {
  const { request, dependencies, signal } = attempt;
  const startedAt = dependencies.now();
  const observer = silenceable(attempt.observer);
  const outcome = await openOnce({ ...attempt, observer });
  if (!outcome.ok || signal.aborted || !isCompared(request, outcome.connection)) return outcome;
  const earlier = silenceable(attempt.observer);
  const limitMs = compareMs(dependencies.now() - startedAt);
  const second = await openEarlier({ ...attempt, observer: earlier }, limitMs);
  return richerOf({ outcome, observer }, { outcome: second, observer: earlier });
};

/**
 * Connects to a server: transport, era and version, lists. Settles within its bound. A remote server that ends the connection at the era
 * probe is tried once more with the `initialize` of the 2025 revisions, and one that refuses its last known era is probed again. A stdio
 * server is started only once, because the cause of its exit is unknown. The first connection of a server of 2026-07-28 that may declare more
 * in the 2025 revisions is compared with a second one, and the connection in which it declares more is returned.
 *
 * @spec §2.6 timeout
 */
export const openConnection = async (
  request: OpenRequest,
  dependencies: ConnectionDependencies,
  observer: ConnectionObserver,
): Promise<OpenOutcome> => {
  const missing = missingValueOf(request.server);
  if (missing !== undefined)
    return { ok: false, failure: { code: 'missing-value', reason: missing } };
  const boundMs = startBoundMs(request.server, dependencies);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new Error(lateText(boundMs))), boundMs);
  const signal = AbortSignal.any([request.signal, deadline.signal]);
  const attempt: Attempt = {
    request,
    dependencies,
    observer,
    boundMs,
    deadline: dependencies.now() + boundMs,
    signal,
    openAnother: (knownEra, ending) =>
      openConnection(
        { ...request, knownEra, signal: ending, lean: true },
        dependencies,
        NO_OBSERVER,
      ),
  };
  try {
    return await openAttempt(attempt);
  } catch (error) {
    return {
      ok: false,
      failure: { code: failureCodeOf(error), reason: sanitisedLine(reasonOf(error)) },
    };
  } finally {
    clearTimeout(timer);
  }
};
