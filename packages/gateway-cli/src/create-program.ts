import { Command } from 'commander';
import { GATEWAY_VERSION } from '@gateway/gateway-config';
import type { CommandContext } from './command-context.ts';
import { addAuthCommands } from './commands/auth-commands.ts';
import { addCatalogCommands } from './commands/catalog-commands.ts';
import { addCompletionCommand } from './commands/completion-command.ts';
import { addDoctorCommand } from './commands/doctor-command.ts';
import { addFileCommands } from './commands/file-commands.ts';
import { addOperatingCommands } from './commands/operating-commands.ts';
import { addSetupCommands } from './commands/setup-commands.ts';
import { addServingCommands } from './commands/serving-commands.ts';
import { addShellCommand } from './commands/shell-command.ts';

/**
 * Creates the tree of all commands. It loads only the tree. The code of a command is loaded when the command runs, so that help and
 * completion start fast.
 */
export function createProgram(context: CommandContext): Command {
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
  addServingCommands(program, context);
  addFileCommands(program, context);
  addDoctorCommand(program, context);
  addSetupCommands(program, context);
  addCatalogCommands(program, context);
  addOperatingCommands(program, context);
  addAuthCommands(program, context);
  addShellCommand(program, context);
  addCompletionCommand(program, context);
  return program;
}
