import type { FailureCode } from '@gateway/call-contract';
import type { McpServer, RemoteServerSpec, StdioServerSpec } from '@gateway/crd-schemas';
import { setImmediate } from 'node:timers/promises';
import {
  InterceptingTransport,
  StdioInterceptingTransport,
  type TransportObserver,
} from '../requests/intercepting-transport.ts';
import type { ClientFeatures } from '../requests/outgoing-requests.ts';
import { ServerMessages } from '../requests/server-messages.ts';
import {
  type HttpAuthority,
  type HttpConnectionOptions,
  HttpConnections,
  type HttpObserver,
} from '../wire/http/server-exchange.ts';
import { HttpWire } from '../wire/http/http-wire.ts';
import { SseWire } from '../wire/http/sse-wire.ts';
import type { DownstreamBounds, DownstreamTimeouts, HealthPolicy } from '../wire/limits.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import { formatReason, formatSafeLine } from '../wire/reason.ts';
import { resolveSpec, listSecrets } from '../wire/referenced-values.ts';
import {
  resolveChildDirectory,
  createChildEnvironment,
  type Watchdog,
} from '../wire/stdio/process-group.ts';
import { drainStderr, formatProgressLine } from '../wire/stdio/stderr-log.ts';
import { StdioTransport } from '../wire/stdio/stdio-transport.ts';
import type { Wire } from '../wire/wire.ts';
import { type ConnectionFailure, isMissing, toFailureCode } from './connection-failure.ts';

/** Returns the transport of a server by its type. Remote servers do not use `env`. @spec §2.6 type */
const createLink = (
  { server, authority }: ConnectionTarget,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  const spec = resolveSpec(server);
  return spec.type === 'stdio'
    ? createStdioLink(server, spec, dependencies, observer)
    : createRemoteLink({ spec, authority }, dependencies, observer);
};

export type HealthLevel = 'healthy' | 'degraded' | 'unhealthy';

export interface HealthReport {
  readonly level: HealthLevel;
  readonly reason?: string;
}

export const HEALTHY: HealthReport = { level: 'healthy' };

export interface ConnectionObserver {
  readonly onListChanged: () => void;
  readonly onResourceUpdated?: (params: Readonly<Record<string, unknown>>) => void;
  readonly onHealth?: (health: HealthReport) => void;
  /** A child process wrote a line to stderr, before it received arguments of callers: one line without secrets. */
  readonly onProgress?: (line: string) => void;
  /** The server does not know the session, and the connection must be replaced. Called once per refused request or check. */
  readonly onSessionEnded?: (reason: string) => void;
  /** Called once, when the connection is lost. */
  readonly onLost: (failure: ConnectionFailure) => void;
}

type LiveObserver = Pick<LinkObserver, 'onUnreachable' | 'onUnauthorized' | 'onSessionRefused'>;

/** Maximum time for which the questions of a server wait for its answer to a ping, in milliseconds. */
const ROUND_TRIP_MS = 1_000;

export class ConnectionLifetime {
  readonly link: ServerLink;
  readonly #target: ConnectionTarget;
  readonly #dependencies: ConnectionDependencies;
  readonly #observer: ConnectionObserver;
  #live: LiveObserver | undefined;
  #isLost = false;
  #isUnauthorized = false;

  constructor(
    target: ConnectionTarget,
    dependencies: ConnectionDependencies,
    observer: ConnectionObserver,
  ) {
    this.#target = target;
    this.#dependencies = dependencies;
    this.#observer = observer;
    this.link = createLink(target, dependencies, {
      incoming: new ServerMessages({
        isModern: () => this.link.interceptor.isModern,
        notify: (method, params) => this.#notify(method, params),
        roundTrip: () => this.#roundTrip(),
        onResourceUpdated: (params) => observer.onResourceUpdated?.(params),
        now: dependencies.now,
      }),
      onListChanged: () => observer.onListChanged(),
      onError: (error) => this.#logError(error),
      onClosed: () => {
        const { link } = this;
        const reason = link.reason() ?? 'the connection was closed';
        this.lose({ code: link.failureCode(), reason });
      },
      onUnauthorized: () => {
        // On a live connection it concerns one request.
        if (this.#live === undefined) this.#isUnauthorized = true;
        else this.#live.onUnauthorized();
      },
      onSessionGone: (reason) => this.lose({ code: 'other', reason }),
      onProgress: (line) => observer.onProgress?.(line),
      onUnreachable: () => this.#live?.onUnreachable(),
      onRequestsFail: () => this.#live?.onUnreachable(),
      onSessionRefused: (answer, how) =>
        this.#live?.onSessionRefused(answer, how) ?? Promise.resolve(false),
    });
  }

  get isUnauthorized(): boolean {
    return this.#isUnauthorized;
  }

  /** From this call on, the end of the transport is the loss of a connection. */
  goLive(live: LiveObserver): void {
    this.#live = live;
  }

  /** Reports the loss of a live connection, once. */
  lose({ reason, ...failure }: ConnectionFailure): void {
    if (this.#live === undefined || this.#isLost) return;
    this.#isLost = true;
    this.#observer.onLost({ ...failure, reason: this.#formatSafe(reason) });
  }

  endSession(reason: string): void {
    this.#observer.onSessionEnded?.(this.#formatSafe(reason));
  }

  #formatSafe(reason: string): string {
    return formatSafeLine(reason, listTargetSecrets(this.#target));
  }

  #logError(error: Error): void {
    const { name } = this.#target.server.metadata;
    const reason = this.#formatSafe(formatReason(error));
    const event = 'server.transport-error';
    this.#dependencies.log({ level: 'debug', server: name, event, reason });
  }

  /** The server may be gone; then there is nothing to notify. */
  #notify(method: string, params: Readonly<Record<string, unknown>>): void {
    const { interceptor } = this.link;
    interceptor.send({ jsonrpc: '2.0', method, params }).catch(() => undefined);
  }

  /** Resolves when the server has answered a ping, and what it sent before on another connection has been read. */
  async #roundTrip(): Promise<void> {
    const ping = { method: 'ping', params: {}, timeoutMs: ROUND_TRIP_MS };
    await this.link.interceptor.request(ping);
    await setImmediate();
  }
}

/** The credential of one user on a connection. `UserAuthority` is in a later folder, which this one must not import. */
export interface ConnectionAuthority extends HttpAuthority {
  /** Returns the values that no text may show. */
  listSecrets(): readonly string[];
}

export interface ConnectionTarget {
  readonly server: McpServer;
  readonly authority?: ConnectionAuthority | undefined;
}

export const listTargetSecrets = ({ server, authority }: ConnectionTarget): readonly string[] =>
  authority === undefined
    ? listSecrets(server)
    : [...listSecrets(server), ...authority.listSecrets()];

export interface ConnectionDependencies {
  readonly timeouts: DownstreamTimeouts;
  readonly health: HealthPolicy;
  readonly bounds: DownstreamBounds;
  readonly watchdog: Watchdog;
  readonly log: DownstreamLog;
  readonly clientFeatures?: ClientFeatures;
  /** Returns monotonic time in milliseconds, for durations. */
  readonly now: () => number;
  readonly baseDirectory?: string;
}

interface LinkObserver extends Omit<TransportObserver, 'closeReason'> {
  readonly onUnauthorized: () => void;
  /** The event stream of the connection has ended, and the session with it. */
  readonly onSessionGone: (reason: string) => void;
  readonly onProgress: (line: string) => void;
  readonly onUnreachable: () => void;
}

export interface ServerLink {
  readonly interceptor: InterceptingTransport;
  readonly reason: () => string | undefined;
  readonly failureCode: () => FailureCode;
  readonly unreachable: () => boolean;
  readonly missing: () => boolean;
  /** Ends the session, the transport and its sockets or processes, within a bound. */
  readonly close: () => Promise<void>;
}

interface RemoteWire {
  readonly wire: Wire;
  readonly close: (interceptor: InterceptingTransport, graceMs: number) => Promise<void>;
}

interface RemoteTarget extends Pick<HttpConnectionOptions, 'lookup'> {
  readonly spec: Pick<RemoteServerSpec, 'type' | 'url' | 'headers' | 'timeout'>;
  readonly authority: HttpAuthority | undefined;
}

export const createRemoteWire = (
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
const withRefusalObserver = (authority: HttpAuthority, observer: LinkObserver): HttpAuthority => ({
  authorization: () => authority.authorization(),
  renew: (refusal) => authority.renew(refusal),
  onRefused(refusal) {
    authority.onRefused(refusal);
    if (refusal.status === 401) observer.onUnauthorized();
  },
});

/** Returns the link to an HTTP server. With an authority its requests carry the credential of one user. @spec §2.6 url, headers */
const createRemoteLink = (
  { spec, authority }: RemoteTarget,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  let lastError: string | undefined;
  let failureCode: FailureCode = 'other';
  let missing = false;
  const target = { spec, authority: authority && withRefusalObserver(authority, observer) };
  const remote = createRemoteWire(target, dependencies.bounds, {
    onSessionGone: (reason) => observer.onSessionGone(reason),
    onUnauthorized: () => {
      if (authority === undefined) observer.onUnauthorized();
    },
    onNetworkError: (error) => {
      lastError = formatReason(error);
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
const createStdioLink = (
  server: McpServer,
  spec: StdioServerSpec,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  const { log, now, timeouts, bounds, watchdog, baseDirectory } = dependencies;
  const secrets = listSecrets(server);
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
      environment: createChildEnvironment(process.env, spec.env),
      directory: resolveChildDirectory(spec, baseDirectory),
      closeGraceMs: timeouts.closeGraceMs,
      startGraceMs: timeouts.startGraceMs,
    },
    watchdog,
    maxMessageBytes: bounds.maxMessageBytes,
    onStderr: (stderr, budget) => {
      // Later output may repeat arguments of callers.
      const onLine = (raw: string): void => {
        if (!transport.hasReceivedArguments) observer.onProgress(formatProgressLine(raw, secrets));
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
