import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.ts';
import { redisProgram } from './redis-program.ts';

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

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
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
    stop: () => end(child),
    start: async () => {
      child = await start();
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    close: async () => {
      await end(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
