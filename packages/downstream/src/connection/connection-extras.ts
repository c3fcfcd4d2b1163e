import type { Client } from '@modelcontextprotocol/client';
import type { Negotiated } from './client-session.ts';
import type { ConnectionObserver } from './connection-lifetime.ts';
import { ListeningWatch } from '../lists/listening-watch.ts';
import type { TapRequest } from '../requests/outgoing-requests.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';
import { subscribingWatch } from '../lists/resource-watch.ts';
import type { ResourceWatch } from '../lists/resource-watch.ts';
import { createServerLogLevel } from '../requests/inbound/server-log-level.ts';
import type { TapTransport } from '../requests/intercepting-transport.ts';

/** What a connection offers beside its lists, in the way of the server's era. */
export interface ConnectionExtras {
  /** Sends one request. Never rejects, never asks twice. */
  request(request: TapRequest): Promise<RequestOutcome>;
  /** Makes the server announce changes of single resources. */
  readonly resources: ResourceWatch;
}

/** Bound of what is asked beside the calls, in milliseconds. */
const ASIDE_MS = 10_000;

/** The extras of a connection that has just been made. */
export const connectionExtras = (
  tap: TapTransport,
  client: Client,
  { era, features }: Negotiated,
  observer: ConnectionObserver,
): ConnectionExtras => {
  const aside = (method: string, params: TapRequest['params']): Promise<RequestOutcome> =>
    tap.request({ method, params, timeoutMs: ASIDE_MS });
  if (era === 'modern') {
    const tellAll = (uris: readonly string[]): void => {
      for (const uri of uris) observer.onResourceUpdated?.({ uri });
    };
    return {
      request: (request) => tap.request(request),
      resources: new ListeningWatch(client, tellAll),
    };
  }
  const resources = subscribingWatch(aside);
  if (!features.logging) return { request: (request) => tap.request(request), resources };
  const logLevel = createServerLogLevel((level) => aside('logging/setLevel', { level }));
  return {
    resources,
    request(request) {
      const raising = logLevel.raise(request.options?.caller?.logLevel);
      return raising === undefined
        ? tap.request(request)
        : raising.then(() => tap.request(request));
    },
  };
};
