import process from 'node:process';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXPOSE, type Expose } from './expose.ts';
import { createLogger, LOG_LEVELS, type LogFormat, type LogLevel } from './logging.ts';
import { serve } from './serve.ts';
import { serveOverStdio } from './stdio.ts';
import { validate } from './validate.ts';
import { GATEWAY_VERSION } from './version.ts';
import { isWorker, serveAsWorker } from './workers/serve-as-worker.ts';

/** Exit codes: fine, failure at run time, refused configuration or usage. */
const EXIT = { fine: 0, failed: 1, refused: 2 } as const;

/** More processes than this help no machine that the gateway runs on. */
const MAX_WORKERS = 128;

const CONFIG_DIRECTORY = 'directory with config.yaml, mcpservers/ and workflows/';

interface LogOptions {
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
}

interface ServeOptions extends LogOptions {
  readonly configDir: string;
  readonly expose: Expose;
  readonly host?: string;
  readonly port?: number;
  readonly workers: number;
}

interface StdioOptions extends LogOptions {
  readonly configDir: string;
  readonly expose: Expose;
  readonly toolset?: string;
}

const program = new Command('gateway')
  .description(
    'Joins many MCP servers into one endpoint, narrowed per request by X-Gateway-Toolset.',
  )
  .version(GATEWAY_VERSION)
  .exitOverride()
  .showHelpAfterError('Run with --help to see what is possible.');

withLogOptions(
  program
    .command('serve')
    .description('serve /mcp, /healthz, /readyz and /metrics until SIGTERM or SIGINT')
    .requiredOption('--config-dir <dir>', CONFIG_DIRECTORY)
    .option('--host <host>', 'address to listen on (default: http.host of config.yaml, 127.0.0.1)')
    .option(
      '--port <port>',
      'port, 0 for any free one (default: http.port of config.yaml, 8090)',
      portNumber,
    )
    .addOption(exposeOption())
    .option('--workers <count>', 'processes that serve together', workerCount, 1),
).action(async ({ logFormat: format, logLevel: level, ...options }: ServeOptions) => {
  const logger = createLogger({ format, level });
  if (isWorker()) serveAsWorker(logger);
  else process.exitCode = EXIT[await serve({ ...options, logger })];
});

program
  .command('validate')
  .description('check every file of a configuration directory without serving')
  .requiredOption('--config-dir <dir>', CONFIG_DIRECTORY)
  .action(async ({ configDir }: { configDir: string }) => {
    process.exitCode = EXIT[await validate(configDir)];
  });

withLogOptions(
  program
    .command('stdio')
    .description('serve MCP on standard input and output, for clients that run a command')
    .requiredOption('--config-dir <dir>', CONFIG_DIRECTORY)
    .option('--toolset <selectors>', 'stands for the header X-Gateway-Toolset of every request')
    .addOption(exposeOption()),
).action(async ({ logFormat: format, logLevel: level, ...options }: StdioOptions) => {
  process.exitCode =
    EXIT[await serveOverStdio({ ...options, logger: createLogger({ format, level }) })];
});

function exposeOption(): Option {
  return new Option(
    '--expose <what>',
    "the meta-tools, or the servers' own tools, resources and prompts",
  )
    .choices(EXPOSE)
    .default('meta');
}

function withLogOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--log-format <format>', 'JSON lines, or text for people')
        .choices(['json', 'text'])
        .default('json'),
    )
    .addOption(
      new Option('--log-level <level>', 'least severe level that is logged')
        .choices(LOG_LEVELS)
        .default('info'),
    );
}

function workerCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,3}$/u.test(text) || count < 1 || count > MAX_WORKERS)
    throw new InvalidArgumentError(
      `It must be a whole number from 1 to ${MAX_WORKERS.toString()}.`,
    );
  return count;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/u.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return port;
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.fine : EXIT.refused;
  } else {
    process.stderr.write(`gateway: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = EXIT.failed;
  }
}
