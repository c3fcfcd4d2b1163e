import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Below the ports that systems give to outgoing connections and to listeners on port 0, which other tests use at the same time. */
const FIRST = 10_000;
const LAST = 20_000;

/** One file for each port that a process took a short time ago. */
const CLAIMS = join(tmpdir(), `test-ports-${userInfo().username}`);

/** A program listens within this time after its port was chosen. */
const CLAIM_MS = 120_000;

/** Claims a port, so that two processes do not choose it before the program of either listens. */
const isClaimed = async (port: number): Promise<boolean> => {
  const file = join(CLAIMS, String(port));
  await mkdir(CLAIMS, { recursive: true });
  try {
    await writeFile(file, '', { flag: 'wx' });
    return true;
  } catch {
    const claimed = await stat(file).catch(() => undefined);
    const isOld = claimed === undefined || Date.now() - claimed.mtimeMs > CLAIM_MS;
    if (isOld) await rm(file, { force: true });
    return isOld && isClaimed(port);
  }
};

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

/** Returns a port of 127.0.0.1 without a listener, which no other caller gets for two minutes. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(FIRST, LAST);
  return (await isClaimed(port)) && (await isFree(port)) ? port : freePort();
};

/** Returns different ports of 127.0.0.1 without a listener. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
};
