import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Reports connections that close. One listener per connection serves all waiters on it, sequential on a kept-alive connection
 * and concurrent on a pipelined one.
 */
const waiting = new WeakMap<Socket, (() => void)[]>();

const watched = (socket: Socket): (() => void)[] => {
  const found = waiting.get(socket);
  if (found !== undefined) return found;
  const listeners: (() => void)[] = [];
  waiting.set(socket, listeners);
  socket.once('close', () => {
    for (const listener of [...listeners]) listener();
  });
  return listeners;
};

/** Calls the listener when the connection closes, until the returned function is called. */
export const whenClosed = (socket: Socket, listener: () => void): (() => void) => {
  const listeners = watched(socket);
  listeners.push(listener);
  return () => {
    const at = listeners.indexOf(listener);
    if (at >= 0) listeners.splice(at, 1);
  };
};

/**
 * Emits `close` on a pipelined response when the connection closes before its turn. Node assigns it no socket until then, and
 * nothing else would emit the event.
 */
export const closeWithConnection = (
  { socket }: IncomingMessage,
  response: ServerResponse,
): void => {
  if (response.socket !== null) return;
  const stop = whenClosed(socket, () => {
    if (response.socket !== null) return;
    response.destroy();
    response.emit('close');
  });
  response.once('close', stop);
};
