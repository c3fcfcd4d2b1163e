import {
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { FetchLike } from '@modelcontextprotocol/client';
import type { RemoteServerSpec } from '@gateway/crd-schemas';
import { createBoundedFetch } from './bounded-fetch.ts';
import type { ConnectionWorld, LinkObserver, ServerLink } from './link.ts';
import { reasonOf } from './reason.ts';
import { SdkWire } from './sdk-wire.ts';
import { TapTransport } from './tap-transport.ts';

/* eslint-disable @typescript-eslint/no-deprecated -- `sse` is one of the three types that the resource offers */

/** The SDK gives up its event stream after two tries; here it goes on until the server proves to be gone. */
const STREAM_RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.MAX_SAFE_INTEGER,
};

const endSession = async (transport: HttpTransport, timeoutMs: number): Promise<void> => {
  if (!(transport instanceof StreamableHTTPClientTransport)) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
};

type HttpTransport = SSEClientTransport | StreamableHTTPClientTransport;

const transportOf = (spec: RemoteServerSpec, fetch: FetchLike): HttpTransport => {
  const url = new URL(spec.url);
  const options = { fetch, requestInit: { headers: { ...spec.headers } } };
  switch (spec.type) {
    case 'sse':
      return new SSEClientTransport(url, options);
    case 'streamable-http':
      return new StreamableHTTPClientTransport(url, {
        ...options,
        reconnectionOptions: STREAM_RECONNECTION,
      });
  }
};

const hasSession = (transport: HttpTransport): boolean =>
  transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined;

/** An HTTP server, reached with `spec.headers` and over connections of its own. @spec §2.6 url, headers */
export const remoteLink = (
  spec: RemoteServerSpec,
  world: ConnectionWorld,
  observer: LinkObserver,
): ServerLink => {
  let lastError: string | undefined;
  const http = createBoundedFetch(
    { maxBytes: world.bounds.maxMessageBytes, connectTimeoutMs: spec.timeout * 1_000 },
    {
      onStatus: (status, method) => {
        if (status === 401) observer.onUnauthorized();
        // Some servers answer 404 to the GET for an event stream that they do not have.
        if (status === 404 && method === 'POST' && hasSession(transport)) observer.onSessionGone();
      },
      onNetworkError: (error) => {
        lastError = reasonOf(error);
        observer.onUnreachable();
      },
    },
  );
  const transport = transportOf(spec, http.fetch);
  const tap = new TapTransport(new SdkWire(transport), {
    ...observer,
    onError: (error) => {
      // Its client opens a new session by itself, in which nobody has introduced themselves.
      if (error instanceof SseError) observer.onSessionGone();
      observer.onError(error);
    },
    closeReason: () => lastError ?? 'the connection was closed',
  });
  return {
    tap,
    reason: () => lastError,
    unreachable: () => lastError !== undefined,
    close: async () => {
      await endSession(transport, world.timeouts.closeGraceMs);
      await tap.close();
      await http.close();
    },
  };
};
