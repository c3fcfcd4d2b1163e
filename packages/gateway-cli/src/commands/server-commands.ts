import { escapeToLine } from '@gateway/service-host';
import type { Option } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { INSTALL_KINDS } from '../server-registry/install-problem.ts';
import {
  createActionLoader,
  allowOption,
  type CommandDeclaration,
  createOutputOption,
  createMandatoryConfigDir,
  startOption,
  writeOption,
  createOption,
} from './declare-commands.ts';

type Pairs = ReadonlyMap<string, string>;

/** Returns a parser of an option that is repeatable: a name, one of the separators, a value. */
const createPairParser =
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
const parseVariable = (text: string, before?: Pairs): Pairs => {
  const variables = createPairParser(/=/u, 'NAME=VALUE')(text, before);
  const wrong = [...variables.keys()].find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined)
    throw new CommandFailure(
      'refused',
      `--env: "${escapeToLine(wrong)}" is not the name of a variable; the form is NAME=VALUE, and NAME has letters, digits, "_", "-" and ".", and begins with no digit`,
    );
  return variables;
};

const createFileOptions = (): readonly (Option | string)[] => [
  createMandatoryConfigDir(),
  '--url <url>  the endpoint of a remote server',
  createOption('--type <type>  the transport (default: from the command or the URL)').choices([
    'stdio',
    'streamable-http',
    'sse',
  ]),
  createOption('--env <name=value>  a variable of the program; repeatable').argParser(
    parseVariable,
  ),
  createOption('--header <name=value>  a header of the requests; repeatable').argParser(
    createPairParser(/[=:]/u, 'NAME=VALUE or "NAME: VALUE"'),
  ),
  '--cwd <path>  the working directory of the program',
  '--description <text>  the purpose of the server',
  '--no-start  do not start it with the gateway',
];

type Values = ReadonlyMap<string, readonly string[]>;

const addValue = (text: string, before?: Values): Values => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  const name = text.slice(0, at).replace(/^-+/u, '');
  return new Map([...(before ?? []), [name, [...(before?.get(name) ?? []), text.slice(at + 1)]]]);
};

const createRegistryOption = (): Option =>
  createOption(
    '--registry <place>  a server.json, a list of servers, a URL of one, or the URL of a registry; repeatable (default: servers.registries of config.yaml)',
  ).argParser((text: string, before?: readonly string[]) => [...(before ?? []), text]);

const loadFiles = () => import('../actions/server-files.ts');
const loadRegistry = () => import('../actions/registry.ts');

/** The commands below `gateway servers` that find servers of registries and write the files of servers. */
export const createServerCommands = (io: CliIo): readonly CommandDeclaration[] => {
  const action = createActionLoader(io);
  return [
    {
      usage: 'search [words...]  search registries for servers',
      options: [
        createRegistryOption(),
        '--config-dir <dir>  directory whose config.yaml names registries',
        createOutputOption(),
      ],
      run: action(loadRegistry, ({ searchRegistry }) => searchRegistry),
    },
    {
      usage: 'install [name]  install a server of a registry in a configuration directory',
      options: [
        createMandatoryConfigDir(),
        createRegistryOption(),
        '--version <version>  install this version (default: the latest)',
        '--as <name>  its name in the catalog (default: the last part of its name)',
        createOption('--use <kind>  the package or remote to use (default: the first)').choices(
          INSTALL_KINDS,
        ),
        createOption('--set <name=value>  a value that the server needs; repeatable').argParser(
          addValue,
        ),
        createOption('--set-file <name=path>  a file with such a value; repeatable').argParser(
          addValue,
        ),
        allowOption(),
        startOption(),
        '--replace  change a server that the directory has already',
        writeOption(),
      ],
      run: action(loadRegistry, ({ installServer }) => installServer),
    },
    {
      usage: 'add <name> [command...]  write the file of a server: a program after --, or --url',
      options: createFileOptions(),
      run: action(loadFiles, ({ addServer }) => addServer),
    },
    {
      usage: 'edit <name> [command...]  change the file of a server, by options or in the editor',
      names: { first: 'files' },
      options: createFileOptions(),
      run: action(loadFiles, ({ editServer }) => editServer),
    },
    {
      usage: 'remove <name>  delete the file of a server',
      names: { first: 'files' },
      options: [createMandatoryConfigDir()],
      run: action(loadFiles, ({ removeServer }) => removeServer),
    },
  ];
};
