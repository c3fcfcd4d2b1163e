import type { McpServer } from '@gateway/crd-schemas';
import type { HttpAuthority } from '../wire/http/http-authority.ts';
import { secretsOf } from '../wire/referenced-values.ts';
import type { FailureCode } from './connection-failure.ts';
import type { ClientFeatures } from '../requests/outgoing-requests.ts';
import type { DownstreamBounds, DownstreamTimeouts, HealthPolicy } from '../wire/limits.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import type {
  InterceptingTransport,
  TransportObserver,
} from '../requests/intercepting-transport.ts';
import type { Watchdog } from '../wire/stdio/process-group.ts';

/** The authority of the requests of one user's connection. */
export interface ConnectionAuthority extends HttpAuthority {
  /** Returns the values that no text may show. */
  secrets(): readonly string[];
}

/** The server of a connection, and for the connection of one user what authorizes its requests. */
export interface ConnectionTarget {
  readonly server: McpServer;
  readonly authority?: ConnectionAuthority | undefined;
}

/** Returns the values of a connection that no text may show. */
export const secretsOfTarget = ({ server, authority }: ConnectionTarget): readonly string[] =>
  authority === undefined ? secretsOf(server) : [...secretsOf(server), ...authority.secrets()];

/** The dependencies that all connections share. */
export interface ConnectionDependencies {
  readonly timeouts: DownstreamTimeouts;
  readonly health: HealthPolicy;
  readonly bounds: DownstreamBounds;
  readonly watchdog: Watchdog;
  readonly log: DownstreamLog;
  /** The client capabilities that are declared to 2025 servers; none when absent. */
  readonly clientFeatures?: ClientFeatures;
  /** Returns monotonic time in milliseconds, for durations. */
  readonly now: () => number;
  /** The working directory of stdio servers without one, and the base of a relative one; the directory of this process when absent. */
  readonly baseDirectory?: string;
}

/** Receives the events of a transport. */
export interface LinkObserver extends Omit<TransportObserver, 'closeReason'> {
  /** The server answered HTTP 401. */
  readonly onUnauthorized: () => void;
  /** The event stream of the connection has ended, and the session with it. */
  readonly onSessionGone: (reason: string) => void;
  /** A child process wrote a line to stderr, before it received arguments of callers. */
  readonly onProgress: (line: string) => void;
  /** A request failed without an answer. */
  readonly onUnreachable: () => void;
}

/** A transport with its resources. */
export interface ServerLink {
  readonly interceptor: InterceptingTransport;
  /** Returns why the link is not usable, as far as it knows. */
  readonly reason: () => string | undefined;
  /** Returns the cause, as far as the link knows it. */
  readonly failureCode: () => FailureCode;
  /** Returns whether a request failed without an answer. */
  readonly unreachable: () => boolean;
  /** Returns whether the executable or the endpoint does not exist. */
  readonly missing: () => boolean;
  /** Ends the session, the transport and its sockets or processes, within a bound. */
  readonly close: () => Promise<void>;
}
