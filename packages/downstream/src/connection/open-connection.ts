import { reasonOf, sanitisedLine } from '../wire/reason.ts';
import type { Era } from '../requests/request-connection.ts';
import { attemptFailure, lateText } from './attempt-failure.ts';
import { isEraFailure, isRefusal } from './client-session.ts';
import { closeIgnoringErrors } from './close-ignoring-errors.ts';
import { connect } from './connect.ts';
import type { Attempt, OpenOutcome, OpenRequest } from './connection.ts';
import { createConnectionLifetime } from './connection-lifetime.ts';
import type { ConnectionObserver } from './connection-lifetime.ts';
import { failureCodeOf } from './failure-code.ts';
import type { ConnectionDependencies } from './server-link.ts';
import { startBoundMs } from './start-bounds.ts';
import { missingValueOf } from '../wire/referenced-values.ts';
import { eraToTry, onlyRevisionOf } from './only-revision.ts';
import { compareMs, isCompared, richerOf, silenceable } from './richer-revision.ts';
import { untilAborted } from './until-aborted.ts';

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
