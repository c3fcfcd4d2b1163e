import type { FailureCode } from './connection-failure.ts';
import type { ClientFeatures } from '../requests/client-features.ts';
import type { DownstreamBounds, DownstreamTimeouts, HealthPolicy } from '../wire/limits.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import type {
  TransportObserver,
  InterceptingTransport,
} from '../requests/intercepting-transport.ts';
import type { Watchdog } from '../wire/stdio/watchdog.ts';

/** What every connection shares. */
export interface ConnectionDependencies {
  readonly timeouts: DownstreamTimeouts;
  readonly health: HealthPolicy;
  readonly bounds: DownstreamBounds;
  readonly watchdog: Watchdog;
  readonly log: DownstreamLog;
  /** What 2025 servers are told that clients can do; without it, nothing. */
  readonly clientFeatures?: ClientFeatures;
  /** Milliseconds on a clock that never jumps: for durations only. */
  readonly now: () => number;
  /** What a relative working directory of a child counts from; the directory of this process when absent. */
  readonly baseDirectory?: string;
}

/** What a transport tells its owner. */
export interface LinkObserver extends Omit<TransportObserver, 'closeReason'> {
  /** The server answered 401. */
  readonly onUnauthorized: () => void;
  /** The session that the server gave is not known there any more. */
  readonly onSessionGone: () => void;
  /** A request met no server. */
  readonly onUnreachable: () => void;
}

/** A transport with all that belongs to it. */
export interface ServerLink {
  readonly interceptor: InterceptingTransport;
  /** Why the link is not usable, as far as it knows. */
  readonly reason: () => string | undefined;
  /** The cause, as far as the link knows it. */
  readonly failureCode: () => FailureCode;
  /** Whether a request has met no server at all. */
  readonly unreachable: () => boolean;
  /** Whether there was no executable to run, or nothing to connect to. */
  readonly missing: () => boolean;
  /** Ends the session, the transport and its sockets or processes, within a bound. */
  readonly close: () => Promise<void>;
}
