import { Command } from 'commander';
import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from './cli-io.ts';
import { addServeOptions } from '../options/serve-options.ts';
import {
  oauthOf,
  storeOf,
  type ServeArguments,
  type ServeOptions,
} from '../options/serve-arguments.ts';

/** Serves with these options; resolves when the service has ended. */
export type Serve = (options: ServeOptions, env: CliIo['env']) => Promise<CommandResult>;

/** The program of the command line. */
export interface AgentManagerProgram {
  readonly version: string;
  readonly serve: Serve;
}

/** The input and output of every command. */
export interface CommandContext extends AgentManagerProgram {
  readonly io: CliIo;
  readonly end: (result: CommandResult) => void;
}

/** Creates the commands. */
export function createProgram(context: CommandContext): Command {
  const { stdout, stderr, env } = context.io;
  const program = new Command('agent-manager')
    .description('Creates, validates, changes and reads agents with a toolset, over REST and MCP.')
    .version(context.version)
    .exitOverride()
    .showHelpAfterError('Run with --help for a list of commands and options.')
    .configureOutput({
      writeOut: (text) => {
        stdout.write(text);
      },
      writeErr: (text) => {
        stderr.write(text);
      },
    });
  const serve = program
    .command('serve')
    .description(
      'serve /, /api/v1, /mcp, /healthz, /readyz and /metrics until SIGTERM or SIGINT; releases are stored in --store or in the cluster',
    );
  addServeOptions(serve).action(async (options: ServeArguments) => {
    const chosen = storeOf(options);
    if (!chosen.ok) return serve.error(`error: ${chosen.problem}`);
    const signIn = oauthOf(options);
    if (!signIn.ok) return serve.error(`error: ${signIn.problem}`);
    const { oauth } = signIn;
    const served = { ...options, releases: chosen.store, ...(oauth !== undefined && { oauth }) };
    context.end(await context.serve(served, env));
  });
  return program;
}
