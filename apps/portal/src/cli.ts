#!/usr/bin/env node
import process from 'node:process';
import {
  exitWhenReaderCloses,
  EXIT_CODES,
  returnIdleMemory,
  LOG_FORMATS,
  LOG_LEVELS,
  validateNodeVersion,
  OLDEST_NODE,
} from '@gateway/service-host';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ServeOptions } from './serving/serve.ts';
import { PORTAL_VERSION } from './version.ts';

const parsePort = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('Expected 0 to 65535.');
  return Number(text);
};

const serveCommand = new Command('serve')
  .description('Serve the portal')
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--port <port>', 'port to listen on; 0 selects a free one', parsePort, 8070)
  .option('--public-url <url>', 'URL at which browsers reach the portal; its path is the prefix')
  .option('--allowed-hosts <hosts>', 'further host names of requests, separated by commas')
  .option('--gateway <url>', 'MCP endpoint of the gateway', 'http://127.0.0.1:8090/mcp')
  .option('--agent-manager <url>', 'URL of agent-manager')
  .option('--metrics <url>', 'metrics of the gateway')
  .option('--issuer <url>', 'where users sign in: an OpenID provider, or the gateway')
  .option('--client-id <id>', 'client of the portal at the issuer')
  .option('--client-secret-file <path>', 'file with the secret of the client')
  .option('--scopes <scopes>', 'scopes to request', 'openid profile email offline_access')
  .option('--resource <url>', 'resource of the access tokens (RFC 8707)')
  .addOption(
    new Option('--token <kind>', 'token that authorizes requests to the services')
      .choices(['access_token', 'id_token'])
      .default('access_token'),
  )
  .option('--redis <url>', 'Redis server with the sessions, which replicas share')
  .option('--label-domain <domain>', 'domain of the labels of the platform')
  .addOption(new Option('--log-format <format>').choices(LOG_FORMATS).default('text'))
  .addOption(new Option('--log-level <level>').choices(LOG_LEVELS).default('info'))
  .action(async (options: ServeOptions) => {
    const { serve } = await import('./serving/serve.ts');
    process.exitCode = EXIT_CODES[await serve(options, process.env)];
  });

returnIdleMemory();
const problem = validateNodeVersion({ feature: 'portal', minimum: OLDEST_NODE });
if (problem === undefined) {
  exitWhenReaderCloses();
  await new Command('portal')
    .version(PORTAL_VERSION)
    .addCommand(serveCommand)
    .parseAsync(process.argv);
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = EXIT_CODES.refused;
}
