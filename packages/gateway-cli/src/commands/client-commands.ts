import { DEFAULT_EVENTS, MAX_EVENTS, MAX_LOG_LINES } from '@gateway/core-tools';
import { DEFAULT_ENDPOINT } from '@gateway/gateway-config';
import type { CommandResult } from '@gateway/service-host';
import { Argument, type Command } from 'commander';
import type { ShellArguments } from '../actions/shell.ts';
import type { CliIo } from '../cli-io.ts';
import type { ClientArguments } from '../client/request-gateway.ts';
import type { CommandContext } from '../command-context.ts';
import { createCommandTree, NAME_KINDS, NAMES_COMMAND } from '../completion/command-tree.ts';
import {
  renderBashCompletion,
  renderFishCompletion,
  renderZshCompletion,
} from '../completion/shell-scripts.ts';
import {
  createActionLoader,
  type CommandDeclaration,
  countOption,
  createOutputOption,
  createTimeoutOption,
  createToolsetOption,
  createUrlOption,
  watchOption,
  createOption,
} from './declare-commands.ts';
import { createServerCommands } from './server-commands.ts';

/** Default time limit of a tool call, in seconds. Progress restarts it. */
const CALL_SECONDS = 300;
const LOGIN_SECONDS = 300;
const MAX_LISTED = 100_000;
const DEFAULT_LOG_LINES = 100;

const loadTools = () => import('../actions/tools.ts');
const loadToolsets = () => import('../actions/toolsets.ts');
const loadServers = () => import('../actions/servers.ts');
const loadAuth = () => import('../actions/auth.ts');

const createClientOptions = () => [createUrlOption(), createOutputOption()];

const callOptions = () => [
  ...createClientOptions(),
  createToolsetOption(),
  '--json <arguments>  the arguments as one JSON object, @file to read it from a file, - from standard input',
  createTimeoutOption(CALL_SECONDS),
];

type ListAction = (args: ClientArguments, io: CliIo) => Promise<CommandResult>;

/** Returns the `run` of a command with `--watch`. */
const createWatchAction =
  (io: CliIo, load: () => Promise<ListAction>) =>
  async (args: ClientArguments & { readonly watch?: boolean }): Promise<CommandResult> => {
    const [list, { runWatched }] = await Promise.all([
      load(),
      import('../client/request-gateway.ts'),
    ]);
    return runWatched(args, io, (output) => list(args, output));
  };

export const createCatalogCommands = ({ io }: CommandContext): readonly CommandDeclaration[] => {
  const action = createActionLoader(io);
  return [
    {
      usage: 'tools  list, describe and call tools',
      commands: [
        {
          usage: 'list  list or search the tools',
          options: [
            ...createClientOptions(),
            createToolsetOption(),
            '--query <words>  words to search for, best match first',
            '--pattern <glob>  glob on the name, for example x_files_*',
            countOption('--limit', 'maximum number of tools (default: all)', MAX_LISTED),
            watchOption(),
          ],
          run: createWatchAction(io, async () => (await loadTools()).listTools),
        },
        {
          usage: 'describe <name>  show a tool and its arguments',
          names: { first: 'tools' },
          options: [...createClientOptions(), createToolsetOption()],
          run: action(loadTools, ({ describeTool }) => describeTool),
        },
        {
          usage: 'call <name> [arguments...]  call a tool with key=value arguments, or --json',
          names: { first: 'tools', rest: 'tool-arguments' },
          options: callOptions(),
          run: action(loadTools, ({ callTool }) => callTool),
        },
      ],
    },
    {
      usage: 'toolset  explain toolsets and list presets',
      commands: [
        {
          usage:
            'explain <selectors>  show the tools that a toolset selects, the rules that select them, and selectors without a match',
          options: [...createClientOptions(), createToolsetOption()],
          run: action(loadToolsets, ({ explainToolset }) => explainToolset),
        },
        {
          usage: 'presets  list the presets that selectors may name',
          options: createClientOptions(),
          run: action(loadToolsets, ({ listPresets }) => listPresets),
        },
      ],
    },
    {
      usage: 'workflow  list and run workflows',
      commands: [
        {
          usage: 'list  list the workflows and whether they can run',
          options: [...createClientOptions(), watchOption()],
          run: createWatchAction(io, async () => (await loadTools()).listWorkflows),
        },
        {
          usage: 'run <name> [arguments...]  run a workflow with key=value arguments, or --json',
          names: { first: 'workflows', rest: 'workflow-arguments' },
          options: callOptions(),
          run: action(loadTools, ({ runWorkflow }) => runWorkflow),
        },
      ],
    },
  ];
};

const CONTROLS = [
  ['start <name>  start a stopped server', 'core_service_start'],
  ['stop <name>  stop a server for everyone, until it is started again', 'core_service_stop'],
  ['restart <name>  stop and start a server; its calls in flight fail', 'core_service_restart'],
] as const;

export const createOperatingCommands = ({ io }: CommandContext): readonly CommandDeclaration[] => {
  const action = createActionLoader(io);
  return [
    {
      usage: 'servers  show and control servers; without a command: list',
      commands: [
        {
          usage: 'list  list every server with its state',
          options: [...createClientOptions(), watchOption()],
          run: createWatchAction(io, async () => (await loadServers()).listServers),
        },
        {
          usage: 'get <name>  show one server',
          names: { first: 'servers' },
          options: createClientOptions(),
          run: action(loadServers, ({ getServer }) => getServer),
        },
        {
          usage: 'logs <name>  show what a stdio server wrote to stderr',
          names: { first: 'servers' },
          options: [
            ...createClientOptions(),
            countOption(
              '--lines',
              `number of the last lines, at most ${MAX_LOG_LINES.toString()}`,
              MAX_LOG_LINES,
            ).default(DEFAULT_LOG_LINES),
            '--follow  show new lines until Ctrl+C',
          ],
          run: action(
            () => import('../actions/server-logs.ts'),
            ({ showServerLogs }) => showServerLogs,
          ),
        },
        ...CONTROLS.map(([usage, tool]): CommandDeclaration => ({
          usage,
          names: { first: 'servers' },
          options: createClientOptions(),
          run: async (name: string, args: ClientArguments) =>
            (await loadServers()).controlServer(tool, { name }, args, io),
        })),
        {
          usage:
            'accept <name> [tools...]  accept the tools as a server declares them now: the named tools, or all',
          names: { first: 'servers' },
          options: createClientOptions(),
          run: action(loadServers, ({ acceptTools }) => acceptTools),
        },
        ...createServerCommands(io),
      ],
    },
    {
      usage: 'events  show events of servers, workflows and the configuration',
      options: [
        ...createClientOptions(),
        createOption('--kind <kind>  show only events of resources of this kind').choices([
          'mcpserver',
          'workflow',
          'configuration',
        ]),
        '--name <name>  show only events of the resource of this name',
        '--namespace <namespace>  show only events of resources in this namespace',
        createOption('--type <type>  show only events of this type').choices(['Normal', 'Warning']),
        '--since <time>  show only events after this time: a timestamp such as 2026-01-31T08:00:00Z, or a duration before now such as 30m',
        '--until <time>  show only events before this time, written in the same way',
        countOption(
          '--limit',
          `maximum number of events (default: ${DEFAULT_EVENTS.toString()})`,
          MAX_EVENTS,
        ),
        '--follow  show new events until Ctrl+C',
      ],
      run: action(
        () => import('../actions/events.ts'),
        ({ showEvents }) => showEvents,
      ),
    },
  ];
};

/** `gateway auth`: the sign-in of the user to a gateway. */
export const createAuthCommands = ({ io }: CommandContext): readonly CommandDeclaration[] => {
  const action = createActionLoader(io);
  const url = (): Argument =>
    new Argument(
      '[url]',
      'the endpoint of the gateway (default: GATEWAY_URL, or the local one)',
    ).default(io.env['GATEWAY_URL'] || DEFAULT_ENDPOINT, DEFAULT_ENDPOINT);
  return [
    {
      usage: 'auth  sign in to a gateway that requires it',
      commands: [
        {
          usage: 'login  sign in with the browser; other commands then send the token',
          operands: [url()],
          options: [
            '--device  sign in with a code on another device',
            '--no-browser  print the URL and do not open it',
            '--scope <scopes>  scopes to request, such as mcp:read (default: those that the gateway names; the user can give less)',
            '--issuer <url>  authorization server, when the gateway names several',
            '--client-id <id>  client that is registered at the authorization server; its secret is in GATEWAY_CLIENT_SECRET',
            '--client-metadata-url <url>  Client ID Metadata Document to use as client',
            createTimeoutOption(LOGIN_SECONDS),
          ],
          run: action(loadAuth, ({ runLogin }) => runLogin),
        },
        {
          usage: 'logout  revoke and delete the tokens of a gateway',
          operands: [url()],
          run: async (text: string) => (await loadAuth()).runLogout(text, io),
        },
        {
          usage: 'status  show the sign-ins: user, issuer, expiry, storage',
          operands: [new Argument('[url]', 'only this gateway')],
          options: [createOutputOption()],
          run: action(loadAuth, ({ showSignIns }) => showSignIns),
        },
      ],
    },
  ];
};

const SCRIPTS = {
  bash: renderBashCompletion,
  zsh: renderZshCompletion,
  fish: renderFishCompletion,
} as const;

/** The shell of the gateway, and completion in other shells, both from the tree of the program. */
export const createShellCommands = (
  { io, run }: CommandContext,
  program: Command,
): readonly CommandDeclaration[] => [
  {
    usage: 'shell  read commands line by line and run them in one session to the gateway',
    options: [
      createUrlOption(),
      createToolsetOption(),
      '--fail-fast  without a terminal: stop after the first command that fails',
    ],
    run: async (args: ShellArguments) => {
      const { runShell } = await import('../actions/shell.ts');
      return runShell(args, { io, run, tree: createCommandTree(program) });
    },
  },
  {
    usage: 'completion  print the completion script of a shell',
    operands: [new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS))],
    run: (shell: keyof typeof SCRIPTS) => {
      io.stdout.write(SCRIPTS[shell](createCommandTree(program)));
      return 'succeeded';
    },
  },
  {
    usage: NAMES_COMMAND,
    isHidden: true,
    operands: [new Argument('<kind>').choices(NAME_KINDS), new Argument('[owner]')],
    options: [createUrlOption(), '--config-dir <dir>'],
    run: createActionLoader(io)(
      () => import('../actions/names.ts'),
      ({ printNames }) => printNames,
    ),
  },
];
