import type { Client } from '@modelcontextprotocol/client';
import type { ClientInfo, Negotiated } from './client-session.ts';
import type { ConnectionUse } from './connection-use.ts';
import type { ConnectionObserver } from './connection-lifetime.ts';
import { createSubscribingWatch, ListeningWatch } from '../lists/subscriptions.ts';
import type { ResourceWatch } from '../lists/subscriptions.ts';
import type { OutgoingRequest, Era } from '../requests/outgoing-requests.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';
import { ServerLogLevel } from '../requests/request-meta.ts';
import type { InterceptingTransport } from '../requests/intercepting-transport.ts';
import type { ListsOfConnection, ServerListReader, ServerLists } from '../lists/server-lists.ts';
import type { ConnectionFailure } from './connection-failure.ts';
import type { ConnectionDependencies, ConnectionTarget } from './server-link.ts';

/** Ignores an error of closing: no caller can act on it. */
export const closeIgnoringErrors = (link: { readonly close: () => Promise<void> }): Promise<void> =>
  link.close().catch(() => undefined);

/** The part of a connection that differs by era. */
interface ConnectionExtras {
  /** Sends one request. Never rejects and never sends it twice. */
  readonly request: (request: OutgoingRequest) => Promise<RequestOutcome>;
  /** Watches single resources. */
  readonly resources: ResourceWatch;
}

/** Maximum duration of a request besides the calls, in milliseconds. */
const AUXILIARY_REQUEST_MS = 10_000;

/** Returns the extras of a new connection. */
export const connectionExtras = (
  interceptor: InterceptingTransport,
  client: Client,
  { era, features }: Negotiated,
  observer: ConnectionObserver,
): ConnectionExtras => {
  const sendAuxiliary = (
    method: string,
    params: OutgoingRequest['params'],
  ): Promise<RequestOutcome> =>
    interceptor.request({ method, params, timeoutMs: AUXILIARY_REQUEST_MS });
  if (era === 'modern') {
    return {
      request: (request) => interceptor.request(request),
      resources: new ListeningWatch(client, observer),
    };
  }
  const resources = createSubscribingWatch(sendAuxiliary);
  if (!features.logging) return { request: (request) => interceptor.request(request), resources };
  const logLevel = new ServerLogLevel((level) => sendAuxiliary('logging/setLevel', { level }));
  return {
    resources,
    request(request) {
      const raising = logLevel.raise(request.options?.caller?.logLevel);
      return raising === undefined
        ? interceptor.request(request)
        : raising.then(() => interceptor.request(request));
    },
  };
};

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

/** The server to connect to, with options. The health of one user's connection is checked only after a request failed to reach the server. */
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
