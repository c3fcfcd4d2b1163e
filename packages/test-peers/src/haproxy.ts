import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProgram, freePort, isListening, untilReady } from './processes.ts';
import { installedProgram } from './programs.ts';

/**
 * Returns the path of HAProxy.
 * @throws {PeerMissing} when this machine cannot have it
 */
export const haproxyProgram = (): Promise<string> => installedProgram(['haproxy']);

/** A running HAProxy. */
export interface TestHaproxy {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

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
  const port = await freePort();
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, configuration(port));
  // In the foreground: the process ends with this one.
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  await untilReady(child, () => isListening(port));
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    close: async () => {
      await endProgram(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
