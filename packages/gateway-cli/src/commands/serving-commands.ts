import { DEFAULT_ADDRESS } from '@gateway/gateway-config';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import {
  CONFIG_DIRECTORY,
  coreToolWritesOption,
  exposeOption,
  healthListenerOption,
  healthPortOption,
  logOptions,
  portalOptions,
  portNumber,
  workerCount,
} from '../option-values.ts';
import type { ServeArguments, StdioArguments } from './serving-arguments.ts';

/** Adds `gateway serve` and `gateway stdio`. */
export function addServingCommands(program: Command, { serving, end }: CommandContext): void {
  const serve = program
    .command('serve')
    .description('serve /mcp, /healthz, /readyz and /metrics until SIGTERM or SIGINT')
    .requiredOption(...CONFIG_DIRECTORY)
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
    .option('--workers <count>', 'processes that serve together', workerCount, 1);
  const stdio = program
    .command('stdio')
    .description('serve MCP on standard input and output, for clients that run a command')
    .requiredOption(...CONFIG_DIRECTORY)
    .option('--toolset <selectors>', 'used as the header X-Gateway-Toolset of every request')
    .addOption(exposeOption())
    .addOption(coreToolWritesOption());
  for (const option of portalOptions()) serve.addOption(option);
  for (const option of logOptions()) {
    serve.addOption(option);
    stdio.addOption(option);
  }
  serve.action(async (options: ServeArguments) => {
    const result = await serving.serve(options);
    if (result !== undefined) end(result);
  });
  stdio.action(async (options: StdioArguments) => {
    end(await serving.serveStdio(options));
  });
}
