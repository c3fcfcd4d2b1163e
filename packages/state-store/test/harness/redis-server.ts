import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A Redis server of the operating system on loopback. */
export interface RedisServer {
  readonly port: number;
  readonly url: URL;
  /** Kills the process; the port stays reserved for `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the process without an end of its connections. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const launch = async (args: readonly string[]): Promise<ChildProcess> => {
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child, 'spawn');
  for await (const line of createInterface(child.stdout)) {
    if (/ready to accept connections/i.test(line)) break;
  }
  child.stdout.resume();
  if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
  return child;
};

/** Starts `redis-server`, without files unless `options` say otherwise. */
export const startRedis = async (options: readonly string[] = []): Promise<RedisServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', ''];
  let child = await launch([...args, ...options]);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    port,
    url: new URL(`redis://127.0.0.1:${port}`),
    stop,
    start: async () => {
      child = await launch([...args, ...options]);
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    close: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
