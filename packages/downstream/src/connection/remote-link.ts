import { SSEClientTransport, SseError } from '@modelcontextprotocol/client';
import type { RemoteServerSpec } from '@gateway/crd-schemas';
import { createBoundedFetch } from '../wire/http/bounded-fetch.ts';
import { createHttpConnections } from '../wire/http/http-connections.ts';
import type { HttpObserver } from '../wire/http/http-connections.ts';
import { HttpWire } from '../wire/http/http-wire.ts';
import type { ConnectionDependencies, LinkObserver, ServerLink } from './server-link.ts';
import { isMissing } from '../wire/error-codes.ts';
import type { FailureCode } from './connection-failure.ts';
import { failureCodeOf } from './failure-code.ts';
import { reasonOf } from '../wire/reason.ts';
import { SdkWire } from '../wire/http/sdk-wire.ts';
import { InterceptingTransport } from '../requests/intercepting-transport.ts';
import type { Wire } from '../wire/wire.ts';

/* eslint-disable @typescript-eslint/no-deprecated -- `sse` is one of the three types that the resource offers */

/** A wire with its HTTP connections. */
interface RemoteWire {
  readonly wire: Wire;
  /** Ends the session, the wire and its connections. Waits for the server within a bound. */
  readonly close: (interceptor: InterceptingTransport, graceMs: number) => Promise<void>;
}

type WireSpec = Pick<RemoteServerSpec, 'url' | 'headers' | 'timeout'>;

const sseWire = (spec: WireSpec, maxBytes: number, observer: HttpObserver): RemoteWire => {
  const http = createBoundedFetch({ maxBytes, connectTimeoutMs: spec.timeout * 1_000 }, observer);
  const transport = new SSEClientTransport(new URL(spec.url), {
    fetch: http.fetch,
    requestInit: { headers: { ...spec.headers } },
  });
  return {
    wire: new SdkWire(transport),
    close: async (interceptor) => {
      await interceptor.close();
      await http.close();
    },
  };
};

const httpWire = (
  spec: WireSpec,
  dependencies: ConnectionDependencies,
  observer: HttpObserver,
): RemoteWire => {
  const { maxMessageBytes, maxConnectionsPerServer } = dependencies.bounds;
  const connections = createHttpConnections(
    { connectTimeoutMs: spec.timeout * 1_000, maxConnections: maxConnectionsPerServer },
    observer,
  );
  const wire = new HttpWire({
    url: new URL(spec.url),
    headers: spec.headers,
    maxBytes: maxMessageBytes,
    connections,
  });
  return {
    wire,
    close: async (interceptor, graceMs) => {
      await wire.endSession(graceMs);
      await interceptor.close();
      await connections.close();
    },
  };
};

const wireOf = (
  spec: RemoteServerSpec,
  dependencies: ConnectionDependencies,
  observer: HttpObserver,
): RemoteWire => {
  switch (spec.type) {
    case 'sse':
      return sseWire(spec, dependencies.bounds.maxMessageBytes, observer);
    case 'streamable-http':
      return httpWire(spec, dependencies, observer);
  }
};

/** Returns the link to an HTTP server, with `spec.headers` and its own connections. @spec §2.6 url, headers */
export const remoteLink = (
  spec: RemoteServerSpec,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  let lastError: string | undefined;
  let failureCode: FailureCode = 'other';
  let missing = false;
  const remote = wireOf(spec, dependencies, {
    onStatus: (status, method) => {
      if (status === 401) observer.onUnauthorized();
      // Some servers answer 404 to the GET for an event stream that they do not support.
      if (status === 404 && method === 'POST' && remote.wire.sessionId !== undefined)
        observer.onSessionGone();
    },
    onNetworkError: (error) => {
      lastError = reasonOf(error);
      failureCode = failureCodeOf(error);
      missing = isMissing(error);
      observer.onUnreachable();
    },
  });
  const interceptor = new InterceptingTransport(remote.wire, {
    ...observer,
    onError: (error) => {
      // The SDK's client opens a new session by itself, without a handshake.
      if (error instanceof SseError) observer.onSessionGone();
      observer.onError(error);
    },
    closeReason: () => lastError ?? 'the connection was closed',
  });
  return {
    interceptor,
    reason: () => lastError,
    failureCode: () => failureCode,
    unreachable: () => lastError !== undefined,
    missing: () => missing,
    close: () => remote.close(interceptor, dependencies.timeouts.closeGraceMs),
  };
};
