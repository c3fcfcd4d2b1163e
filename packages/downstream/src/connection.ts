import type { McpServer } from '@gateway/crd-schemas';
import { watchAnnouncements } from './announcements.ts';
import { connectionExtras } from './connection-extras.ts';
import type { ConnectionExtras } from './connection-extras.ts';
import { createLife } from './connection-life.ts';
import type { ConnectionObserver, Life } from './connection-life.ts';
import { createSdkClient, isEraFailure, negotiate } from './client-session.ts';
import type { ClientInfo, Negotiated, NegotiationOptions } from './client-session.ts';
import { createHealthCheck } from './health-check.ts';
import { reasonOf, sanitisedLine } from './reason.ts';
import { NO_LISTS, readServerLists } from './server-lists.ts';
import type { ListsOutcome, ServerLists } from './server-lists.ts';
import type { Failure } from './server-machine.ts';
import type { ConnectionWorld, ServerLink } from './link.ts';
import { secretsOf } from './secrets.ts';
import { untilAborted } from './until-aborted.ts';
import { probeBoundMs, startBoundMs } from './start-bounds.ts';

/** A live connection. */
export interface Connection extends Negotiated, ConnectionExtras {
  /** What the server offered when the connection was made. */
  readonly lists: ServerLists;
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

/** What cannot be closed is of no use to anybody any more, and nobody could act on the error. */
const closeQuietly = (link: ServerLink): Promise<void> => link.close().catch(() => undefined);

const announcedTo = ({ lean }: OpenRequest, negotiated: Negotiated): Negotiated =>
  lean === true ? { ...negotiated, announces: {} } : negotiated;

const negotiationOptions = (
  { request, world, deadline, signal }: Attempt,
  legacyOnly: boolean,
): NegotiationOptions => {
  const remainingMs = Math.max(1, deadline - world.now());
  return {
    clientInfo: request.clientInfo,
    clientFeatures: world.clientFeatures ?? {},
    legacyOnly,
    probeMs: probeBoundMs(request.server, world, remainingMs),
    timeoutMs: remainingMs,
    signal,
  };
};

const introduce = async (
  attempt: Attempt,
  life: Life,
  legacyOnly: boolean,
): Promise<Connection> => {
  const { request, world } = attempt;
  const options = negotiationOptions(attempt, legacyOnly);
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
  const extras = connectionExtras(life.link.tap, client, negotiated, attempt.observer);
  return {
    ...negotiated,
    lists: listed.lists,
    ...extras,
    look: () => health.look(),
    readLists: () => readAll(attempt, life, negotiated, world.timeouts.relistMs),
    close: async () => {
      health.stop();
      announcements.stop();
      extras.resources.stop();
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
  const life = createLife(attempt.request.server, attempt.world, attempt.observer);
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
