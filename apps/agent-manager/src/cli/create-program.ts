import { Command } from 'commander';
import type { CommandResult } from '@gateway/service-host';
import { AGENT_MANAGER_VERSION } from '../version.ts';
import type { CliIo } from './cli-io.ts';
import { addServeOptions } from './serve-options.ts';
import { storeOf, type ServeArguments } from '../options/serve-arguments.ts';

/** The input and output of every command. */
export interface CommandContext {
  readonly io: CliIo;
  readonly end: (result: CommandResult) => void;
}

/** Creates the commands. The modules that serve are loaded by the command `serve` only, so that help starts fast. */
export function createProgram({ io: { stdout, stderr, env }, end }: CommandContext): Command {
  const program = new Command('agent-manager')
    .description('Creates, validates, changes and reads agents with a toolset, over REST and MCP.')
    .version(AGENT_MANAGER_VERSION)
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
    const { serve: run } = await import('../serving/serve.ts');
    end(await run({ ...options, releases: chosen.store }, env));
  });
  return program;
}
