import { DEFAULT_EVENTS, MAX_EVENTS } from '@gateway/core-tools';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { listLimit, outputOption, urlOption } from '../option-values.ts';
import type { ClientArguments, EventsArguments } from '../arguments/client-arguments.ts';

/** Orders to one server, each by the core tool that carries it out. */
const ORDERS = [
  { verb: 'start', tool: 'core_service_start', does: 'start a stopped server' },
  {
    verb: 'stop',
    tool: 'core_service_stop',
    does: 'stop a server for everyone, until it is started again',
  },
  {
    verb: 'restart',
    tool: 'core_service_restart',
    does: 'stop and start a server; its calls in flight fail',
  },
] as const;

/** The commands that look at what the gateway runs, and steer it. */
export function addOperatingCommands(program: Command, context: CommandContext): void {
  addServerCommands(program, context);
  addEventsCommand(program, context);
}

function addServerCommands(program: Command, { io, end }: CommandContext): void {
  const servers = program.command('servers').description('look at the servers and steer them');
  asking(
    servers.command('list', { isDefault: true }).description('list every server with its state'),
  ).action(async (args: ClientArguments) => {
    const { listServers } = await import('../actions/servers.ts');
    end(await listServers(args, io));
  });
  asking(servers.command('get <name>').description('show one server')).action(
    async (name: string, args: ClientArguments) => {
      const { getServer } = await import('../actions/servers.ts');
      end(await getServer(name, args, io));
    },
  );
  for (const { verb, tool, does } of ORDERS)
    asking(servers.command(`${verb} <name>`).description(does)).action(
      async (name: string, args: ClientArguments) => {
        const { orderServer } = await import('../actions/servers.ts');
        end(await orderServer({ tool, name }, args, io));
      },
    );
  asking(servers.command('accept <name> [tools...]'))
    .description(
      'accept what a server declares of its tools now; all of them unless some are named',
    )
    .action(async (name: string, tools: readonly string[], args: ClientArguments) => {
      const { orderServer } = await import('../actions/servers.ts');
      const more = tools.length === 0 ? {} : { tools };
      end(await orderServer({ tool: 'core_mcpserver_accept', name, more }, args, io));
    });
}

function addEventsCommand(program: Command, { io, end }: CommandContext): void {
  asking(program.command('events').description('show what happened to servers and workflows'))
    .addOption(
      new Option('--kind <kind>', 'of this kind only').choices([
        'mcpserver',
        'workflow',
        'configuration',
      ]),
    )
    .option('--name <name>', 'of this resource only')
    .option('--namespace <namespace>', 'of this namespace only')
    .addOption(new Option('--type <type>', 'of this type only').choices(['Normal', 'Warning']))
    .option('--since <time>', 'not before: a time such as 2026-01-31T08:00:00Z, or 30m ago')
    .option('--until <time>', 'not after')
    .option(
      '--limit <count>',
      `most events (default: ${DEFAULT_EVENTS.toString()})`,
      listLimit(MAX_EVENTS),
    )
    .option('--follow', 'go on with what happens, until Ctrl+C')
    .action(async (args: EventsArguments) => {
      const { showEvents } = await import('../actions/events.ts');
      end(await showEvents(args, io));
    });
}

const asking = (command: Command): Command =>
  command.addOption(urlOption()).addOption(outputOption());
