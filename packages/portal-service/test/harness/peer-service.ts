import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that a service received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A service behind the portal. */
export interface PeerService {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
}

/** Starts a service that records requests; without `answer` it answers with an empty JSON object. The end of the test stops it. */
export const startService = async (answer?: RequestListener): Promise<PeerService> => {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers });
    if (answer !== undefined) answer(request, response);
    else {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
};
