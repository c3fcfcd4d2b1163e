import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections that have not sent a request yet. */
export interface SilentConnections {
  /** Called for every request. */
  readonly recordRequest: (request: IncomingMessage) => void;
  /** Closes those that are still silent. */
  readonly close: () => void;
}

/**
 * Follows the connections that have not sent a request yet, such as those that clients open ahead of need.
 * Node counts them as busy: its `closeIdleConnections` leaves them open.
 */
export const silentConnections = (server: Server): SilentConnections => {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  return {
    recordRequest: ({ socket }) => {
      if (silent.size > 0) silent.delete(socket);
    },
    close: () => {
      for (const socket of silent) socket.destroy();
    },
  };
};
