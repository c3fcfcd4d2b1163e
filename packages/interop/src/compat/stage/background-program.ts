import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import process from 'node:process';

const START_MS = 30_000;

/** A Node script that listens on a port. */
export interface BackgroundProgram {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
}

/** Starts a script and resolves when it listens, to a function that stops it. @throws when it does not listen */
export async function startBackground(program: BackgroundProgram): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, program.args, {
    // Servers for tests show their environment.
    env: { PATH: process.env['PATH'] ?? '', ...program.env },
    stdio: 'ignore',
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  };
  process.once('exit', () => child.kill('SIGKILL'));
  const end = Date.now() + START_MS;
  while (!(await listens(program.port))) {
    if (child.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error(`${program.args.join(' ')} does not listen on ${String(program.port)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return stop;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
