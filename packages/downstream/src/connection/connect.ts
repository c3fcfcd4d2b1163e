import type { ListMethod, Era } from '@gateway/mcp-wire';
import type { Client, ServerCapabilities, SubscriptionFilter } from '@modelcontextprotocol/client';
import {
  type ListProblem,
  NO_LISTS,
  formatOmissions,
  ServerListReader,
  type ServerLists,
} from '../lists/server-lists.ts';
import type { InterceptingTransport } from '../requests/intercepting-transport.ts';
import { toServerFeatures, resolveProbeMethod } from '../requests/outgoing-requests.ts';
import { createSharedWork } from '../wire/deadlines.ts';
import { formatSafeLine } from '../wire/reason.ts';
import { formatSessionAnswer, UNAUTHORIZED } from '../wire/request-outcome.ts';
import { type ConnectionFailure, ToolsUnreadableError } from './connection-failure.ts';
import {
  type Attempt,
  closeIgnoringErrors,
  type Connection,
  createExtras,
  createSdkClient,
  type Negotiated,
  findFixedRevision,
} from './connection.ts';
import { HealthCheck } from './health-check.ts';
import { type ConnectionLifetime, listTargetSecrets } from './server-link.ts';

const logProblem = ({ request, dependencies }: Attempt, problem: ListProblem): void => {
  const { list, unread, cut, omitted } = problem;
  const about = { level: 'warn', server: request.server.metadata.name, list } as const;
  const refusal = unread ?? cut;
  if (refusal !== undefined)
    dependencies.log({ ...about, event: 'server.list-refused', reason: refusal });
  const reason = formatOmissions(problem);
  if (reason !== undefined)
    dependencies.log({ ...about, event: 'server.entry-refused', count: omitted, reason });
};

const NO_CAPABILITIES = { tools: false, resources: false, prompts: false };

const createListReader = (
  attempt: Attempt,
  { link }: ConnectionLifetime,
  { capabilities, era }: Negotiated,
): ServerListReader => {
  const { request, dependencies } = attempt;
  const isModern = era === 'modern';
  return new ServerListReader({
    capabilities: request.lean === true ? NO_CAPABILITIES : capabilities,
    timeoutMs: dependencies.timeouts.relistMs,
    request: (page) => link.interceptor.request(page),
    bounds: dependencies.bounds,
    isModern,
    mirrorsArguments: isModern && request.server.spec.type !== 'stdio',
    formatSafe: (reason) => formatSafeLine(reason, listTargetSecrets(request)),
    onProblem: (problem) => logProblem(attempt, problem),
  });
};

/** Share of the remaining time of an attempt that its lists may take, so that those that were read serve before it ends. */
const LISTS_SHARE = 0.9;

/** Returns the lists of a new connection. Throws when no list can be read, or HTTP refuses that of the tools. */
const readFirstLists = async (
  reader: ServerListReader,
  remainingMs: number,
  lifetime: ConnectionLifetime,
): Promise<ServerLists> => {
  const { lists, failure } = await reader.read('all', Math.max(1, remainingMs * LISTS_SHARE));
  if (failure !== undefined) {
    const isRefused = failure.httpStatus !== undefined || lifetime.isUnauthorized;
    if (Object.keys(lists).length === 0 || (isRefused && lists.tools === undefined))
      throw new ToolsUnreadableError(failure.reason, failure.httpStatus);
  }
  return { ...NO_LISTS, ...lists };
};

const listAnnouncements = (capabilities: ServerCapabilities): SubscriptionFilter => ({
  ...(capabilities.tools?.listChanged === true ? { toolsListChanged: true } : {}),
  ...(capabilities.resources?.listChanged === true ? { resourcesListChanged: true } : {}),
  ...(capabilities.prompts?.listChanged === true ? { promptsListChanged: true } : {}),
});

/** Negotiates the era and the version on a new transport. Rejects with the error of the SDK. */
const negotiate = async (
  { request, dependencies, deadline, signal }: Attempt,
  interceptor: InterceptingTransport,
  knownEra: Era | undefined,
): Promise<{ readonly client: Client; readonly negotiated: Negotiated }> => {
  const { clientInfo } = request;
  const timeoutMs = Math.max(1, deadline - dependencies.now());
  const client = createSdkClient(clientInfo, timeoutMs, findFixedRevision(request.server));
  interceptor.declare(dependencies.clientFeatures ?? {});
  // A server that has spoken 2026-07-28 before is slow when it does not answer, not old.
  if (knownEra !== 'modern') {
    const afterMs = Math.min(dependencies.timeouts.eraProbeMs, timeoutMs / 2);
    interceptor.fallBackAfter(afterMs, clientInfo);
  }
  await client.connect(interceptor, {
    timeout: timeoutMs,
    signal,
    ...(knownEra === 'legacy' ? { prior: { kind: 'legacy' } } : {}),
  });
  const capabilities = client.getServerCapabilities() ?? {};
  const protocolVersion = client.getNegotiatedProtocolVersion() ?? 'unknown';
  const era = client.getProtocolEra() ?? 'legacy';
  const server = client.getServerVersion();
  if (era === 'modern') interceptor.useModernEnvelope(protocolVersion, { ...clientInfo });
  const negotiated: Negotiated = {
    era,
    protocolVersion,
    ...(server === undefined ? {} : { serverInfo: { name: server.name, version: server.version } }),
    capabilities: {
      tools: capabilities.tools !== undefined,
      resources: capabilities.resources !== undefined,
      prompts: capabilities.prompts !== undefined,
    },
    announces: listAnnouncements(capabilities),
    features: toServerFeatures(capabilities),
  };
  return { client, negotiated };
};

const findServedList = (
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

/** Minimum pause between two checks in milliseconds, however many requests are refused. */
const PAUSE_MS = 10_000;

const isRefused = async (
  { request, era }: Pick<Connection, 'request' | 'era'>,
  timeoutMs: number,
): Promise<boolean> => {
  const outcome = await request({ method: resolveProbeMethod(era), params: {}, timeoutMs });
  return (
    !outcome.ok && outcome.failure.kind === 'lost' && outcome.failure.httpStatus === UNAUTHORIZED
  );
};

/** After HTTP 401 a connection is lost when the server refuses another one with 401 too, or accepts it and refuses every request on this one. */
const createAuthorizationCheck = (
  connection: Pick<Connection, 'request' | 'era'>,
  { openAnother, dependencies: { timeouts, health } }: Attempt,
  lose: (failure: ConnectionFailure) => void,
): { readonly check: () => void; readonly stop: () => void } => {
  const ended = new AbortController();
  const findLoss = async (): Promise<ConnectionFailure | undefined> => {
    const outcome = await openAnother(connection.era, ended.signal);
    if (!outcome.ok) return outcome.failure.code === 'auth-required' ? outcome.failure : undefined;
    const { connection: other } = outcome;
    const [isThisRefused, isOtherRefused] = await Promise.all([
      isRefused(connection, health.timeoutMs),
      isRefused(other, health.timeoutMs),
    ]);
    await other.close();
    return isThisRefused && !isOtherRefused
      ? { code: 'other', reason: 'the server refuses the session (HTTP 401)' }
      : undefined;
  };
  const check = createSharedWork(Math.min(PAUSE_MS, timeouts.healthIntervalMs), async () => {
    const failure = await findLoss();
    if (failure !== undefined && !ended.signal.aborted) lose(failure);
  });
  return {
    check: () => {
      if (!ended.signal.aborted) void check();
    },
    stop: () => ended.abort(new Error('the connection was closed')),
  };
};

export const connect = async (
  attempt: Attempt,
  lifetime: ConnectionLifetime,
  knownEra: Era | undefined,
): Promise<Connection> => {
  const { request, dependencies } = attempt;
  const { link } = lifetime;
  const { client, negotiated } = await negotiate(attempt, link.interceptor, knownEra);
  const reader = createListReader(attempt, lifetime, negotiated);
  const lists = await readFirstLists(reader, attempt.deadline - dependencies.now(), lifetime);
  attempt.signal.throwIfAborted();
  const extras = createExtras(link.interceptor, client, negotiated, attempt.observer);
  const { era } = negotiated;
  const lose = (failure: ConnectionFailure): void => lifetime.lose(failure);
  const health = new HealthCheck(
    {
      link,
      era,
      list: findServedList(negotiated, reader),
      onLost: lose,
      onSessionEnded: (reason) => lifetime.endSession(reason),
      onHealth: ({ level, reason }) => {
        const why = reason && { reason: formatSafeLine(reason, listTargetSecrets(request)) };
        attempt.observer.onHealth?.({ level, ...why });
      },
    },
    dependencies,
  );
  // A refusal on a user's connection concerns the credential of that user.
  const authorization =
    request.authority === undefined
      ? createAuthorizationCheck({ request: extras.request, era }, attempt, lose)
      : undefined;
  lifetime.goLive({
    onUnreachable: () => health.check(),
    onUnauthorized: () => authorization?.check(),
    onSessionRefused: async (answer, how) => {
      const isRefused = how === 'certain' || (await health.isSessionRefused(answer, how));
      if (isRefused) lifetime.endSession(formatSessionAnswer({ answer }));
      return isRefused;
    },
  });
  if (request.authority === undefined) health.start();
  if (request.lean !== true) extras.resources.start(negotiated.announces);
  return {
    ...negotiated,
    ...extras,
    lists,
    verify: () => health.check(),
    listReader: reader,
    close: async () => {
      health.stop();
      authorization?.stop();
      extras.resources.stop();
      await closeIgnoringErrors(link);
    },
  };
};
