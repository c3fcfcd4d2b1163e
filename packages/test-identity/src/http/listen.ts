import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on the loopback address. */
export interface Listening {
  /** `http://127.0.0.1:<port>`. */
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

/** Listens on `127.0.0.1`. @param port 0 for any free one */
export const listen = async (handler: RequestListener, port = 0): Promise<Listening> => {
  // Thousands of people sign in at once on a busy machine: idle connections stay, so that no request meets one that closes.
  const server = createServer({ keepAliveTimeout: 0 }, handler);
  server.listen({ host: '127.0.0.1', port, backlog: 4096 });
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    close: () => closeServer(server),
  };
};
