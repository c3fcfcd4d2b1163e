import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addAuthCommands } from './commands/auth-commands.ts';
import { addCatalogCommands } from './commands/catalog-commands.ts';
import { addCompletionCommand } from './commands/completion-command.ts';
import { addFileCommands } from './commands/file-commands.ts';
import { addOperatingCommands } from './commands/operating-commands.ts';
import { addSetupCommands } from './commands/setup-commands.ts';
import { addShellCommand } from './commands/shell-command.ts';
import { createServingProgram } from './serving-program.ts';

/**
 * Creates the tree of all commands. It loads only the tree. The code of a command is loaded when the command runs, so that help and
 * completion start fast.
 */
export function createProgram(context: CommandContext): Command {
  const program = createServingProgram(context);
  addFileCommands(program, context);
  addSetupCommands(program, context);
  addCatalogCommands(program, context);
  addOperatingCommands(program, context);
  addAuthCommands(program, context);
  addShellCommand(program, context);
  addCompletionCommand(program, context);
  return program;
}
