import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import {
  listLimit,
  outputOption,
  timeoutOption,
  toolsetOption,
  urlOption,
  watchOption,
} from '../option-values.ts';
import type {
  CallArguments,
  ClientArguments,
  ListToolsArguments,
} from '../arguments/client-arguments.ts';

/** Default time limit of a tool call, in seconds. Progress restarts it. */
const CALL_SECONDS = 300;

const MAX_LISTED = 100_000;

const JSON_ARGUMENTS = [
  '--json <arguments>',
  'the arguments as one JSON object, @file to read it from a file, - from standard input',
] as const;

interface Watched {
  readonly watch?: boolean;
}

/** Adds the commands for the tools, toolsets and workflows of the caller. */
export function addCatalogCommands(program: Command, context: CommandContext): void {
  addToolCommands(program, context);
  addToolsetCommands(program, context);
  addWorkflowCommands(program, context);
}

function addToolCommands(program: Command, { io, end }: CommandContext): void {
  const tools = program.command('tools').description('list, describe and call tools');
  addClientOptions(tools.command('list').description('list or search the tools'))
    .addOption(toolsetOption())
    .option('--query <words>', 'words to search for, best match first')
    .option('--pattern <glob>', 'glob on the name, for example x_files_*')
    .option('--limit <count>', 'maximum number of tools (default: all)', listLimit(MAX_LISTED))
    .addOption(watchOption())
    .action(async (args: ListToolsArguments & Watched) => {
      const { listTools } = await import('../actions/list-tools.ts');
      const { runWatched } = await import('../actions/watch.ts');
      end(await runWatched(args, io, (output) => listTools(args, output)));
    });
  addClientOptions(tools.command('describe <name>').description('show a tool and its arguments'))
    .addOption(toolsetOption())
    .action(async (name: string, args: ClientArguments) => {
      const { describeTool } = await import('../actions/describe-tool.ts');
      end(await describeTool(name, args, io));
    });
  addCallOptions(tools.command('call <name> [arguments...]'))
    .description('call a tool with key=value arguments, or --json')
    .action(async (tool: string, pairs: readonly string[], args: CallArguments) => {
      const { callTool } = await import('../actions/call-tool.ts');
      end(await callTool({ tool, pairs }, args, io));
    });
}

function addToolsetCommands(program: Command, { io, end }: CommandContext): void {
  const toolset = program.command('toolset').description('explain toolsets and list presets');
  addClientOptions(toolset.command('explain <selectors>'))
    .description(
      'show the tools that a toolset selects, the rules that select them, and selectors without a match',
    )
    .addOption(toolsetOption())
    .action(async (selectors: string, args: ClientArguments) => {
      const { explainToolset } = await import('../actions/explain-toolset.ts');
      end(await explainToolset(selectors, args, io));
    });
  addClientOptions(
    toolset.command('presets').description('list the presets that selectors may name'),
  ).action(async (args: ClientArguments) => {
    const { listPresets } = await import('../actions/list-presets.ts');
    end(await listPresets(args, io));
  });
}

function addWorkflowCommands(program: Command, { io, end }: CommandContext): void {
  const workflow = program.command('workflow').description('list and run workflows');
  addClientOptions(
    workflow.command('list').description('list the workflows and whether they can run'),
  )
    .addOption(watchOption())
    .action(async (args: ClientArguments & Watched) => {
      const { listWorkflows } = await import('../actions/workflows.ts');
      const { runWatched } = await import('../actions/watch.ts');
      end(await runWatched(args, io, (output) => listWorkflows(args, output)));
    });
  addCallOptions(workflow.command('run <name> [arguments...]'))
    .description('run a workflow with key=value arguments, or --json')
    .action(async (name: string, pairs: readonly string[], args: CallArguments) => {
      const [{ callTool }, { toolOfWorkflow }] = await Promise.all([
        import('../actions/call-tool.ts'),
        import('../actions/workflows.ts'),
      ]);
      end(await callTool({ tool: toolOfWorkflow(name), pairs }, args, io));
    });
}

/** Adds the options of a command that sends requests to a running gateway. */
const addClientOptions = (command: Command): Command =>
  command.addOption(urlOption()).addOption(outputOption());

/** Adds the options of a command that calls a tool. */
const addCallOptions = (command: Command): Command =>
  addClientOptions(command)
    .addOption(toolsetOption())
    .addOption(new Option(...JSON_ARGUMENTS))
    .addOption(timeoutOption(CALL_SECONDS));
