import { DEFAULT_ADDRESS } from '@gateway/gateway-config';
import { type Command, Option } from 'commander';
import type {
  BridgeArguments,
  CommandContext,
  ServeArguments,
  StdioArguments,
} from '../command-context.ts';
import { CommandFailure } from '../failure.ts';
import {
  CONFIG_DIRECTORY,
  coreToolWritesOption,
  exposeOption,
  healthListenerOption,
  healthPortOption,
  logOptions,
  portalOptions,
  portNumber,
} from './option-values.ts';

/** The options of `gateway serve`; without a directory the catalog is empty. */
type ServeOptions = Omit<ServeArguments, 'configDir'> & {
  readonly configDir?: string;
  readonly workers?: unknown;
};

const NO_WORKERS =
  'gateway serve has no --workers: for more processes, start several gateways that share a Redis or Valkey server (see "Replicas" in docs/operations.md)';

/** Adds `gateway serve` and `gateway stdio`. */
export function addServingCommands(program: Command, context: CommandContext): void {
  addServeCommand(program, context);
  addStdioCommand(program, context);
}

function addServeCommand(program: Command, { io, serving, end }: CommandContext): void {
  const serve = program
    .command('serve')
    .description('serve /mcp, /healthz, /readyz and /metrics until SIGTERM or SIGINT')
    .option(CONFIG_DIRECTORY[0], `${CONFIG_DIRECTORY[1]} (default: an empty catalog)`)
    .option(
      '--host <host>',
      `address to listen on (default: http.host of config.yaml, ${DEFAULT_ADDRESS.host})`,
    )
    .option(
      '--port <port>',
      `port, 0 for any free one (default: http.port of config.yaml, ${DEFAULT_ADDRESS.port.toString()})`,
      portNumber,
    )
    .addOption(healthPortOption())
    .addOption(healthListenerOption())
    .addOption(exposeOption())
    .addOption(coreToolWritesOption())
    .option('--kubernetes', 'read servers and workflows of a cluster instead of files')
    .option('--legacy-sse', 'serve /sse and /messages too, for clients of 2024-11-05')
    .addOption(new Option('--workers [count]').hideHelp());
  for (const option of [...portalOptions(), ...logOptions()]) serve.addOption(option);
  serve.action(async ({ configDir, workers, ...options }: ServeOptions) => {
    if (workers !== undefined) throw new CommandFailure('refused', NO_WORKERS);
    end(
      configDir === undefined
        ? await serveEmpty(options)
        : await serving.serve({ ...options, configDir }),
    );
  });
  const serveEmpty = async (options: Omit<ServeArguments, 'configDir'>) => {
    const { serveEmptyCatalog } = await import('../actions/stdio.ts');
    return serveEmptyCatalog(serving, options, io);
  };
}

function addStdioCommand(program: Command, { io, serving, end }: CommandContext): void {
  const stdio = program
    .command('stdio')
    .description('serve MCP on standard input and output, for clients that run a command')
    .option(...CONFIG_DIRECTORY)
    .option(
      '--url <url>',
      'connect to this running gateway instead; the token is in GATEWAY_TOKEN or from gateway auth login',
    )
    .option(
      '--header <line>',
      'with --url: a further header, "Name: value", may be repeated',
      collected,
      [],
    )
    .option('--toolset <selectors>', 'used as the header X-Gateway-Toolset of every request')
    .addOption(exposeOption())
    .addOption(coreToolWritesOption());
  for (const option of logOptions()) stdio.addOption(option);
  stdio.action(async (options: Partial<StdioArguments & BridgeArguments>) => {
    const { runStdio } = await import('../actions/stdio.ts');
    end(await runStdio(options, isGivenIn(stdio), io, serving));
  });
}

const collected = (line: string, lines: readonly string[]): readonly string[] => [...lines, line];

/** Returns the function that says whether an option is on the command line. */
const isGivenIn =
  (command: Command) =>
  (name: string): boolean =>
    command.getOptionValueSource(name) === 'cli';
