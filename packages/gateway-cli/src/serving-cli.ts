import { GATEWAY_VERSION } from '@gateway/gateway-config';
import { type CommandResult, EXIT_CODES } from '@gateway/service-host';
import { Command, CommanderError } from 'commander';
import type { CliIo } from './cli-io.ts';
import type { CommandContext, ServingCommands } from './command-context.ts';
import { declareCommands } from './commands/declare-commands.ts';
import { createServingCommands } from './commands/serving-commands.ts';
import { CommandFailure, createDamagedFileFailure } from './failure.ts';

/** A command line, and what runs its commands. */
interface CommandLine {
  readonly args: readonly string[];
  readonly io: CliIo;
  readonly serving: ServingCommands;
  readonly createProgram: (context: CommandContext) => Command;
}

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
    return EXIT_CODES[toResult(error, io)];
  }
  return EXIT_CODES[result];
}

function toResult(error: unknown, { stderr }: CliIo): CommandResult {
  // Commander has written its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'succeeded' : 'refused';
  // A part of the program is missing: the first file of the stack requires it.
  const [file] = (error as { requireStack?: readonly string[] } | undefined)?.requireStack ?? [];
  const failure = file === undefined ? error : createDamagedFileFailure(file, error);
  stderr.write(`gateway: ${failure instanceof Error ? failure.message : String(failure)}\n`);
  return failure instanceof CommandFailure ? failure.ending : 'failed';
}

/** Creates the tree of the commands that serve. It is the beginning of the whole tree, and the start of a gateway needs no more. */
export function createServingProgram(context: CommandContext): Command {
  const { stdout, stderr } = context.io;
  const program = new Command('gateway')
    .description(
      'Combines MCP servers into one endpoint. The header X-Gateway-Toolset limits a request to a part of the catalog.',
    )
    .version(GATEWAY_VERSION)
    // The option --version of a command is its own.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')
    .configureOutput({
      writeOut: (text) => {
        stdout.write(text);
      },
      writeErr: (text) => {
        stderr.write(text);
      },
    });
  declareCommands(program, context, createServingCommands(context));
  return program;
}

/** Runs one command line of `gateway serve` or `gateway stdio` as `runCli` does, without loading the other commands. */
export function runServingCli(
  args: readonly string[],
  io: CliIo,
  serving: ServingCommands,
): Promise<number> {
  const line = { args, io, serving, createProgram: createServingProgram };
  return runCommandLine(line, (words, other) => runServingCli(words, other, serving));
}
