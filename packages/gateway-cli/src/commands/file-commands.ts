import { DEFAULT_API_GROUP } from '@gateway/crd-schemas';
import { Argument, Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { apiGroupName, CONFIG_DIRECTORY, outputOption } from '../option-values.ts';
import type { DoctorArguments, DoctorCommand } from '../actions/doctor.ts';
import type { DefinitionKind, SchemasArguments, SchemaKind } from '../arguments/file-arguments.ts';

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
      .action(async (args: DoctorArguments) => {
        const { doctor } = await import('../actions/doctor.ts');
        end(await doctor(command, args, { io, serving }));
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
