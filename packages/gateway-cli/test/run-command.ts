import { expect } from 'vitest';
import { createBufferedIo, runCli, type BufferedIoOptions } from '@gateway/gateway-cli';

/** The output of a command and its exit code. */
export interface CommandRun {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

type ServingPorts = Parameters<typeof runCli>[2];

const fail = () => Promise.resolve('failed' as const);

/** The ports of a program whose commands that serve fail. */
export const UNSERVED: ServingPorts = {
  serve: fail,
  serveStdio: fail,
  stateProblem: () => Promise.resolve(undefined),
  toolsetProblem: () => undefined,
  probeServers: () => Promise.reject(new Error('no command of this test')),
};

/** Runs a command in this process; commands that serve fail. */
export async function runCommand(
  args: readonly string[],
  options?: BufferedIoOptions,
  ports: Partial<ServingPorts> = {},
): Promise<CommandRun> {
  const io = createBufferedIo(options);
  const code = await runCli(args, io, { ...UNSERVED, ...ports });
  return { code, ...io.written };
}

/** A run that fails with this text. */
export const failure = (text: string, code = 2) => ({
  code,
  stderr: expect.stringContaining(text) as unknown,
});

/** A run that succeeds with this text. */
export const success = (text: string) => ({
  code: 0,
  stdout: expect.stringContaining(text) as unknown,
});
