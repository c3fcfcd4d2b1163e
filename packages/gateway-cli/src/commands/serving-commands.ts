import { DEFAULT_ADDRESS } from '@gateway/gateway-config';
import type { CommandResult } from '@gateway/service-host';
import { type Command, Option } from 'commander';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  BridgeArguments,
  CommandContext,
  ServeArguments,
  StdioArguments,
} from '../command-context.ts';
import { CommandFailure } from '../failure.ts';
import {
  type CommandDeclaration,
  createConfigDirOption,
  createWritesOption,
  createExposeOption,
  createHealthOptions,
  logOptions,
  createPortalOptions,
  portNumber,
  createOption,
} from './declare-commands.ts';

const createRefusal = (text: string): CommandFailure => new CommandFailure('refused', text);

export const createServingCommands = (context: CommandContext): readonly CommandDeclaration[] => [
  {
    usage: 'serve  serve /mcp, /healthz, /readyz and /metrics until SIGTERM or SIGINT',
    options: [
      createConfigDirOption(' (default: an empty catalog)'),
      `--host <host>  address to listen on (default: http.host of config.yaml, ${DEFAULT_ADDRESS.host})`,
      createOption(
        `--port <port>  port, 0 for any free one (default: http.port of config.yaml, ${DEFAULT_ADDRESS.port.toString()})`,
      ).argParser(portNumber),
      ...createHealthOptions(),
      createExposeOption(),
      createWritesOption(),
      '--kubernetes  read servers and workflows of a cluster instead of files',
      '--legacy-sse  serve /sse and /messages too, for clients of 2024-11-05',
      new Option('--workers [count]').hideHelp(),
      ...createPortalOptions(),
      ...logOptions(),
    ],
    run: (options: ServeOptions) => runServe(options, context),
  },
  {
    usage: 'stdio  serve MCP on standard input and output, for clients that run a command',
    options: [
      createConfigDirOption(),
      '--url <url>  connect to this running gateway instead; the token is in GATEWAY_TOKEN or from gateway auth login',
      createOption('--header <line>  with --url: a further header, "Name: value", may be repeated')
        .argParser((line: string, lines: readonly string[]) => [...lines, line])
        .default([]),
      '--toolset <selectors>  used as the header X-Gateway-Toolset of every request',
      createExposeOption(),
      createWritesOption(),
      ...logOptions(),
    ],
    run: (options: StdioOptions, self: Command) => runStdio(options, self, context),
  },
];

/** The options of `gateway serve`; without a directory the catalog is empty. */
type ServeOptions = Omit<ServeArguments, 'configDir'> & {
  readonly configDir?: string;
  readonly workers?: unknown;
};

const NO_WORKERS =
  'gateway serve has no --workers: for more processes, start several gateways that share a Redis or Valkey server (see "Replicas" in docs/operations.md)';

/** The next steps. They are on stderr, because a program may read the log from there and the results from stdout. */
const NEXT_STEPS = `No --config-dir: the catalog has only the gateway's own tools, and nothing can be added to it. To serve MCP servers of your own:
  1. gateway init my-servers
  2. gateway servers add files --config-dir my-servers -- npx -y @modelcontextprotocol/server-filesystem /tmp
  3. gateway serve --config-dir my-servers
In place of step 2, gateway import --config-dir my-servers lists the clients on this machine whose servers it can import.
`;

/**
 * Without a directory it serves an empty configuration and writes the next steps to stderr. The configuration is a temporary directory, so that
 * nothing is written elsewhere; tools that would write to it are refused unless an option permits them.
 */
async function runServe(
  { configDir: given, workers, ...options }: ServeOptions,
  { io, serving }: CommandContext,
): Promise<CommandResult> {
  if (workers !== undefined) throw createRefusal(NO_WORKERS);
  if (given !== undefined) return serving.serve({ ...options, configDir: given });
  if (options.kubernetes === true) throw createRefusal('--kubernetes requires --config-dir <dir>');
  const configDir = await mkdtemp(join(tmpdir(), 'gateway-empty-'));
  io.stderr.write(NEXT_STEPS);
  try {
    return await serving.serve({ coreToolWrites: 'none', ...options, configDir });
  } finally {
    await rm(configDir, { recursive: true, force: true });
  }
}

type StdioOptions = Partial<StdioArguments & BridgeArguments>;

/** The options about a gateway in this process, with their names on the command line. */
const OWN_GATEWAY: Readonly<Record<string, string>> = {
  configDir: '--config-dir',
  expose: '--expose',
  coreToolWrites: '--core-tool-writes',
};

async function runStdio(
  options: StdioOptions,
  self: Command,
  { io, serving }: CommandContext,
): Promise<CommandResult> {
  const { url, configDir, header = [] } = options;
  if (url === undefined) {
    if (configDir === undefined)
      throw createRefusal(
        'gateway stdio requires --config-dir <dir>, or --url <url> of a running gateway',
      );
    if (header.length > 0) throw createRefusal('--header requires --url');
    return serving.serveStdio(options as StdioArguments);
  }
  const other = Object.keys(OWN_GATEWAY).find((name) => self.getOptionValueSource(name) === 'cli');
  if (other !== undefined)
    throw createRefusal(
      `${OWN_GATEWAY[other] ?? other} is for a gateway in this process, not for --url`,
    );
  const { bridgeStdio } = await import('../actions/bridge-stdio.ts');
  return bridgeStdio({ ...options, url }, io);
}
