import type { FailureCode } from '@gateway/call-contract';
import type { McpServer, RemoteServerSpec, StdioServerSpec } from '@gateway/crd-schemas';
import {
  InterceptingTransport,
  StdioInterceptingTransport,
  type TransportObserver,
} from '../requests/intercepting-transport.ts';
import type { ClientFeatures } from '../requests/outgoing-requests.ts';
import type { HttpAuthority } from '../wire/http/http-authority.ts';
import {
  type HttpConnectionOptions,
  HttpConnections,
  type HttpObserver,
} from '../wire/http/http-connections.ts';
import { HttpWire, SseWire } from '../wire/http/http-wire.ts';
import type { DownstreamBounds, DownstreamTimeouts, HealthPolicy } from '../wire/limits.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import { reasonOf } from '../wire/reason.ts';
import { secretsOf } from '../wire/referenced-values.ts';
import { childDirectory, childEnvironment, type Watchdog } from '../wire/stdio/process-group.ts';
import { drainStderr, progressLine } from '../wire/stdio/stderr-log.ts';
import { StdioTransport } from '../wire/stdio/stdio-transport.ts';
import type { Wire } from '../wire/wire.ts';
import { isMissing, toFailureCode } from './connection-failure.ts';

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

/** A wire with its HTTP connections. */
interface RemoteWire {
  readonly wire: Wire;
  /** Ends the session, the wire and its connections. Waits for the server within a bound. */
  readonly close: (interceptor: InterceptingTransport, graceMs: number) => Promise<void>;
}

/** The definition of a server, and what authorizes the requests of a user's connection. */
interface RemoteTarget extends Pick<HttpConnectionOptions, 'lookup'> {
  readonly spec: Pick<RemoteServerSpec, 'type' | 'url' | 'headers' | 'timeout'>;
  readonly authority: HttpAuthority | undefined;
}

/** Returns the transport of a server, with connections of its own. */
export const remoteWire = (
  { spec, authority, lookup }: RemoteTarget,
  bounds: Pick<DownstreamBounds, 'maxMessageBytes' | 'maxConnectionsPerServer'>,
  observer: HttpObserver & Pick<LinkObserver, 'onSessionGone'>,
): RemoteWire => {
  const { maxMessageBytes, maxConnectionsPerServer: maxConnections } = bounds;
  const connections = new HttpConnections(
    { connectTimeoutMs: spec.timeout * 1_000, maxConnections, ...(lookup && { lookup }) },
    observer,
  );
  const options = {
    url: new URL(spec.url),
    headers: spec.headers,
    maxBytes: maxMessageBytes,
    connections,
    authority,
  };
  const wire =
    spec.type === 'sse'
      ? new SseWire(options, (reason) => observer.onSessionGone(reason))
      : new HttpWire(options);
  return {
    wire,
    close: async (interceptor, graceMs) => {
      if (wire instanceof HttpWire) await wire.endSession(graceMs);
      await interceptor.close();
      connections.close();
    },
  };
};

/** Reports a refusal that no renewal changed as the refusal of the connection. */
const reporting = (authority: HttpAuthority, observer: LinkObserver): HttpAuthority => ({
  authorization: () => authority.authorization(),
  renew: (refusal) => authority.renew(refusal),
  refused(refusal) {
    authority.refused(refusal);
    if (refusal.status === 401) observer.onUnauthorized();
  },
});

/**
 * Returns the link to an HTTP server, with `spec.headers` and its own connections. With an authority its requests carry the credential of one user.
 *
 * @spec §2.6 url, headers
 */
export const remoteLink = (
  { spec, authority }: RemoteTarget,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  let lastError: string | undefined;
  let failureCode: FailureCode = 'other';
  let missing = false;
  const target = { spec, authority: authority && reporting(authority, observer) };
  const remote = remoteWire(target, dependencies.bounds, {
    onSessionGone: (reason) => observer.onSessionGone(reason),
    onStatus: (status) => {
      if (status === 401 && authority === undefined) observer.onUnauthorized();
    },
    onNetworkError: (error) => {
      lastError = reasonOf(error);
      failureCode = toFailureCode(error);
      missing = isMissing(error);
      observer.onUnreachable();
    },
  });
  const interceptor = new InterceptingTransport(remote.wire, {
    ...observer,
    closeReason: () => lastError ?? 'the connection was closed',
  });
  return {
    interceptor,
    reason: () => interceptor.endReason ?? lastError,
    failureCode: () => failureCode,
    unreachable: () => lastError !== undefined,
    missing: () => missing,
    close: () => remote.close(interceptor, dependencies.timeouts.closeGraceMs),
  };
};

/** Exit status of a shell whose command does not exist. POSIX.1-2024, Shell Command Language §2.8.2 */
const COMMAND_NOT_FOUND_STATUS = 127;

/** Returns the link to a child process. @spec §2.6 command, args, env, cwd */
export const stdioLink = (
  server: McpServer,
  spec: StdioServerSpec,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  const { log, now, timeouts, bounds, watchdog, baseDirectory } = dependencies;
  const secrets = secretsOf(server);
  /** The server, with its process where it has several. */
  const source = (): { readonly server: string; readonly pid?: number } => ({
    server: server.metadata.name,
    ...(spec.instances === 'perSession' && transport.pid !== undefined && { pid: transport.pid }),
  });
  let exitReason: () => string | undefined = () => undefined;
  const transport: StdioTransport = new StdioTransport({
    process: {
      command: spec.command,
      args: spec.args,
      environment: childEnvironment(process.env, spec.env),
      directory: childDirectory(spec, baseDirectory),
      closeGraceMs: timeouts.closeGraceMs,
      startGraceMs: timeouts.startGraceMs,
    },
    watchdog,
    maxMessageBytes: bounds.maxMessageBytes,
    onStderr: (stderr, budget) => {
      // Later output may repeat arguments of callers.
      const onLine = (raw: string): void => {
        if (!transport.hasReceivedArguments) observer.onProgress(progressLine(raw, secrets));
      };
      exitReason = drainStderr(stderr, budget, { ...source(), log, now, secrets, onLine });
    },
    onStrayLine: (count) => {
      if (count > 1) return;
      const reason = 'a line on stdout is not an MCP message';
      log({ level: 'warn', ...source(), event: 'server.output-ignored', reason });
    },
  });
  // A server that does not start reports the reason as its last output; later output may repeat arguments of callers.
  const reason = (): string | undefined => {
    const { endReason, hasReceivedArguments } = transport;
    const words = hasReceivedArguments ? undefined : exitReason();
    return endReason === undefined || words === undefined ? endReason : `${endReason}: ${words}`;
  };
  const failureCode = (): FailureCode => {
    const { startError, exit } = transport;
    if (startError !== undefined) return toFailureCode(startError);
    return exit?.code === COMMAND_NOT_FOUND_STATUS ? 'command-not-found' : 'other';
  };
  const isExecutableMissing = (): boolean => isMissing(transport.startError);
  const interceptor = new StdioInterceptingTransport(transport, {
    ...observer,
    closeReason: () => reason() ?? 'the connection was closed',
  });
  return {
    interceptor,
    reason: () => interceptor.endReason ?? reason(),
    failureCode,
    unreachable: isExecutableMissing,
    missing: isExecutableMissing,
    close: () => interceptor.close(),
  };
};
