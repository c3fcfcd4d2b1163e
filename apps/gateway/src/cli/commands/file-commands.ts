import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { CONFIG_DIRECTORY, outputOption } from '../option-values.ts';

/** What `gateway validate` is given. */
export interface ValidateArguments {
  readonly configDir: string;
  readonly output: 'text' | 'json';
}

/** The commands that read files and need no running gateway. */
export function addFileCommands(program: Command, { io, end }: CommandContext): void {
  program
    .command('validate')
    .description('check every file of a configuration directory without serving')
    .requiredOption(...CONFIG_DIRECTORY)
    .addOption(outputOption())
    .action(async ({ configDir, output }: ValidateArguments) => {
      const { validate } = await import('../../validate.ts');
      end(await validate(configDir, { output, io }));
    });
}
