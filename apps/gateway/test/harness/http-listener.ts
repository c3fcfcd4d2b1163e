import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { atEnd } from './lifetime.ts';

/** Answers a request, whose body was read. */
export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/**
 * Answers requests on a free port of the loopback address until the end.
 *
 * @param certificate of a server over https
 * @returns the origin
 */
export async function listenHttp(
  answer: Answer,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<string> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    void text(request).then((body) => answer(request, response, body));
  };
  const server =
    certificate === undefined ? createServer(handle) : createTlsServer(certificate, handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const scheme = certificate === undefined ? 'http' : 'https';
  return `${scheme}://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Sends a value as JSON. */
export const sendJson = (
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};
