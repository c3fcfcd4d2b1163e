import { EXIT_CODES, type CommandResult } from '@gateway/service-host';
import { CommanderError } from 'commander';
import type { CliIo } from './cli-io.ts';
import { createProgram, type AgentManagerProgram } from './create-program.ts';

/** Runs one command line and resolves with its exit code. */
export async function runCli(
  args: readonly string[],
  io: CliIo,
  program: AgentManagerProgram,
): Promise<number> {
  let result: CommandResult = 'succeeded';
  const end = (commandResult: CommandResult): void => {
    result = commandResult;
  };
  try {
    await createProgram({ ...program, io, end }).parseAsync(args, { from: 'user' });
    return EXIT_CODES[result];
  } catch (error) {
    return EXIT_CODES[resultOf(error, io)];
  }
}

function resultOf(error: unknown, { stderr }: CliIo): CommandResult {
  // Commander has printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'succeeded' : 'refused';
  stderr.write(`agent-manager: ${error instanceof Error ? error.message : String(error)}\n`);
  return 'failed';
}
