import { CLIENT_IDS, type ClientId } from '@gateway/client-config';
import { DEFAULT_API_GROUP } from '@gateway/crd-schemas';
import type { Option } from 'commander';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { DoctorArguments, DoctorCommand } from '../actions/doctor.ts';
import type { ExportArguments } from '../actions/export-config.ts';
import type { CommandContext } from '../command-context.ts';
import {
  createActionLoader,
  allowOption,
  type CommandDeclaration,
  createOutputOption,
  createMandatoryConfigDir,
  startOption,
  createToolsetOption,
  createUrlOption,
  writeOption,
  createOption,
} from './declare-commands.ts';

const MAX_GROUP_CHARS = 253;

function parseApiGroup(text: string): string {
  const part = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  if (text.length > MAX_GROUP_CHARS || !new RegExp(`^${part}(?:\\.${part})+$`, 'u').test(text))
    throw new InvalidArgumentError('It must be a DNS name such as gateway.example.com.');
  return text;
}

const createApiGroupOption = (): Option =>
  createOption('--api-group <group>  the API group of the resources')
    .env('GATEWAY_API_GROUP')
    .argParser(parseApiGroup)
    .default(DEFAULT_API_GROUP);

const MAX_NAME_CHARS = 64;

/** Parses the name of the gateway in a client: most clients put it into the names of tools. */
const parseEntryName = (text: string): string => {
  if (text.length > MAX_NAME_CHARS || !/^[A-Za-z0-9_-]+$/u.test(text))
    throw new InvalidArgumentError('It must be 1 to 64 letters, digits, "-" and "_".');
  return text;
};

/** Parses `--rename`: `OLD=NEW`, more than once. */
const addRename = (text: string, before?: ReadonlyMap<string, string>) => {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError('It must be OLD=NEW, with the name in the source first.');
  return new Map([...(before ?? []), [text.slice(0, at), text.slice(at + 1)]]);
};

const declareDoctorCommands = ({ io, serving }: CommandContext): readonly CommandDeclaration[] => {
  const declare = (
    command: DoctorCommand,
    description: string,
    more: readonly (Option | string)[] = [],
  ): CommandDeclaration => ({
    usage: `${command}  ${description}`,
    options: [createMandatoryConfigDir(), createOutputOption(), ...more],
    run: async (args: DoctorArguments, self: Command) => {
      const { runDoctor } = await import('../actions/doctor.ts');
      const hasUrlOption = self.getOptionValueSource('url') === 'cli';
      return runDoctor(command, { ...args, hasUrlOption }, { io, serving });
    },
  });
  const installation = () => [
    '--kubernetes  check servers and workflows of a cluster instead of files',
    createOption(
      '--url <url>  the endpoint of the running gateway (default: the port of config.yaml on this machine)',
    ).env('GATEWAY_URL'),
  ];
  return [
    declare('validate', 'check every file of a configuration directory: the first part of doctor'),
    declare(
      'diagnose',
      'check files, the running gateway and the cluster; starts nothing',
      installation(),
    ),
    declare(
      'doctor',
      'check everything: Node, files, ports, the running gateway, the cluster, and the servers, which it starts once and ends',
      [
        '--all  also start servers with autoStart: false, and send them their secrets',
        ...installation(),
      ],
    ),
  ];
};

const loadSchemas = () => import('../actions/print-schemas.ts');

export const createFileCommands = (context: CommandContext): readonly CommandDeclaration[] => {
  const { io, serving } = context;
  const action = createActionLoader(io);
  return [
    ...declareDoctorCommands(context),
    {
      usage: 'crds  print the CustomResourceDefinitions, for kubectl apply -f -',
      operands: [
        new Argument('[kind]', 'of this kind').choices([
          'mcpserver',
          'workflow',
          'workflowexecution',
        ]),
      ],
      options: [createApiGroupOption(), createOutputOption()],
      run: action(loadSchemas, ({ printCrds }) => printCrds),
    },
    {
      usage: 'schema  print the JSON Schema of a resource, or of config.yaml, for editors',
      operands: [
        new Argument('<kind>', 'of this kind').choices(['mcpserver', 'workflow', 'config']),
      ],
      options: [createApiGroupOption()],
      run: action(loadSchemas, ({ printSchema }) => printSchema),
    },
    {
      usage: 'init  create a configuration directory with one example',
      operands: [new Argument('[dir]', 'the directory (default: this directory)')],
      run: async (directory = '.') =>
        (await import('../actions/init-directory.ts')).initDirectory(directory, io),
    },
    {
      usage: 'import  import servers from the configuration of a client',
      operands: [
        new Argument(
          '[source]',
          `a file, - for standard input, or a client: ${CLIENT_IDS.join(', ')}`,
        ),
      ],
      options: [
        createMandatoryConfigDir(),
        '--project <dir>  the project whose servers are imported too (default: this directory, for clients)',
        '--only <names...>  import only the servers of these names',
        createOption(
          '--rename <old=new>  import a server under another name; repeatable',
        ).argParser(addRename),
        allowOption(),
        startOption(),
        '--replace  change servers and secrets that the directory has already',
        writeOption(),
      ],
      run: action(
        () => import('../actions/import-servers.ts'),
        ({ importServers }) => importServers,
      ),
    },
    {
      usage: 'export  print or install the configuration by which a client reaches the gateway',
      operands: [new Argument('<client>', 'the client').choices(CLIENT_IDS)],
      options: [
        createUrlOption(),
        '--stdio  let the client start a program that connects to the URL',
        '--config-dir <dir>  let the client start a gateway of its own with this configuration directory',
        createToolsetOption(),
        createOption('--name <name>  the name of the gateway in the client')
          .argParser(parseEntryName)
          .default('gateway'),
        '--command <words>  the program that clients start (default: this program)',
        "--project <dir>  the client's file of a project instead of the user's",
        "--file <path>  the client's file, when it is in another place",
        '--write  add it to the file of the client; everything else in the file stays',
        '--replace  replace an entry of this name that is another server',
      ],
      run: async (client: ClientId, args: Omit<ExportArguments, 'client'>) => {
        const { exportConfig } = await import('../actions/export-config.ts');
        return exportConfig({ client, ...args }, io, serving.toolsetProblem);
      },
    },
  ];
};
