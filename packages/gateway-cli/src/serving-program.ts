import { Command } from 'commander';
import { GATEWAY_VERSION } from '@gateway/gateway-config';
import type { CommandContext } from './command-context.ts';
import { addServingCommands } from './commands/serving-commands.ts';

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
  addServingCommands(program, context);
  return program;
}
