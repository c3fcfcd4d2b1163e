import { setImmediate } from 'node:timers/promises';
import { secretsOfTarget } from './server-link.ts';
import type {
  ConnectionDependencies,
  ConnectionTarget,
  LinkObserver,
  ServerLink,
} from './server-link.ts';
import { remoteLink } from './remote-link.ts';
import { headersOf, urlOf } from '../wire/referenced-values.ts';
import { stdioLink } from './stdio-link.ts';
import type { ChangedList } from '../requests/incoming-messages.ts';
import type { HealthReport } from './health-check.ts';
import { reasonOf, sanitisedLine } from '../wire/reason.ts';
import type { ConnectionFailure, FailureCode } from './connection-failure.ts';
import { createServerMessages } from '../requests/inbound/server-messages.ts';
import type { ServerMessagesDependencies } from '../requests/inbound/server-messages.ts';

/** Returns the transport of a server by its type. Remote servers do not use `env`. @spec §2.6 type */
const createLink = (
  { server, authority }: ConnectionTarget,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  const { spec } = server;
  return spec.type === 'stdio'
    ? stdioLink(server, spec, dependencies, observer)
    : remoteLink(
        {
          spec: { ...spec, url: urlOf(spec, server), headers: headersOf(spec, server) },
          authority,
        },
        dependencies,
        observer,
      );
};

/** Receives the events of a connection. */
export interface ConnectionObserver {
  readonly onListChanged: (list: ChangedList) => void;
  /** A subscribed resource changed. */
  readonly onResourceUpdated?: (params: Readonly<Record<string, unknown>>) => void;
  /** The health of the server changed. */
  readonly onHealth?: (health: HealthReport) => void;
  /** A child process wrote a line to stderr, before it received arguments of callers: one line without secrets. */
  readonly onProgress?: (line: string) => void;
  /** The server does not know the session, and the connection must be replaced. Called once per refused request or check. */
  readonly onSessionEnded?: (reason: string) => void;
  /** Called once, when the connection is lost. */
  readonly onLost: (failure: ConnectionFailure) => void;
}

const reportLost = (
  target: ConnectionTarget,
  observer: ConnectionObserver,
): ((failure: ConnectionFailure) => void) => {
  let isReported = false;
  return ({ reason, ...failure }) => {
    if (isReported) return;
    isReported = true;
    observer.onLost({ ...failure, reason: sanitisedLine(reason, secretsOfTarget(target)) });
  };
};

/** Receives the failures of a live connection that require a check. */
type LiveObserver = Pick<LinkObserver, 'onUnreachable' | 'onUnauthorized'> &
  Pick<Required<LinkObserver>, 'onSessionRefused'>;

/** The lifetime of one transport, from its start to its loss. */
export interface ConnectionLifetime {
  readonly link: ServerLink;
  /** Returns whether the server answered HTTP 401 before the connection was live. */
  readonly unauthorized: () => boolean;
  /** From this call on, the end of the transport is the loss of a connection. */
  readonly goLive: (live: LiveObserver) => void;
  readonly lost: (failure: ConnectionFailure) => void;
  /** The server does not know the session. */
  readonly sessionEnded: (reason: string) => void;
}

const logTransportError = (
  target: ConnectionTarget,
  dependencies: ConnectionDependencies,
  error: Error,
): void => {
  const { name } = target.server.metadata;
  const reason = sanitisedLine(reasonOf(error), secretsOfTarget(target));
  dependencies.log({ level: 'debug', server: name, event: 'server.transport-error', reason });
};

/** The server may be gone; then there is nothing to notify. */
const sendNotification = (
  { interceptor }: ServerLink,
  method: string,
  params: Readonly<Record<string, unknown>>,
): void => {
  interceptor.send({ jsonrpc: '2.0', method, params }).catch(() => undefined);
};

/** Maximum time for which the questions of a server wait for its answer to a ping, in milliseconds. */
const ROUND_TRIP_MS = 1_000;

/** Resolves when the server has answered a ping, and what it sent before on another connection has been read. */
const roundTrip = async ({ interceptor }: ServerLink): Promise<void> => {
  await interceptor.request({ method: 'ping', params: {}, timeoutMs: ROUND_TRIP_MS });
  await setImmediate();
};

const serverOf = (
  link: () => ServerLink,
): Pick<ServerMessagesDependencies, 'isModern' | 'notify' | 'roundTrip'> => ({
  isModern: () => link().interceptor.isModern,
  notify: (method, params) => sendNotification(link(), method, params),
  roundTrip: () => roundTrip(link()),
});

/** Returns the lifetime of a transport that is not started yet. */
export const createConnectionLifetime = (
  target: ConnectionTarget,
  dependencies: ConnectionDependencies,
  observer: ConnectionObserver,
): ConnectionLifetime => {
  const report = reportLost(target, observer);
  let live: LiveObserver | undefined;
  let unauthorized = false;
  const lost = (code: FailureCode, reason: string): void => {
    if (live !== undefined) report({ code, reason });
  };
  const link = createLink(target, dependencies, {
    incoming: createServerMessages({
      ...serverOf(() => link),
      onResourceUpdated: (params) => observer.onResourceUpdated?.(params),
      now: dependencies.now,
    }),
    onListChanged: (list) => observer.onListChanged(list),
    onError: (error) => logTransportError(target, dependencies, error),
    onClosed: () => lost(link.failureCode(), link.reason() ?? 'the connection was closed'),
    onUnauthorized: () => {
      // On a live connection it concerns one request.
      if (live === undefined) unauthorized = true;
      else live.onUnauthorized();
    },
    onSessionGone: (reason) => lost('other', reason),
    onProgress: (line) => observer.onProgress?.(line),
    onUnreachable: () => live?.onUnreachable(),
    onRequestsFail: () => live?.onUnreachable(),
    onSessionRefused: (answer, how) =>
      live?.onSessionRefused(answer, how) ?? Promise.resolve(false),
  });
  return {
    link,
    unauthorized: () => unauthorized,
    goLive: (observing) => {
      live = observing;
    },
    lost: (failure) => {
      if (live !== undefined) report(failure);
    },
    sessionEnded: (reason) =>
      observer.onSessionEnded?.(sanitisedLine(reason, secretsOfTarget(target))),
  };
};
