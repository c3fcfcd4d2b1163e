import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../http/listen.ts';
import { haproxyProgram } from './haproxy-program.ts';

/** A running HAProxy. */
export interface TestHaproxy {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

const TRIES = 200;
const EVERY_MS = 50;

const accepts = async (port: number): Promise<boolean> => {
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

/**
 * Starts HAProxy on a free port of the loopback address.
 * @param configuration returns the configuration for the port that it must bind
 * @throws {PeerMissing} when this machine has none
 */
export const startHaproxy = async (
  configuration: (port: number) => string,
): Promise<TestHaproxy> => {
  const program = await haproxyProgram();
  const directory = await mkdtemp(join(tmpdir(), 'haproxy-'));
  const { port, close } = await listen(() => undefined);
  await close();
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, configuration(port));
  // In the foreground: the process ends with this one.
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  const exited = once(child, 'exit');
  for (let tries = 0; !(await accepts(port)); tries += 1) {
    if (tries >= TRIES || child.exitCode !== null) throw new Error('HAProxy does not listen');
    await delay(EVERY_MS);
  }
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    close: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
};
