import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Follows the connections that have not sent a request yet, such as those that clients open ahead of need.
 * Node counts them as busy: its `closeIdleConnections` leaves them open.
 *
 * @returns the way to close those that are still silent
 */
export const silentConnections = (server: Server): (() => void) => {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => {
    if (silent.size > 0) silent.delete(socket);
  });
  return () => {
    for (const socket of silent) socket.destroy();
  };
};
