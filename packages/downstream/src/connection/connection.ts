import type { ListsOfConnection } from '../lists/relist-schedule.ts';
import type { ServerListReader, ServerLists } from '../lists/server-lists.ts';
import type { Era } from '../requests/request-connection.ts';
import type { ClientInfo, Negotiated } from './client-session.ts';
import type { ConnectionExtras } from './connection-extras.ts';
import type { ConnectionFailure } from './connection-failure.ts';
import type { ConnectionTarget } from './connection-target.ts';
import type { ConnectionUse } from './connection-use.ts';
import type { ConnectionObserver } from './connection-lifetime.ts';
import type { ConnectionDependencies } from './server-link.ts';

/** A live connection. */
export interface Connection
  extends Negotiated, ConnectionExtras, Pick<ConnectionUse, 'enter' | 'leave' | 'unused'> {
  /** The lists at the time of connecting. */
  readonly lists: ServerLists;
  /** Requests a health check; `onLost` is called when the server is unreachable. */
  verify(): void;
  /** Reads the lists again, and knows what they lack. */
  readonly listReader: ListsOfConnection & Pick<ServerListReader, 'problems'>;
  /** Closes the connection with all its resources, within a bound. */
  close(): Promise<void>;
}

/** The server to connect to, with options. The health of one person's connection is checked only after a request failed to reach the server. */
export interface OpenRequest extends ConnectionTarget {
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

/** One attempt to connect. */
export interface Attempt {
  readonly request: OpenRequest;
  readonly dependencies: ConnectionDependencies;
  readonly observer: ConnectionObserver;
  /** Upper bound of the attempt, in milliseconds. */
  readonly boundMs: number;
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Opens another connection to the same server, for requests only. */
  readonly openAnother: (era: Era, signal: AbortSignal) => Promise<OpenOutcome>;
}
