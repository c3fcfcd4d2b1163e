import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Broker } from '../../../src/broker/create-broker.ts';

/** Returns a listener of an HTTP server that serves the endpoints of an authorization server. */
export const handleWith =
  ({ routes, prefixes }: Broker) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const prefix = Object.keys(prefixes).find((start) => path.startsWith(start));
    const handle = routes[path] ?? (prefix === undefined ? undefined : prefixes[prefix]);
    if (handle === undefined) response.writeHead(404).end();
    else handle(request, response);
  };
