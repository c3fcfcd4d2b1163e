import { createBufferedIo, runCli, type BufferedIoOptions } from '@gateway/gateway-cli';
import { validateToolsetText } from '../../src/toolset-problem.ts';

/** The output of a command and its exit code. */
export interface CommandRun {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

const noProblem = () => Promise.resolve(undefined);

/** Runs a command in this process; commands that serve fail. */
export async function runCommand(
  args: readonly string[],
  options?: BufferedIoOptions,
): Promise<CommandRun> {
  const io = createBufferedIo(options);
  const serving = () => Promise.resolve('failed' as const);
  const code = await runCli(args, io, {
    serve: serving,
    serveStdio: serving,
    stateProblem: noProblem,
    toolsetProblem: validateToolsetText,
    probeServers: () => Promise.reject(new Error('no command of this test')),
  });
  return { code, ...io.written };
}
