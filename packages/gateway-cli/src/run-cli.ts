import { EXIT_CODES, type CommandResult } from '@gateway/service-host';
import { CommanderError } from 'commander';
import type { CliIo } from './cli-io.ts';
import type { ServingCommands } from './command-context.ts';
import { withDefaultCommand } from './completion/default-command.ts';
import { createProgram } from './create-program.ts';
import { CommandFailure } from './failure.ts';

/** Runs one command line. @returns its exit code; `undefined` for a command that ends the process itself */
export async function runCli(
  args: readonly string[],
  io: CliIo,
  serving: ServingCommands,
): Promise<number | undefined> {
  let result: CommandResult | undefined;
  const end = (ended: CommandResult): void => {
    result = ended;
  };
  try {
    const run = (words: readonly string[], other: CliIo) => runCli(words, other, serving);
    await createProgram({ io, serving, run, end }).parseAsync(withDefaultCommand(args), {
      from: 'user',
    });
  } catch (error) {
    return EXIT_CODES[resultOf(error, io)];
  }
  return result === undefined ? undefined : EXIT_CODES[result];
}

function resultOf(error: unknown, { stderr }: CliIo): CommandResult {
  // Commander has written its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'succeeded' : 'refused';
  stderr.write(`gateway: ${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof CommandFailure ? error.ending : 'failed';
}
