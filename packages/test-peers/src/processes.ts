import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

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
export const findFreePort = async (): Promise<number> => {
  const port = randomInt(FIRST, LAST);
  return (await isClaimed(port)) && (await isFree(port)) ? port : findFreePort();
};

export const findFreePorts = async (count: number): Promise<readonly number[]> => {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
};

/** Reads the process ids of the programs from its input, one list per line, and ends them when this process has ended. */
const GUARD = `while read -r line; do pids="$line"; done
[ -z "$pids" ] || kill -9 $pids
rm -rf -- "$0"`;

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Ends a program and waits for its end. @param graceMs the time to end by itself; it is killed at once without one */
export const stopProgram = async (child: ChildProcess, graceMs = 0): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = once(child, 'close');
  child.kill(graceMs > 0 ? 'SIGTERM' : 'SIGKILL');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(timer);
};

const START_MS = 30_000;
const POLL_MS = 25;

/** Resolves when `isReady` does to true. @throws when the program ends before, or is not ready within a time */
export const waitUntilReady = async (
  child: ChildProcess,
  isReady: () => Promise<boolean>,
  withinMs = START_MS,
): Promise<void> => {
  const end = performance.now() + withinMs;
  while (!(await isReady())) {
    if (hasEnded(child)) throw new Error(`${child.spawnfile} ended`);
    if (performance.now() > end) throw new Error(`${child.spawnfile} is not ready`);
    await delay(POLL_MS);
  }
};

export const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** Programs that write their logs to a folder. They end with this process, also when it is killed, and the folder is removed then. */
export class ChildPrograms {
  readonly #folder: string;
  readonly #children = new Set<ChildProcess>();
  readonly #guard: ChildProcess & { readonly stdin: NonNullable<ChildProcess['stdin']> };

  constructor(folder: string) {
    this.#folder = folder;
    this.#guard = spawn('/bin/sh', ['-c', GUARD, folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Not in the group of this process, which a terminal signals as a whole.
      detached: true,
    });
    this.#guard.stdin.on('error', () => undefined);
  }

  start(name: string, file: string, args: readonly string[]): ChildProcess {
    const log = openSync(this.#readLog(name), 'a');
    const child = spawn(file, args, { stdio: ['ignore', log, log] });
    closeSync(log);
    this.#children.add(child);
    child.once('error', () => this.#forget(child));
    child.once('exit', () => this.#forget(child));
    this.#tellGuard();
    return child;
  }

  readLog(name: string): string {
    return readFileSync(this.#readLog(name), 'utf8');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#children].map((child) => stopProgram(child)));
    const ended = once(this.#guard, 'exit');
    this.#guard.stdin.end();
    await ended;
  }

  #readLog(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  #forget(child: ChildProcess): void {
    this.#children.delete(child);
    this.#tellGuard();
  }

  #tellGuard(): void {
    const pids = [...this.#children].flatMap(({ pid }) => pid ?? []);
    this.#guard.stdin.write(`${pids.join(' ')}\n`);
  }
}
