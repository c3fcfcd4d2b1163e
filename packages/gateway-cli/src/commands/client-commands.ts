import { DEFAULT_EVENTS, MAX_EVENTS, MAX_LOG_LINES } from '@gateway/core-tools';
import { DEFAULT_ENDPOINT } from '@gateway/gateway-config';
import type { CommandResult } from '@gateway/service-host';
import { Argument, type Command, Option } from 'commander';
import type { ShellArguments } from '../actions/shell.ts';
import type { CliIo } from '../cli-io.ts';
import type { ClientArguments } from '../client/request-gateway.ts';
import type { CommandContext } from '../command-context.ts';
import { commandTree, NAME_KINDS, NAMES_COMMAND } from '../completion/command-tree.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../completion/shell-scripts.ts';
import {
  actionsWith,
  type CommandDeclaration,
  countOption,
  outputOption,
  timeoutOption,
  toolsetOption,
  urlOption,
  watchOption,
} from './declare-commands.ts';
import { serverFileCommands } from './server-commands.ts';

/** Default time limit of a tool call, in seconds. Progress restarts it. */
const CALL_SECONDS = 300;
const LOGIN_SECONDS = 300;
const MAX_LISTED = 100_000;
const DEFAULT_LOG_LINES = 100;

const tools = () => import('../actions/tools.ts');
const toolsets = () => import('../actions/toolsets.ts');
const servers = () => import('../actions/servers.ts');
const auth = () => import('../actions/auth.ts');

const clientOptions = (): readonly Option[] => [urlOption(), outputOption()];

const callOptions = (): readonly Option[] => [
  ...clientOptions(),
  toolsetOption(),
  new Option(
    '--json <arguments>',
    'the arguments as one JSON object, @file to read it from a file, - from standard input',
  ),
  timeoutOption(CALL_SECONDS),
];

type ListAction = (args: ClientArguments, io: CliIo) => Promise<CommandResult>;

/** Returns the `run` of a command with `--watch`. */
const watched =
  (io: CliIo, load: () => Promise<ListAction>) =>
  async (args: ClientArguments & { readonly watch?: boolean }): Promise<CommandResult> => {
    const [list, { runWatched }] = await Promise.all([load(), import('../actions/watch.ts')]);
    return runWatched(args, io, (output) => list(args, output));
  };

export const catalogCommands = ({ io }: CommandContext): readonly CommandDeclaration[] => {
  const action = actionsWith(io);
  return [
    {
      usage: 'tools',
      description: 'list, describe and call tools',
      commands: [
        {
          usage: 'list',
          description: 'list or search the tools',
          options: [
            ...clientOptions(),
            toolsetOption(),
            new Option('--query <words>', 'words to search for, best match first'),
            new Option('--pattern <glob>', 'glob on the name, for example x_files_*'),
            countOption('--limit', 'maximum number of tools (default: all)', MAX_LISTED),
            watchOption(),
          ],
          run: watched(io, async () => (await tools()).listTools),
        },
        {
          usage: 'describe <name>',
          description: 'show a tool and its arguments',
          names: { first: 'tools' },
          options: [...clientOptions(), toolsetOption()],
          run: action(tools, ({ describeTool }) => describeTool),
        },
        {
          usage: 'call <name> [arguments...]',
          description: 'call a tool with key=value arguments, or --json',
          names: { first: 'tools', rest: 'tool-arguments' },
          options: callOptions(),
          run: action(tools, ({ callTool }) => callTool),
        },
      ],
    },
    {
      usage: 'toolset',
      description: 'explain toolsets and list presets',
      commands: [
        {
          usage: 'explain <selectors>',
          description:
            'show the tools that a toolset selects, the rules that select them, and selectors without a match',
          options: [...clientOptions(), toolsetOption()],
          run: action(toolsets, ({ explainToolset }) => explainToolset),
        },
        {
          usage: 'presets',
          description: 'list the presets that selectors may name',
          options: clientOptions(),
          run: action(toolsets, ({ listPresets }) => listPresets),
        },
      ],
    },
    {
      usage: 'workflow',
      description: 'list and run workflows',
      commands: [
        {
          usage: 'list',
          description: 'list the workflows and whether they can run',
          options: [...clientOptions(), watchOption()],
          run: watched(io, async () => (await tools()).listWorkflows),
        },
        {
          usage: 'run <name> [arguments...]',
          description: 'run a workflow with key=value arguments, or --json',
          names: { first: 'workflows', rest: 'workflow-arguments' },
          options: callOptions(),
          run: action(tools, ({ runWorkflow }) => runWorkflow),
        },
      ],
    },
  ];
};

const CONTROLS = [
  ['start', 'core_service_start', 'start a stopped server'],
  ['stop', 'core_service_stop', 'stop a server for everyone, until it is started again'],
  ['restart', 'core_service_restart', 'stop and start a server; its calls in flight fail'],
] as const;

export const operatingCommands = ({ io }: CommandContext): readonly CommandDeclaration[] => {
  const action = actionsWith(io);
  return [
    {
      usage: 'servers',
      description: 'show and control servers; without a command: list',
      commands: [
        {
          usage: 'list',
          description: 'list every server with its state',
          options: [...clientOptions(), watchOption()],
          run: watched(io, async () => (await servers()).listServers),
        },
        {
          usage: 'get <name>',
          description: 'show one server',
          names: { first: 'servers' },
          options: clientOptions(),
          run: action(servers, ({ getServer }) => getServer),
        },
        {
          usage: 'logs <name>',
          description: 'show what a stdio server wrote to stderr',
          names: { first: 'servers' },
          options: [
            ...clientOptions(),
            countOption(
              '--lines',
              `number of the last lines, at most ${MAX_LOG_LINES.toString()}`,
              MAX_LOG_LINES,
            ).default(DEFAULT_LOG_LINES),
            new Option('--follow', 'show new lines until Ctrl+C'),
          ],
          run: action(
            () => import('../actions/server-logs.ts'),
            ({ showServerLogs }) => showServerLogs,
          ),
        },
        ...CONTROLS.map(([verb, tool, description]): CommandDeclaration => ({
          usage: `${verb} <name>`,
          description,
          names: { first: 'servers' },
          options: clientOptions(),
          run: async (name: string, args: ClientArguments) =>
            (await servers()).controlServer(tool, { name }, args, io),
        })),
        {
          usage: 'accept <name> [tools...]',
          description: 'accept the tools as a server declares them now: the named tools, or all',
          names: { first: 'servers' },
          options: clientOptions(),
          run: action(servers, ({ acceptTools }) => acceptTools),
        },
        ...serverFileCommands(io),
      ],
    },
    {
      usage: 'events',
      description: 'show events of servers, workflows and the configuration',
      options: [
        ...clientOptions(),
        new Option('--kind <kind>', 'show only events of resources of this kind').choices([
          'mcpserver',
          'workflow',
          'configuration',
        ]),
        new Option('--name <name>', 'show only events of the resource of this name'),
        new Option('--namespace <namespace>', 'show only events of resources in this namespace'),
        new Option('--type <type>', 'show only events of this type').choices(['Normal', 'Warning']),
        new Option(
          '--since <time>',
          'show only events after this time: a timestamp such as 2026-01-31T08:00:00Z, or a duration before now such as 30m',
        ),
        new Option('--until <time>', 'show only events before this time, written in the same way'),
        countOption(
          '--limit',
          `maximum number of events (default: ${DEFAULT_EVENTS.toString()})`,
          MAX_EVENTS,
        ),
        new Option('--follow', 'show new events until Ctrl+C'),
      ],
      run: action(
        () => import('../actions/events.ts'),
        ({ showEvents }) => showEvents,
      ),
    },
  ];
};

/** `gateway auth`: the sign-in of the user to a gateway. */
export const authCommands = ({ io }: CommandContext): readonly CommandDeclaration[] => {
  const action = actionsWith(io);
  const url = (): Argument =>
    new Argument(
      '[url]',
      'the endpoint of the gateway (default: GATEWAY_URL, or the local one)',
    ).default(io.env['GATEWAY_URL'] || DEFAULT_ENDPOINT, DEFAULT_ENDPOINT);
  return [
    {
      usage: 'auth',
      description: 'sign in to a gateway that requires it',
      commands: [
        {
          usage: 'login',
          description: 'sign in with the browser; other commands then send the token',
          operands: [url()],
          options: [
            new Option('--device', 'sign in with a code on another device'),
            new Option('--no-browser', 'print the URL and do not open it'),
            new Option(
              '--scope <scopes>',
              'scopes to request (default: those that the gateway names)',
            ),
            new Option('--issuer <url>', 'authorization server, when the gateway names several'),
            new Option(
              '--client-id <id>',
              'client that is registered at the authorization server; its secret is in GATEWAY_CLIENT_SECRET',
            ),
            new Option(
              '--client-metadata-url <url>',
              'Client ID Metadata Document to use as client',
            ),
            timeoutOption(LOGIN_SECONDS),
          ],
          run: action(auth, ({ login }) => login),
        },
        {
          usage: 'logout',
          description: 'revoke and delete the tokens of a gateway',
          operands: [url()],
          run: async (text: string) => (await auth()).logout(text, io),
        },
        {
          usage: 'status',
          description: 'show the sign-ins: person, issuer, expiry, storage',
          operands: [new Argument('[url]', 'only this gateway')],
          options: [outputOption()],
          run: action(auth, ({ showSignIns }) => showSignIns),
        },
      ],
    },
  ];
};

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** The shell of the gateway, and completion in other shells, both from the tree of the program. */
export const shellCommands = (
  { io, run }: CommandContext,
  program: Command,
): readonly CommandDeclaration[] => [
  {
    usage: 'shell',
    description: 'read commands line by line and run them in one session to the gateway',
    options: [
      urlOption(),
      toolsetOption(),
      new Option('--fail-fast', 'without a terminal: stop after the first command that fails'),
    ],
    run: async (args: ShellArguments) => {
      const { runShell } = await import('../actions/shell.ts');
      return runShell(args, { io, run, tree: commandTree(program) });
    },
  },
  {
    usage: 'completion',
    description: 'print the completion script of a shell',
    operands: [new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS))],
    run: (shell: keyof typeof SCRIPTS) => {
      io.stdout.write(SCRIPTS[shell](commandTree(program)));
      return 'succeeded';
    },
  },
  {
    usage: NAMES_COMMAND,
    description: '',
    isHidden: true,
    operands: [new Argument('<kind>').choices(NAME_KINDS), new Argument('[owner]')],
    options: [urlOption(), new Option('--config-dir <dir>')],
    run: actionsWith(io)(
      () => import('../actions/names.ts'),
      ({ printNames }) => printNames,
    ),
  },
];
