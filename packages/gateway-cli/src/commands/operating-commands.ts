import { DEFAULT_EVENTS, MAX_EVENTS } from '@gateway/core-tools';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { listLimit, outputOption, urlOption } from '../option-values.ts';
import type { ClientArguments, EventsArguments } from '../arguments/client-arguments.ts';

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

function addServerCommands(program: Command, { io, end }: CommandContext): void {
  const servers = program.command('servers').description('show and control servers');
  addClientOptions(
    servers.command('list', { isDefault: true }).description('list every server with its state'),
  ).action(async (args: ClientArguments) => {
    const { listServers } = await import('../actions/servers.ts');
    end(await listServers(args, io));
  });
  addClientOptions(servers.command('get <name>').description('show one server')).action(
    async (name: string, args: ClientArguments) => {
      const { getServer } = await import('../actions/servers.ts');
      end(await getServer(name, args, io));
    },
  );
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
