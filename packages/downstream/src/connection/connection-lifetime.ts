import { setImmediate } from 'node:timers/promises';
import { ServerMessages } from '../requests/inbound/server-messages.ts';
import { reasonOf, sanitisedLine } from '../wire/reason.ts';
import { resolveSpec } from '../wire/referenced-values.ts';
import type { ConnectionFailure } from './connection-failure.ts';
import type { HealthReport } from './health-check.ts';
import {
  type ConnectionDependencies,
  type ConnectionTarget,
  type LinkObserver,
  remoteLink,
  secretsOfTarget,
  type ServerLink,
  stdioLink,
} from './server-link.ts';

/** Returns the transport of a server by its type. Remote servers do not use `env`. @spec §2.6 type */
const createLink = (
  { server, authority }: ConnectionTarget,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  const spec = resolveSpec(server);
  return spec.type === 'stdio'
    ? stdioLink(server, spec, dependencies, observer)
    : remoteLink({ spec, authority }, dependencies, observer);
};

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

  /** The server answered HTTP 401 before the connection was live. */
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
    this.#observer.onLost({ ...failure, reason: this.#shown(reason) });
  }

  endSession(reason: string): void {
    this.#observer.onSessionEnded?.(this.#shown(reason));
  }

  #shown(reason: string): string {
    return sanitisedLine(reason, secretsOfTarget(this.#target));
  }

  #logError(error: Error): void {
    const { name } = this.#target.server.metadata;
    const reason = this.#shown(reasonOf(error));
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
