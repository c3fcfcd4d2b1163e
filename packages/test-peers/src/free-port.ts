import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections and to listeners on port 0, which other tests use at the same time. */
const FIRST = 10_000;
const LAST = 20_000;

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
};

/** Returns a port of 127.0.0.1 without a listener. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(FIRST, LAST);
  return (await isFree(port)) ? port : freePort();
};

/** Returns different ports of 127.0.0.1 without a listener. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
};
