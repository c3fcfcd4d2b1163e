import type { McpServer } from '@gateway/crd-schemas';
import type { Era } from '../requests/outgoing-requests.ts';
import { reasonOf, sanitisedLine } from '../wire/reason.ts';
import { missingValueOf } from '../wire/referenced-values.ts';
import { untilAborted, withTimeLimit } from '../wire/deadlines.ts';
import { chooseProtocol } from './choose-protocol.ts';
import { eraToTry, isEraFailure, isRefusal, onlyRevision } from './client-session.ts';
import { connect } from './connect.ts';
import { attemptReason, toFailureCode } from './connection-failure.ts';
import type { ConnectionFailure, FailureCode } from './connection-failure.ts';
import { ConnectionLifetime } from './connection-lifetime.ts';
import type { ConnectionObserver } from './connection-lifetime.ts';
import { closeIgnoringErrors } from './connection.ts';
import type { Attempt, OpenOutcome, OpenRequest } from './connection.ts';
import { secretsOfTarget } from './server-link.ts';
import type { ConnectionDependencies } from './server-link.ts';

/** Returns the maximum duration of one attempt to connect, in milliseconds. @spec §2.6 timeout, §8 */
const startBoundMs = (
  { spec }: McpServer,
  { timeouts }: Pick<ConnectionDependencies, 'timeouts'>,
): number => {
  if (spec.type !== 'stdio') return spec.timeout * 1_000;
  return spec.startTimeout === undefined ? timeouts.stdioStartMs : spec.startTimeout * 1_000;
};

/** Returns the reason of an attempt that exceeded its bound. */
const lateText = (boundMs: number): string => `not ready within ${boundMs / 1_000} s`;

const failureCode = ({ link, isUnauthorized }: ConnectionLifetime, error: unknown): FailureCode => {
  if (isUnauthorized) return 'auth-required';
  const code = link.failureCode();
  return code === 'other' ? toFailureCode(error) : code;
};

/** Returns what a user can do when a remote server reset or refused the era probe; an empty text otherwise. */
const remedy = (server: McpServer, { link }: ConnectionLifetime, error: unknown): string => {
  const isRefused = link.unreachable() || isEraFailure(error);
  if (!isRefused || link.missing() || server.spec.type === 'stdio') return '';
  if (!link.interceptor.endsAtProbe) return '';
  return onlyRevision(server) === undefined
    ? ' after "server/discover"; if the server supports only the 2025 revisions, set spec.protocol to 2025-11-25'
    : '; spec.protocol names 2026-07-28, which the server may not support';
};

/** Returns the failure of an attempt that an error ended. What the link knows takes precedence over the error. */
const attemptFailure = (
  { request, boundMs }: Attempt,
  lifetime: ConnectionLifetime,
  error: unknown,
): ConnectionFailure => {
  const code = failureCode(lifetime, error);
  const { link } = lifetime;
  const { fallbackRefusal } = link.interceptor;
  const reason =
    link.reason() ??
    attemptReason(error, lateText(boundMs)) +
      (fallbackRefusal === undefined
        ? ''
        : `: "server/discover" is not answered, and "initialize" was refused: ${fallbackRefusal}`);
  return {
    code,
    ...(link.missing() ? { missing: true } : {}),
    reason: lifetime.isUnauthorized
      ? 'the server requires authentication'
      : `${sanitisedLine(reason, secretsOfTarget(request))}${code === 'other' ? remedy(request.server, lifetime, error) : ''}`,
  };
};

/** One try, with the era for a second try when that may succeed. */
type TryOutcome = OpenOutcome & { readonly again?: { readonly knownEra: Era | undefined } };

const nextTry = (
  { request }: Attempt,
  error: unknown,
  knownEra: Era | undefined,
): Pick<TryOutcome, 'again'> & { readonly nextEra?: Era } => {
  if (onlyRevision(request.server) !== undefined) return {};
  const isChild = request.server.spec.type === 'stdio';
  // The server has changed, so its remembered era is wrong. A stdio server is started once per attempt and probed again in the next one.
  if (knownEra === 'legacy')
    return isRefusal(error) && !isChild ? { again: { knownEra: undefined } } : {};
  if (!isEraFailure(error)) return {};
  return isChild ? { nextEra: 'legacy' } : { again: { knownEra: 'legacy' } };
};

const tryOnce = async (attempt: Attempt, knownEra: Era | undefined): Promise<TryOutcome> => {
  const { request, dependencies, observer, signal } = attempt;
  const lifetime = new ConnectionLifetime(request, dependencies, observer);
  const connected = connect(attempt, lifetime, knownEra);
  try {
    return { ok: true, connection: await Promise.race([connected, untilAborted(signal)]) };
  } catch (error) {
    // The other promise ends with the link.
    connected.catch(() => undefined);
    await closeIgnoringErrors(lifetime.link);
    const failure = attemptFailure(attempt, lifetime, error);
    if (lifetime.isUnauthorized || lifetime.link.unreachable()) return { ok: false, failure };
    return { ok: false, failure, ...nextTry(attempt, error, knownEra) };
  }
};

const openOnce = async (attempt: Attempt): Promise<OpenOutcome> => {
  const { request, signal } = attempt;
  const first = await tryOnce(attempt, eraToTry(request.server, request.knownEra));
  if (first.ok || first.again === undefined || signal.aborted) return first;
  return tryOnce(attempt, first.again.knownEra);
};

/** Opens a connection with the `initialize` of the 2025 revisions, within a part of the bound of the attempt. */
const openLegacy = (attempt: Attempt, limitMs: number): Promise<OpenOutcome> => {
  const deadline = Math.min(attempt.deadline, attempt.dependencies.now() + limitMs);
  return withTimeLimit(limitMs, lateText(limitMs), attempt.signal, (signal) =>
    tryOnce({ ...attempt, deadline, signal }, 'legacy'),
  );
};

const NO_OBSERVER: ConnectionObserver = {
  onListChanged: () => undefined,
  onLost: () => undefined,
};

/**
 * Connects to a server: transport, era and version, lists. Settles within its bound. A remote server that ends the connection at the era
 * probe is tried once more with the `initialize` of the 2025 revisions, and one that refuses its last known era is probed again. A stdio
 * server is started only once, because the cause of its exit is unknown.
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
  const deadline = dependencies.now() + boundMs;
  const openAnother: Attempt['openAnother'] = (knownEra, signal) =>
    openConnection({ ...request, knownEra, signal, lean: true }, dependencies, NO_OBSERVER);
  try {
    return await withTimeLimit(boundMs, lateText(boundMs), request.signal, (signal) =>
      chooseProtocol(
        { request, dependencies, observer, boundMs, deadline, signal, openAnother },
        openOnce,
        openLegacy,
      ),
    );
  } catch (error) {
    return {
      ok: false,
      failure: { code: toFailureCode(error), reason: sanitisedLine(reasonOf(error)) },
    };
  }
};
