import { type CommandResult, EXIT_CODES } from '@gateway/service-host';
import { Command, CommanderError } from 'commander';
import {
  resolveOauth,
  type ServiceArguments,
  type AgentServiceOptions,
  resolveStore,
} from '../options/serve-arguments.ts';
import { addServeOptions } from '../options/serve-options.ts';

/** Output and environment of a command. */
interface CliIo {
  /** Results. */
  readonly stdout: { write(text: string): void };
  /** Refusals and notes. */
  readonly stderr: { write(text: string): void };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Serves until the service ends. */
type Serve = (options: AgentServiceOptions, env: CliIo['env']) => Promise<CommandResult>;

/** The program of the command line. */
interface AgentManagerProgram {
  readonly version: string;
  readonly serve: Serve;
}

/** The input and output of every command. */
interface CommandContext extends AgentManagerProgram {
  readonly io: CliIo;
  readonly end: (result: CommandResult) => void;
}

/** Returns the command-line parser of agent-manager. */
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
  addServeOptions(serve).action(async (options: ServiceArguments) => {
    const chosen = resolveStore(options);
    if (!chosen.ok) return serve.error(`error: ${chosen.problem}`);
    const signIn = resolveOauth(options);
    if (!signIn.ok) return serve.error(`error: ${signIn.problem}`);
    const { oauth } = signIn;
    const serviceOptions = {
      ...options,
      releases: chosen.store,
      ...(oauth !== undefined && { oauth }),
    };
    context.end(await context.serve(serviceOptions, env));
  });
  return program;
}

/** Runs one command line and resolves with its exit code. */
export async function runCli(
  args: readonly string[],
  io: CliIo,
  program: AgentManagerProgram,
): Promise<number> {
  let result: CommandResult = 'succeeded';
  const end = (commandResult: CommandResult): void => {
    result = commandResult;
  };
  try {
    await createProgram({ ...program, io, end }).parseAsync(args, { from: 'user' });
    return EXIT_CODES[result];
  } catch (error) {
    return EXIT_CODES[toCommandResult(error, io)];
  }
}

function toCommandResult(error: unknown, { stderr }: CliIo): CommandResult {
  // Commander has printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'succeeded' : 'refused';
  stderr.write(`agent-manager: ${error instanceof Error ? error.message : String(error)}\n`);
  return 'failed';
}
