import type { McpServer, McpServerProtocol } from '@gateway/crd-schemas';
import type { Era } from '../requests/request-connection.ts';
import { closeIgnoringErrors } from './close-ignoring-errors.ts';
import type { Negotiated } from './client-session.ts';
import type { Connection, OpenOutcome, OpenRequest } from './connection.ts';
import type { ConnectionObserver } from './connection-lifetime.ts';

/** A revision of MCP that a definition names. */
export type NamedRevision = Exclude<McpServerProtocol, 'auto'>;

const ERAS: Readonly<Record<NamedRevision, Era>> = {
  '2025-11-25': 'legacy',
  '2026-07-28': 'modern',
};

/** Returns the only revision in which a server may be connected; `undefined` when the server decides. */
export const onlyRevisionOf = ({ spec }: Pick<McpServer, 'spec'>): NamedRevision | undefined =>
  spec.protocol === undefined || spec.protocol === 'auto' ? undefined : spec.protocol;

/** Returns the era of the only revision of a server, or else its last known one. */
export const eraToTry = (
  server: Pick<McpServer, 'spec'>,
  knownEra: Era | undefined,
): Era | undefined => {
  const only = onlyRevisionOf(server);
  return only === undefined ? knownEra : ERAS[only];
};

type Declared = Pick<Negotiated, 'capabilities' | 'announces' | 'features'>;

/** The time for the second handshake: at least this, and this many times the duration of the first one. */
const MIN_COMPARE_MS = 15_000;
const COMPARE_FACTOR = 5;

/** Returns the time limit of the second handshake in milliseconds. */
export const compareMs = (firstMs: number): number =>
  Math.max(MIN_COMPARE_MS, COMPARE_FACTOR * firstMs);

const countOf = (flags: object): number =>
  Object.values(flags).filter((flag) => flag === true).length;

/** Returns how many lists, announcements and features a server declares. */
const declaredCount = ({ capabilities, announces, features }: Declared): number =>
  countOf(capabilities) + countOf(announces) + countOf(features);

/**
 * Returns whether a server of 2026-07-28 may declare more in the 2025 revisions: it has a list whose changes it does not announce. Libraries that
 * serve both revisions and lack parts of 2026-07-28 do not announce there.
 */
const mayDeclareMore = ({ capabilities, announces }: Declared): boolean =>
  (capabilities.tools && announces.toolsListChanged !== true) ||
  (capabilities.resources && announces.resourcesListChanged !== true) ||
  (capabilities.prompts && announces.promptsListChanged !== true);

/** Returns whether the other revision of a connected server is tried: at the first connection of a server that decides by itself. */
export const isCompared = (request: OpenRequest, connection: Connection): boolean =>
  request.knownEra === undefined &&
  request.lean !== true &&
  request.server.spec.type !== 'sse' &&
  onlyRevisionOf(request.server) === undefined &&
  connection.era === 'modern' &&
  mayDeclareMore(connection);

/** An observer that can be silenced. */
interface SilencedObserver extends ConnectionObserver {
  silence(): void;
}

/** Returns an observer that passes events on until it is silenced. */
export const silenceable = (observer: ConnectionObserver): SilencedObserver => {
  let isSilent = false;
  return {
    silence: () => {
      isSilent = true;
    },
    onListChanged: (list) => (isSilent ? undefined : observer.onListChanged(list)),
    onResourceUpdated: (params) => (isSilent ? undefined : observer.onResourceUpdated?.(params)),
    onHealth: (health) => (isSilent ? undefined : observer.onHealth?.(health)),
    onProgress: (line) => (isSilent ? undefined : observer.onProgress?.(line)),
    onSessionEnded: (reason) => (isSilent ? undefined : observer.onSessionEnded?.(reason)),
    onLost: (failure) => (isSilent ? undefined : observer.onLost(failure)),
  };
};

/** A connection and its observer. */
interface Candidate {
  readonly outcome: OpenOutcome;
  readonly observer: SilencedObserver;
}

const discard = async ({ outcome, observer }: Candidate): Promise<void> => {
  observer.silence();
  if (outcome.ok) await closeIgnoringErrors(outcome.connection);
};

/** Returns the connection in which the server declares more; the first one when it declares the same in both. The other one is closed. */
export const richerOf = async (
  first: Candidate & { readonly outcome: Extract<OpenOutcome, { readonly ok: true }> },
  second: Candidate,
): Promise<OpenOutcome> => {
  const isRicher =
    second.outcome.ok &&
    declaredCount(second.outcome.connection) > declaredCount(first.outcome.connection);
  await discard(isRicher ? first : second);
  return isRicher ? second.outcome : first.outcome;
};
