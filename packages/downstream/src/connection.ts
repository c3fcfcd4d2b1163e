import type { McpServer } from '@gateway/crd-schemas';
import { watchAnnouncements } from './announcements.ts';
import { createSdkClient, isEraFailure, negotiate } from './client-session.ts';
import type { ClientInfo, Negotiated, NegotiationOptions } from './client-session.ts';
import { createHealthCheck } from './health-check.ts';
import { reasonOf, sanitisedLine } from './reason.ts';
import type { RequestOutcome } from './request-outcome.ts';
import { NO_LISTS, readServerLists } from './server-lists.ts';
import type { ListsOutcome, ServerLists } from './server-lists.ts';
import type { Failure } from './server-machine.ts';
import type { ChangedList } from './incoming-messages.ts';
import type { TapRequest } from './outgoing-requests.ts';
import { linkOfServer } from './link-of-server.ts';
import type { ConnectionWorld, ServerLink } from './link.ts';
import { secretsOf } from './secrets.ts';
import { untilAborted } from './until-aborted.ts';
import { probeBoundMs, startBoundMs } from './start-bounds.ts';

/** A live connection. */
export interface Connection extends Negotiated {
  /** What the server offered when the connection was made. */
  readonly lists: ServerLists;
  /** Sends one request. Never rejects, never asks twice. */
  request(request: TapRequest): Promise<RequestOutcome>;
  /** Finds out soon whether the server can still be met; `onLost` tells if it cannot. */
  look(): void;
  /** Reads the lists again. */
  readLists(): Promise<ListsOutcome>;
  /** Ends it and everything that belongs to it, within a bound. */
  close(): Promise<void>;
}

/** What to connect to, and how. */
export interface OpenRequest {
  readonly server: McpServer;
  readonly clientInfo: ClientInfo;
  /** The server spoke a 2025 revision last time, so it is not asked again. */
  readonly legacyOnly: boolean;
  /** Aborting it gives the attempt up. */
  readonly signal: AbortSignal;
  /** For requests only: no lists are read, and nobody looks whether the quiet server is still there. */
  readonly lean?: boolean;
}

/** What happens to a connection after it was made. */
export interface ConnectionObserver {
  readonly onListChanged: (list: ChangedList) => void;
  /** Once, when the connection is of no use any more. */
  readonly onLost: (failure: Failure) => void;
}

/** A connection, or why there is none. Nothing is left behind in the second case. */
export type OpenOutcome =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly failure: Failure };

interface Attempt {
  readonly request: OpenRequest;
  readonly world: ConnectionWorld;
  readonly observer: ConnectionObserver;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

const sayLost = (attempt: Attempt): ((failure: Failure) => void) => {
  let said = false;
  return ({ reason, authRequired }) => {
    if (said) return;
    said = true;
    const line = sanitisedLine(reason, secretsOf(attempt.request.server));
    attempt.observer.onLost({ reason: line, authRequired });
  };
};

/** One transport's life, from its start to the news that it is lost. */
interface Life {
  readonly link: ServerLink;
  readonly unauthorized: () => boolean;
  /** From now on the end of the transport is the end of a connection. */
  readonly goLive: (onUnreachable: () => void) => void;
  readonly lost: (failure: Failure) => void;
}

const createLife = (attempt: Attempt): Life => {
  const { request, world, observer } = attempt;
  const { name } = request.server.metadata;
  const say = sayLost(attempt);
  let live: { readonly onUnreachable: () => void } | undefined;
  let unauthorized = false;
  const lost = (reason: string, authRequired = false): void => {
    if (live !== undefined) say({ reason, authRequired });
  };
  const link = linkOfServer(request.server, world, {
    onListChanged: (list) => observer.onListChanged(list),
    onError: (error) => {
      const reason = sanitisedLine(reasonOf(error), secretsOf(request.server));
      world.log({ level: 'debug', server: name, event: 'server.transport-error', reason });
    },
    onClosed: () => lost(link.reason() ?? 'the connection was closed'),
    onUnauthorized: () => {
      unauthorized = true;
      lost('the server requires authentication', true);
    },
    onSessionGone: () => lost('the server ended the session'),
    onUnreachable: () => live?.onUnreachable(),
  });
  return {
    link,
    unauthorized: () => unauthorized,
    goLive: (onUnreachable) => {
      live = { onUnreachable };
    },
    lost: (failure) => lost(failure.reason, failure.authRequired),
  };
};

const readAll = (
  attempt: Attempt,
  life: Life,
  negotiated: Negotiated,
  timeoutMs: number,
): Promise<ListsOutcome> => {
  if (attempt.request.lean === true) return Promise.resolve({ ok: true, lists: NO_LISTS });
  const { log, bounds } = attempt.world;
  const server = attempt.request.server.metadata.name;
  return readServerLists(negotiated.capabilities, {
    ask: (method, params) => life.link.tap.request({ method, params, timeoutMs }),
    bounds,
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

/** What cannot be closed is of no use to anybody any more, and nobody could act on the error. */
const closeQuietly = (link: ServerLink): Promise<void> => link.close().catch(() => undefined);

const announcedTo = ({ lean }: OpenRequest, negotiated: Negotiated): Negotiated =>
  lean === true ? { ...negotiated, announces: {} } : negotiated;

const introduce = async (
  attempt: Attempt,
  life: Life,
  legacyOnly: boolean,
): Promise<Connection> => {
  const { request, world } = attempt;
  const remainingMs = Math.max(1, attempt.deadline - world.now());
  const options: NegotiationOptions = {
    clientInfo: request.clientInfo,
    legacyOnly,
    probeMs: probeBoundMs(request.server, world, remainingMs),
    timeoutMs: remainingMs,
    signal: attempt.signal,
  };
  const client = createSdkClient(options);
  const { link } = life;
  const negotiated = await negotiate(client, link.tap, options);
  const listsMs = Math.max(1, attempt.deadline - world.now());
  const listed = await readAll(attempt, life, negotiated, listsMs);
  if (!listed.ok) throw new Error(listed.reason);
  attempt.signal.throwIfAborted();
  const health = createHealthCheck(life, negotiated.era, world.timeouts);
  life.goLive(() => health.look());
  if (request.server.spec.type !== 'stdio' && request.lean !== true) health.keepLooking();
  const announcements = watchAnnouncements(client, announcedTo(request, negotiated), () =>
    attempt.observer.onListChanged('tools'),
  );
  return {
    ...negotiated,
    lists: listed.lists,
    request: (tapRequest) => link.tap.request(tapRequest),
    look: () => health.look(),
    readLists: () => readAll(attempt, life, negotiated, world.timeouts.relistMs),
    close: async () => {
      health.stop();
      announcements.stop();
      await closeQuietly(link);
    },
  };
};

const failureOf = (life: Life, error: unknown, server: McpServer): Failure => ({
  authRequired: life.unauthorized(),
  reason: life.unauthorized()
    ? 'the server requires authentication'
    : sanitisedLine(life.link.reason() ?? reasonOf(error), secretsOf(server)),
});

const tryOnce = async (
  attempt: Attempt,
  legacyOnly: boolean,
): Promise<OpenOutcome & { readonly tryLegacy?: boolean }> => {
  const life = createLife(attempt);
  const introduced = introduce(attempt, life, legacyOnly);
  try {
    return {
      ok: true,
      connection: await Promise.race([introduced, untilAborted(attempt.signal)]),
    };
  } catch (error) {
    // The loser of the race ends with the link.
    introduced.catch(() => undefined);
    await closeQuietly(life.link);
    const tryLegacy =
      !legacyOnly && isEraFailure(error) && !life.unauthorized() && !life.link.unreachable();
    return { ok: false, failure: failureOf(life, error, attempt.request.server), tryLegacy };
  }
};

const secondsText = (ms: number): string => `not ready within ${ms / 1_000} s`;

/**
 * Connects to a server: transport, era and version, lists. Ends by its bound at the latest. A server that ends the talk at the question
 * about its era is tried once more with the `initialize` of the 2025 revisions.
 *
 * @spec §2.6 timeout
 */
export const openConnection = async (
  request: OpenRequest,
  world: ConnectionWorld,
  observer: ConnectionObserver,
): Promise<OpenOutcome> => {
  const boundMs = startBoundMs(request.server, world);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new Error(secondsText(boundMs))), boundMs);
  const signal = AbortSignal.any([request.signal, deadline.signal]);
  const attempt: Attempt = { request, world, observer, deadline: world.now() + boundMs, signal };
  try {
    const first = await tryOnce(attempt, request.legacyOnly);
    if (first.ok || first.tryLegacy !== true || signal.aborted) return first;
    return await tryOnce(attempt, true);
  } catch (error) {
    return {
      ok: false,
      failure: { authRequired: false, reason: sanitisedLine(reasonOf(error)) },
    };
  } finally {
    clearTimeout(timer);
  }
};
