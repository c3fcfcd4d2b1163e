import { CLIENT_IDS, type ClientId } from '@gateway/client-config';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import type { ExportArguments } from '../arguments/export-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import type { ImportArguments } from '../arguments/import-arguments.ts';
import {
  allowOption,
  CONFIG_DIRECTORY,
  START,
  toolsetOption,
  urlOption,
} from '../option-values.ts';

const MAX_NAME_CHARS = 64;

/** Parses the name of the gateway in a client: most clients put it into the names of tools. */
const clientEntryName = (text: string): string => {
  if (text.length > MAX_NAME_CHARS || !/^[A-Za-z0-9_-]+$/u.test(text))
    throw new InvalidArgumentError('It must be 1 to 64 letters, digits, "-" and "_".');
  return text;
};

/** Adds the commands that connect clients to the gateway and bring in their servers. */
export function addSetupCommands(program: Command, context: CommandContext): void {
  addInitCommand(program, context);
  addImportCommand(program, context);
  addExportCommand(program, context);
}

function addInitCommand(program: Command, { io, end }: CommandContext): void {
  program
    .command('init')
    .description('create a configuration directory with one example')
    .argument('[dir]', 'the directory (default: this directory)')
    .action(async (directory: string | undefined) => {
      const { initDirectory } = await import('../actions/init-directory.ts');
      end(await initDirectory(directory ?? '.', io));
    });
}

/** Parses `--rename`: `OLD=NEW`, more than once. */
const addRename = (text: string, before?: ReadonlyMap<string, string>) => {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError('It must be OLD=NEW, with the name in the source first.');
  return new Map([...(before ?? []), [text.slice(0, at), text.slice(at + 1)]]);
};

function addImportCommand(program: Command, { io, end }: CommandContext): void {
  program
    .command('import')
    .description('import servers from the configuration of a client')
    .argument('[source]', `a file, - for standard input, or a client: ${CLIENT_IDS.join(', ')}`)
    .requiredOption(...CONFIG_DIRECTORY)
    .option(
      '--project <dir>',
      'the project whose servers are imported too (default: this directory, for clients)',
    )
    .option('--only <names...>', 'import only the servers of these names')
    .option('--rename <old=new>', 'import a server under another name; repeatable', addRename)
    .addOption(allowOption())
    .option(...START)
    .option('--replace', 'change servers and secrets that the directory has already')
    .option('--write', 'write the files; without it the command shows what it would write')
    .action(async (source: string | undefined, args: Omit<ImportArguments, 'source'>) => {
      const { importServers } = await import('../actions/import-servers.ts');
      end(await importServers({ ...args, ...(source !== undefined && { source }) }, io));
    });
}

function addExportCommand(program: Command, { io, serving, end }: CommandContext): void {
  program
    .command('export')
    .description('print or install the configuration by which a client reaches the gateway')
    .addArgument(new Argument('<client>', 'the client').choices(CLIENT_IDS))
    .addOption(urlOption())
    .option('--stdio', 'let the client start a program that connects to the URL')
    .option(
      '--config-dir <dir>',
      'let the client start a gateway of its own with this configuration directory',
    )
    .addOption(toolsetOption())
    .addOption(
      new Option('--name <name>', 'the name of the gateway in the client')
        .argParser(clientEntryName)
        .default('gateway'),
    )
    .option('--command <words>', 'the program that clients start (default: this program)')
    .option('--project <dir>', "the client's file of a project instead of the person's")
    .option('--file <path>', "the client's file, when it is in another place")
    .option('--write', 'add it to the file of the client; everything else in the file stays')
    .option('--replace', 'replace an entry of this name that is another server')
    .action(async (client: ClientId, args: Omit<ExportArguments, 'client'>) => {
      const { exportConfig } = await import('../actions/export-config.ts');
      end(await exportConfig({ client, ...args }, { io, toolsetProblem: serving.toolsetProblem }));
    });
}
