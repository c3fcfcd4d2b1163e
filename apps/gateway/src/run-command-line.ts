import process from 'node:process';
import { createProcessIo, type CliIo, type ServingCommands } from '@gateway/gateway-cli';
import type * as Programs from './programs.ts';
import { validateToolsetText } from './toolset-problem.ts';

/** Runs a command line and returns its exit code. */
type Run = (args: readonly string[], io: CliIo, serving: ServingCommands) => Promise<number>;

/** Runs a command line and sets the exit code of the process. @param programs loads the serving programs on demand */
export const runCommandLine = async (
  args: readonly string[],
  run: Run,
  programs: () => typeof Programs,
): Promise<void> => {
  const failures: unknown[] = [];
  /** Records the failure of a serving command, whose open handles would keep the process alive. */
  const recordFailure = async <T>(serve: () => Promise<T>): Promise<T> => {
    try {
      return await serve();
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  process.exitCode = await run(args, createProcessIo(), {
    serve: (options) => recordFailure(() => programs().serve(options)),
    serveStdio: (options) => recordFailure(() => programs().serveStdio(options)),
    probeServers: (question) => Promise.resolve(programs().probeServers(question)),
    toolsetProblem: validateToolsetText,
    stateProblem: (config, place) => programs().validateStateStore(config, place),
  });
  // Exits after the error message is flushed.
  if (failures.length > 0) process.stderr.write('', () => process.exit());
};
