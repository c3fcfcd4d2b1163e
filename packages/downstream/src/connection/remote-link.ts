import type { RemoteServerSpec } from '@gateway/crd-schemas';
import type { HttpAuthority } from '../wire/http/http-authority.ts';
import { HttpConnections } from '../wire/http/http-connections.ts';
import type { HttpConnectionOptions, HttpObserver } from '../wire/http/http-connections.ts';
import { HttpWire, SseWire } from '../wire/http/http-wire.ts';
import type { ConnectionDependencies, LinkObserver, ServerLink } from './server-link.ts';
import { isMissing, toFailureCode } from './connection-failure.ts';
import type { FailureCode } from './connection-failure.ts';
import type { DownstreamBounds } from '../wire/limits.ts';
import { reasonOf } from '../wire/reason.ts';
import { InterceptingTransport } from '../requests/intercepting-transport.ts';
import type { Wire } from '../wire/wire.ts';

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
