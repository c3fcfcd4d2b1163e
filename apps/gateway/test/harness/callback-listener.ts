import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

const serve = async (html: string): Promise<string> => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Starts the listener of a client on the loopback address, as native applications have one (RFC 8252 §7.3). @returns its redirect URL */
export const startCallbackListener = async (): Promise<string> =>
  `${await serve('You can close this window.')}/callback`;

/** Starts another site with one page. @returns its address */
export const startPageOf = async (html: string): Promise<string> =>
  (await serve(html)).replace('127.0.0.1', 'localhost');
