import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves on the loopback address until the test ends. Returns the origin. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Closes a peer at the end of the test. */
export const closing = async <T extends { close(): unknown }>(starting: Promise<T>): Promise<T> => {
  const peer = await starting;
  onTestFinished(async () => {
    await peer.close();
  });
  return peer;
};
