import type { Era } from '@gateway/mcp-wire';
import { type FailureCode, raceLimit } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import { throwReason, withTimeLimit } from '../wire/deadlines.ts';
import { formatReason, formatSafeLine } from '../wire/reason.ts';
import { findMissingValue } from '../wire/referenced-values.ts';
import { connect } from './connect.ts';
import {
  formatAttemptFailure,
  type ConnectionFailure,
  toFailureCode,
} from './connection-failure.ts';
import {
  type Attempt,
  closeIgnoringErrors,
  type Connection,
  resolveFirstEra,
  isEraFailure,
  isRefusal,
  findFixedRevision,
  type OpenOutcome,
  type OpenRequest,
} from './connection.ts';
import {
  type ConnectionDependencies,
  ConnectionLifetime,
  type ConnectionObserver,
  listTargetSecrets,
} from './server-link.ts';

/** Returns the maximum duration of one attempt to connect, in milliseconds. @spec §2.6 timeout, §8 */
const startBoundMs = (
  { spec }: McpServer,
  { timeouts }: Pick<ConnectionDependencies, 'timeouts'>,
): number => {
  if (spec.type !== 'stdio') return spec.timeout * 1_000;
  return spec.startTimeout === undefined ? timeouts.stdioStartMs : spec.startTimeout * 1_000;
};

const formatLateness = (boundMs: number): string => `not ready within ${boundMs / 1_000} s`;

const resolveFailureCode = (
  { link, isUnauthorized }: ConnectionLifetime,
  error: unknown,
): FailureCode => {
  if (isUnauthorized) return 'auth-required';
  const code = link.failureCode();
  return code === 'other' ? toFailureCode(error) : code;
};

const formatRemedy = (server: McpServer, { link }: ConnectionLifetime, error: unknown): string => {
  const isRefused = link.unreachable() || isEraFailure(error);
  if (!isRefused || link.missing() || server.spec.type === 'stdio') return '';
  if (!link.interceptor.endsAtProbe) return '';
  return findFixedRevision(server) === undefined
    ? ' after "server/discover"; if the server supports only the 2025 revisions, set spec.protocol to 2025-11-25'
    : '; spec.protocol names 2026-07-28, which the server may not support';
};

/** Returns the failure of an attempt that an error ended. What the link knows takes precedence over the error. */
const createAttemptFailure = (
  { request, boundMs }: Attempt,
  lifetime: ConnectionLifetime,
  error: unknown,
): ConnectionFailure => {
  const code = resolveFailureCode(lifetime, error);
  const { link } = lifetime;
  const { fallbackRefusal } = link.interceptor;
  const reason =
    link.reason() ??
    formatAttemptFailure(error, formatLateness(boundMs)) +
      (fallbackRefusal === undefined
        ? ''
        : `: "server/discover" is not answered, and "initialize" was refused: ${fallbackRefusal}`);
  return {
    code,
    ...(link.missing() ? { missing: true } : {}),
    reason: lifetime.isUnauthorized
      ? 'the server requires authentication'
      : `${formatSafeLine(reason, listTargetSecrets(request))}${code === 'other' ? formatRemedy(request.server, lifetime, error) : ''}`,
  };
};

type TryOutcome = OpenOutcome & { readonly again?: { readonly knownEra: Era | undefined } };

const planNextTry = (
  { request }: Attempt,
  error: unknown,
  knownEra: Era | undefined,
): Pick<TryOutcome, 'again'> & Pick<ConnectionFailure, 'nextEra'> => {
  if (findFixedRevision(request.server) !== undefined) return {};
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
    return {
      ok: true,
      connection: await raceLimit(connected, { signal }, () => throwReason(signal)),
    };
  } catch (error) {
    // The other promise ends with the link.
    connected.catch(() => undefined);
    await closeIgnoringErrors(lifetime.link);
    const failure = createAttemptFailure(attempt, lifetime, error);
    if (lifetime.isUnauthorized || lifetime.link.unreachable()) return { ok: false, failure };
    const { again, nextEra } = planNextTry(attempt, error, knownEra);
    return {
      ok: false,
      failure: { ...failure, ...(nextEra && { nextEra }) },
      ...(again && { again }),
    };
  }
};

const openOnce = async (attempt: Attempt): Promise<OpenOutcome> => {
  const { request, signal } = attempt;
  const first = await tryOnce(attempt, resolveFirstEra(request.server, request.knownEra));
  if (first.ok || first.again === undefined || signal.aborted) return first;
  return tryOnce(attempt, first.again.knownEra);
};

const openLegacy = (attempt: Attempt, limitMs: number): Promise<OpenOutcome> => {
  const deadline = Math.min(attempt.deadline, attempt.dependencies.now() + limitMs);
  return withTimeLimit(limitMs, formatLateness(limitMs), attempt.signal, (signal) =>
    tryOnce({ ...attempt, deadline, signal }, 'legacy'),
  );
};

/** The time for the second handshake: at least this, and this many times the duration of the first one. */
const MIN_COMPARE_MS = 15_000;
const COMPARE_FACTOR = 5;

/** Returns whether `server/discover` has a list whose changes are not announced: libraries that lack parts of 2026-07-28 do not announce there. */
const mayDeclareMore = ({ capabilities, announces }: Connection): boolean =>
  (capabilities.tools && announces.toolsListChanged !== true) ||
  (capabilities.resources && announces.resourcesListChanged !== true) ||
  (capabilities.prompts && announces.promptsListChanged !== true);

const isCompared = (request: OpenRequest, connection: Connection): boolean =>
  request.knownEra === undefined &&
  request.lean !== true &&
  request.server.spec.type !== 'sse' &&
  findFixedRevision(request.server) === undefined &&
  connection.era === 'modern' &&
  mayDeclareMore(connection);

const countDeclared = ({ capabilities, announces, features }: Connection): number =>
  [capabilities, announces, features]
    .flatMap((flags) => Object.values<unknown>({ ...flags }))
    .filter((flag) => flag === true).length;

/** An observer of a connection that may be discarded: then it receives no further events. */
interface CandidateObserver extends ConnectionObserver {
  mute(): void;
}

const observeCandidate = (receiver: ConnectionObserver): CandidateObserver => {
  let observer: Partial<ConnectionObserver> = receiver;
  return {
    mute: () => {
      observer = {};
    },
    onListChanged: () => observer.onListChanged?.(),
    onResourceUpdated: (params) => observer.onResourceUpdated?.(params),
    onHealth: (health) => observer.onHealth?.(health),
    onProgress: (line) => observer.onProgress?.(line),
    onSessionEnded: (reason) => observer.onSessionEnded?.(reason),
    onLost: (failure) => observer.onLost?.(failure),
  };
};

const discard = async (outcome: OpenOutcome, observer: CandidateObserver): Promise<void> => {
  observer.mute();
  if (outcome.ok) await closeIgnoringErrors(outcome.connection);
};

/** Connects a server of 2026-07-28 that may declare more in the 2025 revisions in both, and keeps the richer connection (`spec.protocol: auto`). */
const chooseProtocol = async (attempt: Attempt): Promise<OpenOutcome> => {
  const { request, dependencies, signal } = attempt;
  const startedAt = dependencies.now();
  const observer = observeCandidate(attempt.observer);
  const modern = await openOnce({ ...attempt, observer });
  if (!modern.ok || signal.aborted || !isCompared(request, modern.connection)) return modern;
  const legacyObserver = observeCandidate(attempt.observer);
  const limitMs = Math.max(MIN_COMPARE_MS, COMPARE_FACTOR * (dependencies.now() - startedAt));
  const legacy = await openLegacy({ ...attempt, observer: legacyObserver }, limitMs);
  if (legacy.ok && countDeclared(legacy.connection) > countDeclared(modern.connection)) {
    await discard(modern, observer);
    return legacy;
  }
  await discard(legacy, legacyObserver);
  return modern;
};

const NO_OBSERVER: ConnectionObserver = {
  onListChanged: () => undefined,
  onLost: () => undefined,
};

/** Connects to a server within its bound. A remote server is tried once more in the other era; a stdio server is started only once. @spec §2.6 timeout */
export const openConnection = async (
  request: OpenRequest,
  dependencies: ConnectionDependencies,
  observer: ConnectionObserver,
): Promise<OpenOutcome> => {
  const missing = findMissingValue(request.server);
  if (missing !== undefined)
    return { ok: false, failure: { code: 'missing-value', reason: missing } };
  const boundMs = startBoundMs(request.server, dependencies);
  const deadline = dependencies.now() + boundMs;
  const openAnother: Attempt['openAnother'] = (knownEra, signal) =>
    openConnection({ ...request, knownEra, signal, lean: true }, dependencies, NO_OBSERVER);
  try {
    return await withTimeLimit(boundMs, formatLateness(boundMs), request.signal, (signal) =>
      chooseProtocol({ request, dependencies, observer, boundMs, deadline, signal, openAnother }),
    );
  } catch (error) {
    return {
      ok: false,
      failure: { code: toFailureCode(error), reason: formatSafeLine(formatReason(error)) },
    };
  }
};
