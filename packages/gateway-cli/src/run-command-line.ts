import { EXIT_CODES, type CommandResult } from '@gateway/service-host';
import { CommanderError, type Command } from 'commander';
import type { CliIo } from './cli-io.ts';
import type { CommandContext, ServingCommands } from './command-context.ts';
import { CommandFailure } from './failure.ts';

/** A command line, and what runs its commands. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly io: CliIo;
  readonly serving: ServingCommands;
  readonly createProgram: (context: CommandContext) => Command;
}

/** Runs one command line. @returns its exit code */
export async function runCommandLine(
  line: CommandLine,
  run: CommandContext['run'],
): Promise<number> {
  const { args, io, serving, createProgram } = line;
  let result: CommandResult = 'succeeded';
  const end = (ended: CommandResult): void => {
    result = ended;
  };
  try {
    await createProgram({ io, serving, run, end }).parseAsync(args, { from: 'user' });
  } catch (error) {
    return EXIT_CODES[resultOf(error, io)];
  }
  return EXIT_CODES[result];
}

function resultOf(error: unknown, { stderr }: CliIo): CommandResult {
  // Commander has written its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'succeeded' : 'refused';
  stderr.write(`gateway: ${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof CommandFailure ? error.ending : 'failed';
}
