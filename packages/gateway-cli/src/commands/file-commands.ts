import { CLIENT_IDS, type ClientId } from '@gateway/client-config';
import { DEFAULT_API_GROUP } from '@gateway/crd-schemas';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { DoctorArguments, DoctorCommand } from '../actions/doctor.ts';
import type { ExportArguments } from '../actions/export-config.ts';
import type { ImportArguments } from '../setup/import-plan.ts';
import type { DefinitionKind, SchemaKind, SchemasArguments } from '../actions/print-schemas.ts';
import type { CommandContext } from '../command-context.ts';
import {
  allowOption,
  apiGroupName,
  CONFIG_DIRECTORY,
  outputOption,
  START,
  toolsetOption,
  urlOption,
} from './option-values.ts';

const apiGroupOption = (): Option =>
  new Option('--api-group <group>', 'the API group of the resources')
    .env('GATEWAY_API_GROUP')
    .argParser(apiGroupName)
    .default(DEFAULT_API_GROUP);

/** Adds the commands that need no running gateway. */
export function addFileCommands(program: Command, context: CommandContext): void {
  const { io, end } = context;
  addDoctorCommands(program, context);
  program
    .command('crds')
    .description('print the CustomResourceDefinitions, for kubectl apply -f -')
    .addArgument(
      new Argument('[kind]', 'of this kind').choices([
        'mcpserver',
        'workflow',
        'workflowexecution',
      ]),
    )
    .addOption(apiGroupOption())
    .addOption(outputOption())
    .action(async (kind: DefinitionKind | undefined, args: SchemasArguments) => {
      const { printCrds } = await import('../actions/print-schemas.ts');
      end(printCrds(kind, args, io));
    });
  program
    .command('schema')
    .description('print the JSON Schema of a resource, or of config.yaml, for editors')
    .addArgument(
      new Argument('<kind>', 'of this kind').choices(['mcpserver', 'workflow', 'config']),
    )
    .addOption(apiGroupOption())
    .action(async (kind: SchemaKind, args: Pick<SchemasArguments, 'apiGroup'>) => {
      const { printSchema } = await import('../actions/print-schemas.ts');
      end(printSchema(kind, args, io));
    });
}

/** Adds `gateway doctor` and the commands for its parts. */
function addDoctorCommands(program: Command, { io, serving, end }: CommandContext): void {
  const add = (command: DoctorCommand, description: string): Command =>
    program
      .command(command)
      .description(description)
      .requiredOption(...CONFIG_DIRECTORY)
      .addOption(outputOption())
      .action(async (args: DoctorArguments, self: Command) => {
        const { doctor } = await import('../actions/doctor.ts');
        const hasUrlOption = self.getOptionValueSource('url') === 'cli';
        end(await doctor(command, { ...args, hasUrlOption }, { io, serving }));
      });
  add('validate', 'check every file of a configuration directory: the first part of doctor');
  const installation = [
    add('diagnose', 'check files, the running gateway and the cluster; starts nothing'),
    add(
      'doctor',
      'check everything: Node, files, ports, the running gateway, the cluster, and the servers, which it starts once and ends',
    ).option('--all', 'also start servers with autoStart: false, and send them their secrets'),
  ];
  for (const command of installation)
    command
      .option('--kubernetes', 'check servers and workflows of a cluster instead of files')
      .addOption(
        new Option(
          '--url <url>',
          'the endpoint of the running gateway (default: the port of config.yaml on this machine)',
        ).env('GATEWAY_URL'),
      );
}

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
