import type { Client } from '@modelcontextprotocol/client';
import type { Negotiated } from './client-session.ts';
import type { ConnectionObserver } from './connection-lifetime.ts';
import { ListeningWatch } from '../lists/listening-watch.ts';
import type { OutgoingRequest } from '../requests/outgoing-requests.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';
import { createSubscribingWatch } from '../lists/resource-watch.ts';
import type { ResourceWatch } from '../lists/resource-watch.ts';
import { createServerLogLevel } from '../requests/inbound/server-log-level.ts';
import type { InterceptingTransport } from '../requests/intercepting-transport.ts';

/** The part of a connection that differs by era. */
export interface ConnectionExtras {
  /** Sends one request. Never rejects and never sends it twice. */
  readonly request: (request: OutgoingRequest) => Promise<RequestOutcome>;
  /** Watches single resources. */
  readonly resources: ResourceWatch;
}

/** Maximum duration of a request besides the calls, in milliseconds. */
const AUXILIARY_REQUEST_MS = 10_000;

/** Returns the extras of a new connection. */
export const connectionExtras = (
  interceptor: InterceptingTransport,
  client: Client,
  { era, features }: Negotiated,
  observer: ConnectionObserver,
): ConnectionExtras => {
  const sendAuxiliary = (
    method: string,
    params: OutgoingRequest['params'],
  ): Promise<RequestOutcome> =>
    interceptor.request({ method, params, timeoutMs: AUXILIARY_REQUEST_MS });
  if (era === 'modern') {
    const reportUpdated = (uris: readonly string[]): void => {
      for (const uri of uris) observer.onResourceUpdated?.({ uri });
    };
    return {
      request: (request) => interceptor.request(request),
      resources: new ListeningWatch(client, reportUpdated),
    };
  }
  const resources = createSubscribingWatch(sendAuxiliary);
  if (!features.logging) return { request: (request) => interceptor.request(request), resources };
  const logLevel = createServerLogLevel((level) => sendAuxiliary('logging/setLevel', { level }));
  return {
    resources,
    request(request) {
      const raising = logLevel.raise(request.options?.caller?.logLevel);
      return raising === undefined
        ? interceptor.request(request)
        : raising.then(() => interceptor.request(request));
    },
  };
};
