import { SSEClientTransport, SseError } from '@modelcontextprotocol/client';
import type { FetchLike } from '@modelcontextprotocol/client';
import type { RemoteServerSpec } from '@gateway/crd-schemas';
import { authorizedFetch } from '../wire/http/authorized-fetch.ts';
import { createBoundedFetch } from '../wire/http/bounded-fetch.ts';
import type { HttpAuthority } from '../wire/http/http-authority.ts';
import { createHttpConnections } from '../wire/http/http-connections.ts';
import type { HttpObserver } from '../wire/http/http-connections.ts';
import { sdkErrorOf } from '../wire/http/http-failure.ts';
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

/** The definition of a server, and what authorizes the requests of a person's connection. */
interface RemoteTarget<Spec = WireSpec> {
  readonly spec: Spec;
  readonly authority: HttpAuthority | undefined;
}

/** Returns a `fetch` whose refused messages fail with the status, which the SDK reports as text only. */
const refusing =
  (fetch: FetchLike): FetchLike =>
  async (url, init) => {
    const answer = await fetch(url, init);
    if (init?.method !== 'POST' || answer.status < 400) return answer;
    const { status } = answer;
    throw sdkErrorOf({ kind: 'status', status, text: await answer.text(), redirect: undefined });
  };

const sseWire = (
  { spec, authority }: RemoteTarget,
  maxBytes: number,
  observer: HttpObserver,
): RemoteWire => {
  const http = createBoundedFetch({ maxBytes, connectTimeoutMs: spec.timeout * 1_000 }, observer);
  const transport = new SSEClientTransport(new URL(spec.url), {
    fetch: refusing(authority === undefined ? http.fetch : authorizedFetch(http.fetch, authority)),
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
  { spec, authority }: RemoteTarget,
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
    authority,
  });
  return {
    wire,
    close: async (interceptor, graceMs) => {
      await wire.endSession(graceMs);
      await interceptor.close();
      connections.close();
    },
  };
};

const wireOf = (
  target: RemoteTarget<RemoteServerSpec>,
  dependencies: ConnectionDependencies,
  observer: HttpObserver,
): RemoteWire => {
  switch (target.spec.type) {
    case 'sse':
      return sseWire(target, dependencies.bounds.maxMessageBytes, observer);
    case 'streamable-http':
      return httpWire(target, dependencies, observer);
  }
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
 * Returns the link to an HTTP server, with `spec.headers` and its own connections. With an authority its requests are those of one person.
 *
 * @spec §2.6 url, headers
 */
export const remoteLink = (
  { spec, authority }: RemoteTarget<RemoteServerSpec>,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  let lastError: string | undefined;
  let failureCode: FailureCode = 'other';
  let missing = false;
  const target = { spec, authority: authority && reporting(authority, observer) };
  const remote = wireOf(target, dependencies, {
    onStatus: (status) => {
      if (status === 401 && authority === undefined) observer.onUnauthorized();
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
    reason: () => interceptor.endReason ?? lastError,
    failureCode: () => failureCode,
    unreachable: () => lastError !== undefined,
    missing: () => missing,
    close: () => remote.close(interceptor, dependencies.timeouts.closeGraceMs),
  };
};
