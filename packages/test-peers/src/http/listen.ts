import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate } from './loopback-certificate.ts';

/** An HTTP server on the loopback address. */
export interface Listening {
  /** `http://127.0.0.1:<port>`, or the same with https. */
  readonly origin: string;
  readonly port: number;
  /** Ends all connections and closes the port. */
  readonly close: () => Promise<void>;
}

const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
};

/** How a server listens. */
export interface ListenOptions {
  /** 0 for any free one, which is the default. */
  readonly port?: number | undefined;
  /** Serves https with a certificate that this process trusts. */
  readonly tls?: boolean | undefined;
}

/** Listens on `127.0.0.1`. */
export const listen = async (
  handler: RequestListener,
  { port = 0, tls = false }: ListenOptions = {},
): Promise<Listening> => {
  // Thousands of people sign in at once on a busy machine: idle connections stay, so that no request meets one that closes.
  const options = { keepAliveTimeout: 0 };
  const server: Server = tls
    ? createTlsServer({ ...options, ...loopbackCertificate() }, handler)
    : createServer(options, handler);
  server.listen({ host: '127.0.0.1', port, backlog: 4096 });
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    port: address.port,
    close: () => closeServer(server),
  };
};
