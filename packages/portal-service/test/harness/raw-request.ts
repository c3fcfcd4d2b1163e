import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes as they are and returns the whole response. The request must close its connection. */
export const rawRequest = async (address: string, text: string): Promise<string> => {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  await once(socket, 'close');
  return received;
};

/** Returns the text of a request without a body, whose connection closes after the response. */
export const requestText = (target: string, headers: readonly string[]): string =>
  [`GET ${target} HTTP/1.1`, ...headers, 'connection: close', '', ''].join('\r\n');
