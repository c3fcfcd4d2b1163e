import type { CliIo } from './cli-io.ts';
import type { ServingCommands } from './command-context.ts';
import { withDefaultCommand } from './completion/default-command.ts';
import { createProgram } from './create-program.ts';
import { runCommandLine } from './run-command-line.ts';

/** Runs one command line. @returns its exit code */
export function runCli(
  args: readonly string[],
  io: CliIo,
  serving: ServingCommands,
): Promise<number> {
  const line = { args: withDefaultCommand(args), io, serving, createProgram };
  return runCommandLine(line, (words, other) => runCli(words, other, serving));
}
