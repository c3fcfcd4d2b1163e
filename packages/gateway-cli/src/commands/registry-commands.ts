import { INSTALL_KINDS } from '../server-registry/problems/install-kind.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { InstallArguments, SearchArguments } from '../arguments/registry-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import { allowOption, CONFIG_DIRECTORY, outputOption, START } from '../option-values.ts';

type Values = ReadonlyMap<string, readonly string[]>;

/** Parses `NAME=VALUE`, more than once. */
const addValue = (text: string, before?: Values): Values => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  const name = text.slice(0, at).replace(/^-+/u, '');
  return new Map([...(before ?? []), [name, [...(before?.get(name) ?? []), text.slice(at + 1)]]]);
};

const addText = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

const registryOption = (): Option =>
  new Option(
    '--registry <place>',
    'a server.json, a list of servers, a URL of one, or the URL of a registry; repeatable (default: servers.registries of config.yaml)',
  ).argParser(addText);

/** Adds the commands that find and install servers of registries. */
export function addRegistryCommands(servers: Command, { io, end }: CommandContext): void {
  servers
    .command('search [words...]')
    .description('search registries for servers')
    .addOption(registryOption())
    .option('--config-dir <dir>', 'directory whose config.yaml names registries')
    .addOption(outputOption())
    .action(async (words: readonly string[], args: Omit<SearchArguments, 'words'>) => {
      const { searchRegistry } = await import('../actions/search-registry.ts');
      end(await searchRegistry({ ...args, words }, io));
    });
  servers
    .command('install [name]')
    .description('install a server of a registry in a configuration directory')
    .requiredOption(...CONFIG_DIRECTORY)
    .addOption(registryOption())
    .option('--version <version>', 'install this version (default: the latest)')
    .option('--as <name>', 'its name in the catalog (default: the last part of its name)')
    .addOption(
      new Option('--use <kind>', 'the package or remote to use (default: the first)').choices(
        INSTALL_KINDS,
      ),
    )
    .option('--set <name=value>', 'a value that the server needs; repeatable', addValue)
    .option('--set-file <name=path>', 'a file with such a value; repeatable', addValue)
    .addOption(allowOption())
    .option(...START)
    .option('--replace', 'change a server that the directory has already')
    .option('--write', 'write the files; without it the command shows what it would write')
    .action(async (name: string | undefined, args: Omit<InstallArguments, 'name'>) => {
      const { installServer } = await import('../actions/install-server.ts');
      end(await installServer({ ...args, ...(name !== undefined && { name }) }, io));
    });
}
