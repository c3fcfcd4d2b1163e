import type { McpServer } from '@gateway/crd-schemas';
import { listenForListChanges } from '../lists/list-change-listener.ts';
import { connectionExtras } from './connection-extras.ts';
import type { ConnectionExtras } from './connection-extras.ts';
import { createConnectionLifetime } from './connection-lifetime.ts';
import type { ConnectionObserver, ConnectionLifetime } from './connection-lifetime.ts';
import { createSdkClient, isEraFailure, isRefusal, negotiate } from './client-session.ts';
import type { Era } from '../requests/request-connection.ts';
import type { ClientInfo, Negotiated, NegotiationOptions } from './client-session.ts';
import { createHealthCheck } from './health-check.ts';
import type { HealthCheck, HealthReport } from './health-check.ts';
import { attemptFailure, lateText } from './attempt-failure.ts';
import { reasonOf, sanitisedLine } from '../wire/reason.ts';
import { NO_LISTS, readServerLists } from '../lists/server-lists.ts';
import type { ListsOutcome, ServerLists } from '../lists/server-lists.ts';
import type { ConnectionFailure } from './connection-failure.ts';
import { failureCodeOf, ToolsUnreadableError } from './failure-code.ts';
import type { ConnectionDependencies, ServerLink } from './server-link.ts';
import { secretsOf } from '../wire/secrets.ts';
import { untilAborted } from './until-aborted.ts';
import { probeBoundMs, startBoundMs } from './start-bounds.ts';

/** A live connection. */
export interface Connection extends Negotiated, ConnectionExtras {
  /** The lists at the time of connecting. */
  readonly lists: ServerLists;
  /** Requests a health check; `onLost` is called when the server is unreachable. */
  verify(): void;
  /** Reads the lists again. */
  readLists(): Promise<ListsOutcome>;
  /** Closes the connection with all its resources, within a bound. */
  close(): Promise<void>;
}

/** The server to connect to, with options. */
export interface OpenRequest {
  readonly server: McpServer;
  readonly clientInfo: ClientInfo;
  /** The last known era of the server, which skips the era probe. */
  readonly knownEra: Era | undefined;
  /** Aborting it ends the attempt. */
  readonly signal: AbortSignal;
  /** For requests only: lists are not read and their changes are not announced. */
  readonly lean?: boolean;
}

/**
 * A connection, or the failure. A failed attempt leaves no resources behind.
 *
 * `nextEra` is the era for the next attempt, when this one ended at the era probe.
 */
export type OpenOutcome =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly failure: ConnectionFailure; readonly nextEra?: Era };

interface Attempt {
  readonly request: OpenRequest;
  readonly dependencies: ConnectionDependencies;
  readonly observer: ConnectionObserver;
  /** Upper bound of the attempt, in milliseconds. */
  readonly boundMs: number;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

const readAll = (
  attempt: Attempt,
  lifetime: ConnectionLifetime,
  negotiated: Negotiated,
  timeoutMs: number,
): Promise<ListsOutcome> => {
  if (attempt.request.lean === true) return Promise.resolve({ ok: true, lists: NO_LISTS });
  const { log, bounds } = attempt.dependencies;
  const server = attempt.request.server.metadata.name;
  return readServerLists(negotiated.capabilities, {
    ask: (method, params) => lifetime.link.interceptor.request({ method, params, timeoutMs }),
    bounds,
    mirrorsArguments: negotiated.era === 'modern' && attempt.request.server.spec.type !== 'stdio',
    onListRefused: (list, reason) =>
      log({
        level: 'warn',
        server,
        event: 'server.list-refused',
        list,
        reason: sanitisedLine(reason),
      }),
    onEntriesRefused: (list, count) =>
      log({ level: 'warn', server, event: 'server.entry-refused', list, count }),
  });
};

/** Ignores an error of closing: no caller can act on it. */
const closeIgnoringErrors = (link: ServerLink): Promise<void> =>
  link.close().catch(() => undefined);

const announcedTo = ({ lean }: OpenRequest, negotiated: Negotiated): Negotiated =>
  lean === true ? { ...negotiated, announces: {} } : negotiated;

const negotiationOptions = (
  { request, dependencies, deadline, signal }: Attempt,
  knownEra: Era | undefined,
): NegotiationOptions => {
  const remainingMs = Math.max(1, deadline - dependencies.now());
  return {
    clientInfo: request.clientInfo,
    clientFeatures: dependencies.clientFeatures ?? {},
    knownEra,
    // A server that has spoken 2026-07-28 before is slow when it does not answer, not old.
    probeMs:
      knownEra === 'modern' ? remainingMs : probeBoundMs(request.server, dependencies, remainingMs),
    timeoutMs: remainingMs,
    signal,
  };
};

const healthOf = (
  { request, dependencies, observer }: Attempt,
  { link, lost }: ConnectionLifetime,
  { era }: Negotiated,
): HealthCheck => {
  const onHealth = ({ level, reason }: HealthReport): void => {
    const why = reason && { reason: sanitisedLine(reason, secretsOf(request.server)) };
    observer.onHealth?.({ level, ...why });
  };
  return createHealthCheck({ link, era, lost, onHealth }, dependencies);
};

const connect = async (
  attempt: Attempt,
  lifetime: ConnectionLifetime,
  knownEra: Era | undefined,
): Promise<Connection> => {
  const { request, dependencies } = attempt;
  const options = negotiationOptions(attempt, knownEra);
  const client = createSdkClient(options);
  const { link } = lifetime;
  const negotiated = await negotiate(client, link.interceptor, options);
  const listsMs = Math.max(1, attempt.deadline - dependencies.now());
  const listed = await readAll(attempt, lifetime, negotiated, listsMs);
  if (!listed.ok) throw new ToolsUnreadableError(listed.reason, listed.httpStatus);
  attempt.signal.throwIfAborted();
  const health = healthOf(attempt, lifetime, negotiated);
  lifetime.goLive(() => health.check());
  health.start();
  const announcements = listenForListChanges(client, announcedTo(request, negotiated), () =>
    attempt.observer.onListChanged('tools'),
  );
  const extras = connectionExtras(lifetime.link.interceptor, client, negotiated, attempt.observer);
  return {
    ...negotiated,
    lists: listed.lists,
    ...extras,
    verify: () => health.check(),
    readLists: () => readAll(attempt, lifetime, negotiated, dependencies.timeouts.relistMs),
    close: async () => {
      health.stop();
      announcements.stop();
      extras.resources.stop();
      await closeIgnoringErrors(link);
    },
  };
};

/** One try, with the era for another one when that may succeed. */
type TryOutcome = OpenOutcome & { readonly again?: { readonly knownEra: Era | undefined } };

const retryOf = (
  { request }: Attempt,
  error: unknown,
  knownEra: Era | undefined,
): Pick<TryOutcome, 'again'> & { readonly nextEra?: Era } => {
  const isChild = request.server.spec.type === 'stdio';
  // The server has changed, so its remembered era is wrong. A stdio server is started once per attempt and probed again in the next one.
  if (knownEra === 'legacy')
    return isRefusal(error) && !isChild ? { again: { knownEra: undefined } } : {};
  if (!isEraFailure(error)) return {};
  return isChild ? { nextEra: 'legacy' } : { again: { knownEra: 'legacy' } };
};

const tryOnce = async (attempt: Attempt, knownEra: Era | undefined): Promise<TryOutcome> => {
  const lifetime = createConnectionLifetime(
    attempt.request.server,
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
    const failure = attemptFailure(attempt.request.server, lifetime, {
      error,
      boundMs: attempt.boundMs,
    });
    if (lifetime.unauthorized() || lifetime.link.unreachable()) return { ok: false, failure };
    return { ok: false, failure, ...retryOf(attempt, error, knownEra) };
  }
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
  };
  try {
    const first = await tryOnce(attempt, request.knownEra);
    if (first.ok || first.again === undefined || signal.aborted) return first;
    return await tryOnce(attempt, first.again.knownEra);
  } catch (error) {
    return {
      ok: false,
      failure: { code: failureCodeOf(error), reason: sanitisedLine(reasonOf(error)) },
    };
  } finally {
    clearTimeout(timer);
  }
};
