import type { Command } from 'commander';
import type { ShellArguments } from '../arguments/shell-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import { commandTree } from '../completion/command-tree.ts';
import { toolsetOption, urlOption } from '../option-values.ts';

/** Adds `gateway shell`. */
export function addShellCommand(program: Command, { io, run, end }: CommandContext): void {
  const shell = program
    .command('shell')
    .description('read commands line by line and run them in one session to the gateway')
    .addOption(urlOption())
    .addOption(toolsetOption())
    .option('--fail-fast', 'without a terminal: stop after the first command that fails');
  shell.action(async (args: ShellArguments) => {
    const { runShell } = await import('../actions/shell.ts');
    end(await runShell(args, { io, run, tree: commandTree(program) }));
  });
}
