import { DEFAULT_EVENTS, MAX_EVENTS, MAX_LOG_LINES } from '@gateway/core-tools';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { listLimit, outputOption, urlOption, watchOption } from '../option-values.ts';
import { addRegistryCommands } from './registry-commands.ts';
import { addServerFileCommands } from './server-file-commands.ts';
import type { ClientArguments, EventsArguments } from '../arguments/client-arguments.ts';
import type { LogsArguments } from '../arguments/logs-arguments.ts';

/** Commands for one server, with the core tool of each. */
const SERVER_COMMANDS = [
  { verb: 'start', tool: 'core_service_start', description: 'start a stopped server' },
  {
    verb: 'stop',
    tool: 'core_service_stop',
    description: 'stop a server for everyone, until it is started again',
  },
  {
    verb: 'restart',
    tool: 'core_service_restart',
    description: 'stop and start a server; its calls in flight fail',
  },
] as const;

/** Adds the commands that show and control servers and events. */
export function addOperatingCommands(program: Command, context: CommandContext): void {
  addServerCommands(program, context);
  addEventsCommand(program, context);
}

function addServerCommands(program: Command, context: CommandContext): void {
  const { io, end } = context;
  const servers = program
    .command('servers')
    .description('show and control servers; without a command: list');
  addClientOptions(servers.command('list').description('list every server with its state'))
    .addOption(watchOption())
    .action(async (args: ClientArguments & { readonly watch?: boolean }) => {
      const { listServers } = await import('../actions/servers.ts');
      const { runWatched } = await import('../actions/watch.ts');
      end(await runWatched(args, io, (output) => listServers(args, output)));
    });
  addClientOptions(servers.command('get <name>').description('show one server')).action(
    async (name: string, args: ClientArguments) => {
      const { getServer } = await import('../actions/servers.ts');
      end(await getServer(name, args, io));
    },
  );
  addLogsCommand(servers, context);
  for (const { verb, tool, description } of SERVER_COMMANDS)
    addClientOptions(servers.command(`${verb} <name>`).description(description)).action(
      async (name: string, args: ClientArguments) => {
        const { controlServer } = await import('../actions/servers.ts');
        end(await controlServer({ tool, name }, args, io));
      },
    );
  addClientOptions(servers.command('accept <name> [tools...]'))
    .description('accept the tools as a server declares them now: the named tools, or all')
    .action(async (name: string, tools: readonly string[], args: ClientArguments) => {
      const { controlServer } = await import('../actions/servers.ts');
      const more = tools.length === 0 ? {} : { tools };
      end(await controlServer({ tool: 'core_mcpserver_accept', name, more }, args, io));
    });
  addRegistryCommands(servers, context);
  addServerFileCommands(servers, context);
}

/** The number of lines without `--lines`. */
const DEFAULT_LOG_LINES = 100;

function addLogsCommand(servers: Command, { io, end }: CommandContext): void {
  addClientOptions(servers.command('logs <name>'))
    .description('show what a stdio server wrote to stderr')
    .option(
      '--lines <count>',
      `number of the last lines, at most ${MAX_LOG_LINES.toString()}`,
      listLimit(MAX_LOG_LINES),
      DEFAULT_LOG_LINES,
    )
    .option('--follow', 'show new lines until Ctrl+C')
    .action(async (name: string, args: LogsArguments) => {
      const { showServerLogs } = await import('../actions/server-logs.ts');
      end(await showServerLogs(name, args, io));
    });
}

function addEventsCommand(program: Command, { io, end }: CommandContext): void {
  addClientOptions(
    program
      .command('events')
      .description('show events of servers, workflows and the configuration'),
  )
    .addOption(
      new Option('--kind <kind>', 'show only events of resources of this kind').choices([
        'mcpserver',
        'workflow',
        'configuration',
      ]),
    )
    .option('--name <name>', 'show only events of the resource of this name')
    .option('--namespace <namespace>', 'show only events of resources in this namespace')
    .addOption(
      new Option('--type <type>', 'show only events of this type').choices(['Normal', 'Warning']),
    )
    .option(
      '--since <time>',
      'show only events after this time: a timestamp such as 2026-01-31T08:00:00Z, or a duration before now such as 30m',
    )
    .option('--until <time>', 'show only events before this time, written in the same way')
    .option(
      '--limit <count>',
      `maximum number of events (default: ${DEFAULT_EVENTS.toString()})`,
      listLimit(MAX_EVENTS),
    )
    .option('--follow', 'show new events until Ctrl+C')
    .action(async (args: EventsArguments) => {
      const { showEvents } = await import('../actions/events.ts');
      end(await showEvents(args, io));
    });
}

const addClientOptions = (command: Command): Command =>
  command.addOption(urlOption()).addOption(outputOption());
