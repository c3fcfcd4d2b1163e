import type { Command } from 'commander';
import type { CliIo } from './cli-io.ts';
import type { CommandContext, ServingCommands } from './command-context.ts';
import {
  createAuthCommands,
  createCatalogCommands,
  createOperatingCommands,
  createShellCommands,
} from './commands/client-commands.ts';
import { declareCommands } from './commands/declare-commands.ts';
import { createFileCommands } from './commands/file-commands.ts';
import { withDefaultCommand } from './completion/command-tree.ts';
import { createServingProgram, runCommandLine } from './serving-cli.ts';

/**
 * Creates the tree of all commands. It loads only the tree. The code of a command is loaded when the command runs, so that help and
 * completion start fast.
 */
export function createProgram(context: CommandContext): Command {
  const program = createServingProgram(context);
  declareCommands(program, context, [
    ...createFileCommands(context),
    ...createCatalogCommands(context),
    ...createOperatingCommands(context),
    ...createAuthCommands(context),
    ...createShellCommands(context, program),
  ]);
  return program;
}

export function runCli(
  args: readonly string[],
  io: CliIo,
  serving: ServingCommands,
): Promise<number> {
  const line = { args: withDefaultCommand(args), io, serving, createProgram };
  return runCommandLine(line, (words, other) => runCli(words, other, serving));
}
