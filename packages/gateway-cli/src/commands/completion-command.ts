import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import type { NamesArguments } from '../actions/read-names.ts';
import { NAME_KINDS, NAMES_COMMAND, type NameKind } from '../completion/completed-names.ts';
import { urlOption } from '../option-values.ts';
import { commandTree, type TreeCommand } from '../completion/command-tree.ts';
import { bashCompletion } from '../completion/bash-completion.ts';
import { fishCompletion } from '../completion/fish-completion.ts';
import { zshCompletion } from '../completion/zsh-completion.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

type Shell = keyof typeof SCRIPTS;

const SHELLS = ['bash', 'zsh', 'fish'] as const satisfies readonly Shell[];

/** Adds `gateway completion`. The script is generated from the tree of this program. */
export function addCompletionCommand(program: Command, { io, end }: CommandContext): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      const write: (tree: TreeCommand) => string = SCRIPTS[shell];
      io.stdout.write(write(commandTree(program)));
      end('succeeded');
    });
  addNamesCommand(program, { io, end });
}

/** Adds the command that the scripts run for names. */
function addNamesCommand(program: Command, { io, end }: Pick<CommandContext, 'io' | 'end'>): void {
  program
    .command(NAMES_COMMAND, { hidden: true })
    .addArgument(new Argument('<kind>').choices(NAME_KINDS))
    .argument('[owner]')
    .addOption(urlOption())
    .option('--config-dir <dir>')
    .action(async (kind: NameKind, owner: string | undefined, args: NamesArguments) => {
      const { printNames } = await import('../actions/print-names.ts');
      end(await printNames(kind, { ...args, ...(owner !== undefined && { owner }) }, io));
    });
}
