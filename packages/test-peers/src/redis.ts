import { installedProgram } from './programs.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProgram, freePort } from './processes.ts';

/** Debian's package `redis-tools` contains the server under this name, without a service that starts by itself. */
const SERVER_OF_TOOLS = 'redis-check-rdb';

/**
 * Returns the path of a Redis or Valkey server.
 * @throws {PeerMissing} when this machine cannot have it
 */
export const redisProgram = (): Promise<string> =>
  installedProgram(['redis-server', 'valkey-server', SERVER_OF_TOOLS], 'redis-tools');

/** A running Redis server. */
export interface TestRedis {
  readonly port: number;
  readonly url: URL;
  /** Kills the process. */
  readonly stop: () => Promise<void>;
  /** Starts it again on the same port. */
  readonly start: () => Promise<void>;
  /** Stops the process without ending its connections. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => Promise<void>;
}

const launch = async (args: readonly string[]): Promise<ChildProcess> => {
  const argv0 = 'redis-server';
  const child = spawn(await redisProgram(), args, { argv0, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child, 'spawn');
  for await (const line of createInterface(child.stdout))
    if (/ready to accept connections/i.test(line)) break;
  if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
  child.stdout.resume();
  return child;
};

/**
 * Starts a Redis or Valkey server on the loopback address that writes no files unless `options` say otherwise.
 * @param options of its command line, such as `['--requirepass', 'secret']`
 * @throws {PeerMissing} when this machine has none
 */
export const startRedis = async (options: readonly string[] = []): Promise<TestRedis> => {
  const directory = await mkdtemp(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const fixed = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', ''];
  const start = (): Promise<ChildProcess> => launch([...fixed, ...options]);
  let child = await start();
  return {
    port,
    url: new URL(`redis://127.0.0.1:${port}`),
    stop: () => endProgram(child),
    start: async () => {
      child = await start();
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    close: async () => {
      await endProgram(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
