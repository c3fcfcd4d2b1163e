import { listenForListChanges } from '../lists/list-change-listener.ts';
import { NO_LISTS, readServerLists } from '../lists/server-lists.ts';
import type { ListsOutcome } from '../lists/server-lists.ts';
import type { Era } from '../requests/request-connection.ts';
import { sanitisedLine } from '../wire/reason.ts';
import { sessionAnswerText } from '../wire/request-outcome.ts';
import { createAuthorizationCheck } from './authorization-check.ts';
import type { AuthorizationCheck } from './authorization-check.ts';
import { createSdkClient, negotiate } from './client-session.ts';
import type { Negotiated, NegotiationOptions } from './client-session.ts';
import { closeIgnoringErrors } from './close-ignoring-errors.ts';
import { connectionExtras } from './connection-extras.ts';
import type { Attempt, Connection, OpenOutcome, OpenRequest } from './connection.ts';
import { secretsOfTarget } from './connection-target.ts';
import { ConnectionUse } from './connection-use.ts';
import type { ConnectionLifetime } from './connection-lifetime.ts';
import { ToolsUnreadableError } from './failure-code.ts';
import { onlyRevisionOf } from './only-revision.ts';
import { createHealthCheck } from './health-check.ts';
import type { HealthCheck, HealthReport } from './health-check.ts';
import { fallbackMs } from './start-bounds.ts';

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
        reason: sanitisedLine(reason, secretsOfTarget(attempt.request)),
      }),
    onEntriesRefused: (list, count) =>
      log({ level: 'warn', server, event: 'server.entry-refused', list, count }),
  });
};

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
    only: onlyRevisionOf(request.server),
    // A server that has spoken 2026-07-28 before is slow when it does not answer, not old.
    fallbackMs: knownEra === 'modern' ? undefined : fallbackMs(dependencies, remainingMs),
    timeoutMs: remainingMs,
    signal,
  };
};

const healthOf = (
  { request, dependencies, observer }: Attempt,
  { link, lost, sessionEnded }: ConnectionLifetime,
  { era, capabilities }: Negotiated,
): HealthCheck => {
  const onHealth = ({ level, reason }: HealthReport): void => {
    const why = reason && { reason: sanitisedLine(reason, secretsOfTarget(request)) };
    observer.onHealth?.({ level, ...why });
  };
  return createHealthCheck(
    { link, era, capabilities, lost, onSessionEnded: sessionEnded, onHealth },
    dependencies,
  );
};

/** A refusal on a person's connection concerns the credential of that person. */
const NO_CHECK: AuthorizationCheck = { check: () => undefined, stop: () => undefined };

const authorizationOf = (
  { request: { authority }, openAnother, dependencies }: Attempt,
  { lost }: ConnectionLifetime,
  { request, era }: Pick<Connection, 'request' | 'era'>,
): AuthorizationCheck => {
  if (authority !== undefined) return NO_CHECK;
  const open = (signal: AbortSignal): Promise<OpenOutcome> => openAnother(era, signal);
  return createAuthorizationCheck({ request, era, open, lost }, dependencies);
};

/** Negotiates the era and the version, reads the lists, and returns the live connection. */
export const connect = async (
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
  const extras = connectionExtras(link.interceptor, client, negotiated, attempt.observer);
  const health = healthOf(attempt, lifetime, negotiated);
  const authorization = authorizationOf(attempt, lifetime, { ...extras, era: negotiated.era });
  lifetime.goLive({
    onUnreachable: () => health.check(),
    onUnauthorized: () => authorization.check(),
    onSessionRefused: async (answer, how) => {
      const isRefused = how === 'certain' || (await health.isSessionRefused());
      if (isRefused) lifetime.sessionEnded(sessionAnswerText({ answer }));
      return isRefused;
    },
  });
  if (request.authority === undefined) health.start();
  const announcements = listenForListChanges(client, announcedTo(request, negotiated), () =>
    attempt.observer.onListChanged('tools'),
  );
  const { enter, leave, unused } = new ConnectionUse();
  return {
    ...{ ...negotiated, lists: listed.lists, ...extras },
    ...{ enter, leave, unused },
    verify: () => health.check(),
    readLists: () => readAll(attempt, lifetime, negotiated, dependencies.timeouts.relistMs),
    close: async () => {
      health.stop();
      authorization.stop();
      announcements.stop();
      extras.resources.stop();
      await closeIgnoringErrors(link);
    },
  };
};
