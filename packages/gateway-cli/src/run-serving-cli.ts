import type { CliIo } from './cli-io.ts';
import type { ServingCommands } from './command-context.ts';
import { runCommandLine } from './run-command-line.ts';
import { createServingProgram } from './serving-program.ts';

/** Runs one command line of `gateway serve` or `gateway stdio` as `runCli` does, without loading the other commands. */
export function runServingCli(
  args: readonly string[],
  io: CliIo,
  serving: ServingCommands,
): Promise<number> {
  const line = { args, io, serving, createProgram: createServingProgram };
  return runCommandLine(line, (words, other) => runServingCli(words, other, serving));
}
