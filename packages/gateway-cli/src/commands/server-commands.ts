import { escapeToLine } from '@gateway/service-host';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { InstallArguments, SearchArguments } from '../actions/registry.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandFailure } from '../failure.ts';
import { INSTALL_KINDS } from '../server-registry/install-problem.ts';
import type { RemoveArguments, ServerFileArguments } from '../setup/server-edits.ts';
import { allowOption, CONFIG_DIRECTORY, outputOption, START } from './option-values.ts';

type Pairs = ReadonlyMap<string, string>;

/** Returns a parser of an option that is repeatable: a name, one of the separators, a value. */
const pairs =
  (separator: RegExp, form: string) =>
  (text: string, before?: Pairs): Pairs => {
    const at = text.search(separator);
    if (at < 1) throw new InvalidArgumentError(`It must be ${form}.`);
    const value = text.slice(at + 1);
    return new Map([
      ...(before ?? []),
      // White space around the value of a header has no meaning.
      [text.slice(0, at).trim(), text[at] === ':' ? value.trim() : value],
    ]);
  };

/** The names that Kubernetes permits too. A program can have other variables, which only the file can set. */
const VARIABLE_NAME = /^[-._A-Za-z][-._A-Za-z0-9]*$/u;

/** Parses `--env`. The message has no value, which may be a secret. */
const variablePairs = (text: string, before?: Pairs): Pairs => {
  const variables = pairs(/=/u, 'NAME=VALUE')(text, before);
  const wrong = [...variables.keys()].find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined)
    throw new CommandFailure(
      'refused',
      `--env: "${escapeToLine(wrong)}" is not the name of a variable; the form is NAME=VALUE, and NAME has letters, digits, "_", "-" and ".", and begins with no digit`,
    );
  return variables;
};

const addServerOptions = (command: Command): Command =>
  command
    .requiredOption(...CONFIG_DIRECTORY)
    .option('--url <url>', 'the endpoint of a remote server')
    .addOption(
      new Option('--type <type>', 'the transport (default: from the command or the URL)').choices([
        'stdio',
        'streamable-http',
        'sse',
      ]),
    )
    .option('--env <name=value>', 'a variable of the program; repeatable', variablePairs)
    .option(
      '--header <name=value>',
      'a header of the requests; repeatable',
      pairs(/[=:]/u, 'NAME=VALUE or "NAME: VALUE"'),
    )
    .option('--cwd <path>', 'the working directory of the program')
    .option('--description <text>', 'the purpose of the server')
    .option('--no-start', 'do not start it with the gateway');

/** Adds the commands that write the files of servers below `gateway servers`. */
export function addServerFileCommands(servers: Command, { io, end }: CommandContext): void {
  addServerOptions(servers.command('add <name> [command...]'))
    .description('write the file of a server: a program after --, or --url')
    .action(async (name: string, command: readonly string[], args: ServerFileArguments) => {
      const { addServer } = await import('../actions/server-files.ts');
      end(await addServer({ name, command, args }, io));
    });
  addServerOptions(servers.command('edit <name> [command...]'))
    .description('change the file of a server, by options or in the editor')
    .action(async (name: string, command: readonly string[], args: ServerFileArguments) => {
      const { editServer } = await import('../actions/server-files.ts');
      end(await editServer({ name, command, args }, io));
    });
  servers
    .command('remove <name>')
    .description('delete the file of a server')
    .requiredOption(...CONFIG_DIRECTORY)
    .option('--delete-secrets', 'also delete its secrets that no other file uses')
    .action(async (name: string, args: RemoveArguments) => {
      const { removeServer } = await import('../actions/server-files.ts');
      end(await removeServer(name, args, io));
    });
}

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
      const { searchRegistry } = await import('../actions/registry.ts');
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
      const { installServer } = await import('../actions/registry.ts');
      end(await installServer({ ...args, ...(name !== undefined && { name }) }, io));
    });
}
