import { DEFAULT_EVENTS, MAX_EVENTS, MAX_LOG_LINES } from '@gateway/core-tools';
import { DEFAULT_ENDPOINT } from '@gateway/gateway-config';
import { Argument, type Command, Option } from 'commander';
import type { AuthStatusArguments, LoginArguments } from '../actions/auth.ts';
import type { EventsArguments } from '../actions/events.ts';
import type { CallArguments, ListToolsArguments } from '../actions/tools.ts';
import type { NamesArguments } from '../actions/names.ts';
import type { LogsArguments } from '../actions/server-logs.ts';
import type { ShellArguments } from '../actions/shell.ts';
import type { ClientArguments } from '../client/request-gateway.ts';
import type { CommandContext } from '../command-context.ts';
import {
  commandTree,
  NAME_KINDS,
  type NameKind,
  NAMES_COMMAND,
  type TreeCommand,
} from '../completion/command-tree.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../completion/shell-scripts.ts';
import {
  listLimit,
  outputOption,
  timeoutOption,
  toolsetOption,
  urlOption,
  watchOption,
} from './option-values.ts';
import { addRegistryCommands, addServerFileCommands } from './server-commands.ts';

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
      const { listTools } = await import('../actions/tools.ts');
      const { runWatched } = await import('../actions/watch.ts');
      end(await runWatched(args, io, (output) => listTools(args, output)));
    });
  addClientOptions(tools.command('describe <name>').description('show a tool and its arguments'))
    .addOption(toolsetOption())
    .action(async (name: string, args: ClientArguments) => {
      const { describeTool } = await import('../actions/tools.ts');
      end(await describeTool(name, args, io));
    });
  addCallOptions(tools.command('call <name> [arguments...]'))
    .description('call a tool with key=value arguments, or --json')
    .action(async (tool: string, pairs: readonly string[], args: CallArguments) => {
      const { callTool } = await import('../actions/tools.ts');
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
      const { explainToolset } = await import('../actions/toolsets.ts');
      end(await explainToolset(selectors, args, io));
    });
  addClientOptions(
    toolset.command('presets').description('list the presets that selectors may name'),
  ).action(async (args: ClientArguments) => {
    const { listPresets } = await import('../actions/toolsets.ts');
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
      const { listWorkflows } = await import('../actions/tools.ts');
      const { runWatched } = await import('../actions/watch.ts');
      end(await runWatched(args, io, (output) => listWorkflows(args, output)));
    });
  addCallOptions(workflow.command('run <name> [arguments...]'))
    .description('run a workflow with key=value arguments, or --json')
    .action(async (name: string, pairs: readonly string[], args: CallArguments) => {
      const [{ callTool }, { toolOfWorkflow }] = await Promise.all([
        import('../actions/tools.ts'),
        import('../actions/names.ts'),
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

/** Seconds that a person has for the sign-in. */
const LOGIN_SECONDS = 300;

const urlArgument = (env: CommandContext['io']['env']): Argument =>
  new Argument(
    '[url]',
    'the endpoint of the gateway (default: GATEWAY_URL, or the local one)',
  ).default(env['GATEWAY_URL'] || DEFAULT_ENDPOINT, DEFAULT_ENDPOINT);

/** Adds `gateway auth`: the sign-in of the person to a gateway. */
export function addAuthCommands(program: Command, { io, end }: CommandContext): void {
  const auth = program.command('auth').description('sign in to a gateway that requires it');
  auth
    .command('login')
    .description('sign in with the browser; other commands then send the token')
    .addArgument(urlArgument(io.env))
    .option('--device', 'sign in with a code on another device')
    .option('--no-browser', 'print the URL and do not open it')
    .option('--scope <scopes>', 'scopes to request (default: those that the gateway names)')
    .option('--issuer <url>', 'authorization server, when the gateway names several')
    .option(
      '--client-id <id>',
      'client that is registered at the authorization server; its secret is in GATEWAY_CLIENT_SECRET',
    )
    .option('--client-metadata-url <url>', 'Client ID Metadata Document to use as client')
    .addOption(timeoutOption(LOGIN_SECONDS))
    .action(async (url: string, args: LoginArguments) => {
      const { login } = await import('../actions/auth.ts');
      end(await login(url, args, io));
    });
  auth
    .command('logout')
    .description('revoke and delete the tokens of a gateway')
    .addArgument(urlArgument(io.env))
    .action(async (url: string) => {
      const { logout } = await import('../actions/auth.ts');
      end(await logout(url, io));
    });
  auth
    .command('status')
    .description('show the sign-ins: person, issuer, expiry, storage')
    .addArgument(new Argument('[url]', 'only this gateway'))
    .addOption(outputOption())
    .action(async (url: string | undefined, args: AuthStatusArguments) => {
      const { showSignIns } = await import('../actions/auth.ts');
      end(await showSignIns(url, args, io));
    });
}

/** Adds `gateway shell`. */
export function addShellCommand(program: Command, { io, run, end }: CommandContext): void {
  const shell = program
    .command('shell')
    .description('read commands line by line and run them in one session to the gateway')
    .addOption(urlOption())
    .addOption(toolsetOption())
    .option('--fail-fast', 'without a terminal: stop after the first command that fails');
  shell.action(async (args: ShellArguments) => {
    const { runShell } = await import('../actions/shell.ts');
    end(await runShell(args, { io, run, tree: commandTree(program) }));
  });
}

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

type Shell = keyof typeof SCRIPTS;

const SHELLS = ['bash', 'zsh', 'fish'] as const satisfies readonly Shell[];

/** Adds `gateway completion`. The script is generated from the tree of this program. */
export function addCompletionCommand(program: Command, { io, end }: CommandContext): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      const write: (tree: TreeCommand) => string = SCRIPTS[shell];
      io.stdout.write(write(commandTree(program)));
      end('succeeded');
    });
  addNamesCommand(program, { io, end });
}

/** Adds the command that the scripts run for names. */
function addNamesCommand(program: Command, { io, end }: Pick<CommandContext, 'io' | 'end'>): void {
  program
    .command(NAMES_COMMAND, { hidden: true })
    .addArgument(new Argument('<kind>').choices(NAME_KINDS))
    .argument('[owner]')
    .addOption(urlOption())
    .option('--config-dir <dir>')
    .action(async (kind: NameKind, owner: string | undefined, args: NamesArguments) => {
      const { printNames } = await import('../actions/names.ts');
      end(await printNames(kind, { ...args, ...(owner !== undefined && { owner }) }, io));
    });
}
