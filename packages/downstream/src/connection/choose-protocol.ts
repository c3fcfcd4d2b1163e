import type { ConnectionObserver } from './connection-lifetime.ts';
import { closeIgnoringErrors } from './connection.ts';
import type { Attempt, Connection, OpenOutcome, OpenRequest } from './connection.ts';
import { onlyRevision } from './client-session.ts';

/** The time for the second handshake: at least this, and this many times the duration of the first one. */
const MIN_COMPARE_MS = 15_000;
const COMPARE_FACTOR = 5;

/**
 * Returns whether a server may declare more in the 2025 revisions: `server/discover` has a list whose changes are not announced. Libraries
 * that serve both revisions and lack parts of 2026-07-28 do not announce there.
 */
const mayDeclareMore = ({ capabilities, announces }: Connection): boolean =>
  (capabilities.tools && announces.toolsListChanged !== true) ||
  (capabilities.resources && announces.resourcesListChanged !== true) ||
  (capabilities.prompts && announces.promptsListChanged !== true);

/** Returns whether the other revision is tried too: only at the first connection of a server whose definition names no revision. */
const isCompared = (request: OpenRequest, connection: Connection): boolean =>
  request.knownEra === undefined &&
  request.lean !== true &&
  request.server.spec.type !== 'sse' &&
  onlyRevision(request.server) === undefined &&
  connection.era === 'modern' &&
  mayDeclareMore(connection);

/** Returns how many lists, announcements and features a server declares. */
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

/**
 * Opens a connection in the revision in which the server declares the most (`spec.protocol: auto`): a server of 2026-07-28 that may declare
 * more in the 2025 revisions is connected in both, and the poorer connection is closed; the 2025 one when they declare the same.
 *
 * @param open opens the connection in the revision that the server answers first
 * @param openLegacy opens a connection in the 2025 revisions within a limit in milliseconds
 */
export const chooseProtocol = async (
  attempt: Attempt,
  open: (attempt: Attempt) => Promise<OpenOutcome>,
  openLegacy: (attempt: Attempt, limitMs: number) => Promise<OpenOutcome>,
): Promise<OpenOutcome> => {
  const { request, dependencies, signal } = attempt;
  const startedAt = dependencies.now();
  const observer = observeCandidate(attempt.observer);
  const modern = await open({ ...attempt, observer });
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
