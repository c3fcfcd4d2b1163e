import { InvalidArgumentError, Option, type Command } from 'commander';
import { escapeToLine } from '@gateway/service-host';
import type { RemoveArguments, ServerFileArguments } from '../arguments/server-file-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandFailure } from '../failure.ts';
import { CONFIG_DIRECTORY } from '../option-values.ts';

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
