import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from './cli-io.ts';
import type { ServeArguments, StdioArguments } from './commands/serving-arguments.ts';

/** The commands that run a gateway. The program that contains the gateway provides them. */
export interface ServingCommands {
  /** Runs `gateway serve`; the result is absent when the process ends without one, as workers do. */
  readonly serve: (options: ServeArguments) => Promise<CommandResult | undefined>;
  /** Runs `gateway stdio`. */
  readonly serveStdio: (options: StdioArguments) => Promise<CommandResult>;
}

/** The dependencies of every command. */
export interface CommandContext {
  readonly io: CliIo;
  readonly serving: ServingCommands;
  /** Reports the result of the command. */
  readonly end: (result: CommandResult) => void;
}
