import type { GatewayConfig } from '@gateway/gateway-config';
import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from './cli-io.ts';
import type { ServeArguments, StdioArguments } from './commands/serving-arguments.ts';

/** The files and variables of a state store. */
interface StatePlace {
  /** The configuration directory, as an absolute path. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The commands that run a gateway or a part of it. The program that contains the gateway provides them. */
export interface ServingCommands {
  /** Runs `gateway serve`; the result is absent when the process ends without one, as workers do. */
  readonly serve: (options: ServeArguments) => Promise<CommandResult | undefined>;
  /** Runs `gateway stdio`. */
  readonly serveStdio: (options: StdioArguments) => Promise<CommandResult>;
  /** Returns a sentence about the state store when it cannot be used. */
  readonly stateProblem: (
    config: GatewayConfig['state'],
    place: StatePlace,
  ) => Promise<string | undefined>;
}

/** The dependencies of every command. */
export interface CommandContext {
  readonly io: CliIo;
  readonly serving: ServingCommands;
  /** Reports the result of the command. */
  readonly end: (result: CommandResult) => void;
}
