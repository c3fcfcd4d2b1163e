import { listenForListChanges } from '../lists/resource-watch.ts';
import { omittedPhrase } from '../lists/list-problems.ts';
import type { ListMethod, ListProblem } from '../lists/list-problems.ts';
import { NO_LISTS, ServerListReader } from '../lists/server-lists.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { Era } from '../requests/request-connection.ts';
import { sanitisedLine } from '../wire/reason.ts';
import { sessionAnswerText } from '../wire/request-outcome.ts';
import { createAuthorizationCheck } from './authorization-check.ts';
import type { AuthorizationCheck } from './authorization-check.ts';
import { createSdkClient, negotiate } from './client-session.ts';
import type { Negotiated, NegotiationOptions } from './client-session.ts';
import { closeIgnoringErrors } from './close-ignoring-errors.ts';
import { connectionExtras, ConnectionUse } from './connection.ts';
import type { Attempt, Connection, OpenOutcome, OpenRequest } from './connection.ts';
import { secretsOfTarget } from './server-link.ts';
import type { ConnectionLifetime } from './connection-lifetime.ts';
import { ToolsUnreadableError } from './connection-failure.ts';
import { onlyRevisionOf } from './choose-protocol.ts';
import { createHealthCheck } from './health-check.ts';
import type { HealthCheck, HealthReport } from './health-check.ts';
import { fallbackMs } from './open-connection.ts';

const logProblem = ({ request, dependencies }: Attempt, problem: ListProblem): void => {
  const { list, unread, cut, omitted } = problem;
  const about = { level: 'warn', server: request.server.metadata.name, list } as const;
  const refusal = unread ?? cut;
  if (refusal !== undefined)
    dependencies.log({ ...about, event: 'server.list-refused', reason: refusal });
  const reason = omittedPhrase(problem);
  if (reason !== undefined)
    dependencies.log({ ...about, event: 'server.entry-refused', count: omitted, reason });
};

const NO_CAPABILITIES = { tools: false, resources: false, prompts: false };

const listReaderOf = (
  attempt: Attempt,
  { link }: ConnectionLifetime,
  { capabilities, era }: Negotiated,
): ServerListReader => {
  const { request, dependencies } = attempt;
  const isModern = era === 'modern';
  return new ServerListReader({
    capabilities: request.lean === true ? NO_CAPABILITIES : capabilities,
    request: (page) => link.interceptor.request(page),
    bounds: dependencies.bounds,
    isModern,
    mirrorsArguments: isModern && request.server.spec.type !== 'stdio',
    shown: (reason) => sanitisedLine(reason, secretsOfTarget(request)),
    onProblem: (problem) => logProblem(attempt, problem),
  });
};

/** Share of the remaining time of an attempt that its lists may take, so that those that were read serve before it ends. */
const LISTS_SHARE = 0.9;

/**
 * Returns the lists of a new connection.
 *
 * @throws ToolsUnreadableError when no list can be read, or HTTP refuses that of the tools
 */
const firstLists = async (
  reader: ServerListReader,
  remainingMs: number,
  lifetime: ConnectionLifetime,
): Promise<ServerLists> => {
  const { lists, failure } = await reader.read(Math.max(1, remainingMs * LISTS_SHARE));
  if (failure !== undefined) {
    const isRefused = failure.httpStatus !== undefined || lifetime.unauthorized();
    if (Object.keys(lists).length === 0 || (isRefused && lists.tools === undefined))
      throw new ToolsUnreadableError(failure.reason, failure.httpStatus);
  }
  return { ...NO_LISTS, ...lists };
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

/** Returns a list that the server has served on this connection, which proves that its requests work. */
const readMethod = (
  { capabilities: { tools, prompts, resources } }: Negotiated,
  { problems }: ServerListReader,
): ListMethod | undefined => {
  const declared: readonly (readonly [ListMethod, boolean])[] = [
    ['tools/list', tools],
    ['prompts/list', prompts],
    ['resources/list', resources],
  ];
  const unread = problems.filter((problem) => problem.unread !== undefined);
  return declared.find(
    ([method, isDeclared]) => isDeclared && unread.every(({ list }) => list !== method),
  )?.[0];
};

const healthOf = (
  { request, dependencies, observer }: Attempt,
  { link, lost, sessionEnded }: ConnectionLifetime,
  { era }: Negotiated,
  list: ListMethod | undefined,
): HealthCheck => {
  const onHealth = ({ level, reason }: HealthReport): void => {
    const why = reason && { reason: sanitisedLine(reason, secretsOfTarget(request)) };
    observer.onHealth?.({ level, ...why });
  };
  return createHealthCheck(
    { link, era, list, lost, onSessionEnded: sessionEnded, onHealth },
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
  const reader = listReaderOf(attempt, lifetime, negotiated);
  const lists = await firstLists(reader, attempt.deadline - dependencies.now(), lifetime);
  attempt.signal.throwIfAborted();
  const extras = connectionExtras(link.interceptor, client, negotiated, attempt.observer);
  const health = healthOf(attempt, lifetime, negotiated, readMethod(negotiated, reader));
  const authorization = authorizationOf(attempt, lifetime, { ...extras, era: negotiated.era });
  lifetime.goLive({
    onUnreachable: () => health.check(),
    onUnauthorized: () => authorization.check(),
    onSessionRefused: async (answer, how) => {
      const isRefused = how === 'certain' || (await health.isSessionRefused(answer, how));
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
    ...{ ...negotiated, lists, ...extras },
    ...{ enter, leave, unused },
    verify: () => health.check(),
    listReader: {
      read: (which) => reader.read(dependencies.timeouts.relistMs, which),
      get problems() {
        return reader.problems;
      },
      get isIncomplete() {
        return reader.isIncomplete;
      },
    },
    close: async () => {
      health.stop();
      authorization.stop();
      announcements.stop();
      extras.resources.stop();
      await closeIgnoringErrors(link);
    },
  };
};
