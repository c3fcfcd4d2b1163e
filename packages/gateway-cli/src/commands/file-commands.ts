import { DEFAULT_API_GROUP } from '@gateway/crd-schemas';
import { Argument, Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { apiGroupName, CONFIG_DIRECTORY, outputOption } from '../option-values.ts';
import type { DiagnoseArguments } from '../arguments/diagnose-arguments.ts';
import type {
  DefinitionKind,
  SchemasArguments,
  SchemaKind,
  ValidateArguments,
} from '../arguments/file-arguments.ts';

const apiGroupOption = (): Option =>
  new Option('--api-group <group>', 'the API group of the resources')
    .env('GATEWAY_API_GROUP')
    .argParser(apiGroupName)
    .default(DEFAULT_API_GROUP);

/** Adds the commands that need no running gateway. */
export function addFileCommands(program: Command, context: CommandContext): void {
  const { io, end } = context;
  program
    .command('validate')
    .description('check every file of a configuration directory without serving')
    .requiredOption(...CONFIG_DIRECTORY)
    .addOption(outputOption())
    .action(async ({ configDir, output }: ValidateArguments) => {
      const { validate } = await import('../actions/validate.ts');
      end(await validate(configDir, { output, io }));
    });
  addDiagnoseCommand(program, context);
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

function addDiagnoseCommand(program: Command, { io, serving, end }: CommandContext): void {
  program
    .command('diagnose')
    .description('report what is wrong with an installation, and the next step for each problem')
    .requiredOption(...CONFIG_DIRECTORY)
    .option('--kubernetes', 'check servers and workflows of a cluster instead of files')
    .option(
      '--url <url>',
      'the endpoint of the running gateway (default: the port of config.yaml on this machine)',
    )
    .addOption(outputOption())
    .action(async (args: DiagnoseArguments) => {
      const { diagnose } = await import('../actions/diagnose.ts');
      end(await diagnose(args, { io, stateProblem: serving.stateProblem }));
    });
}
