import type { ServerProbe } from '@gateway/core-tools';
import type { McpServer } from '@gateway/crd-schemas';
import type { GatewayConfig } from '@gateway/gateway-config';
import type { CommandResult } from '@gateway/service-host';
import type { CliIo } from './cli-io.ts';
import type { ServeArguments, StdioArguments } from './arguments/serving-arguments.ts';

/** The files and variables of a state store. */
interface StatePlace {
  /** The configuration directory, as an absolute path. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The servers of a configuration that are started once. */
export interface ProbeQuestion {
  readonly config: GatewayConfig;
  /** The configuration directory, as an absolute path. */
  readonly directory: string;
  readonly servers: readonly McpServer[];
  /** Ends the servers that have been started; no further results follow. */
  readonly signal: AbortSignal;
}

/** The commands that run a gateway or a part of it. The program that contains the gateway provides them. */
export interface ServingCommands {
  /** Runs `gateway serve`. */
  readonly serve: (options: ServeArguments) => Promise<CommandResult>;
  /** Runs `gateway stdio`. */
  readonly serveStdio: (options: StdioArguments) => Promise<CommandResult>;
  /** Returns a sentence about the state store when it cannot be used. */
  readonly stateProblem: (
    config: GatewayConfig['state'],
    place: StatePlace,
  ) => Promise<string | undefined>;
  /** Returns the error of selectors for `X-Gateway-Toolset` that every request would be refused for. */
  readonly toolsetProblem: (selectors: string) => string | undefined;
  /** Starts each server once, lists its tools and ends it. */
  readonly probeServers: (question: ProbeQuestion) => Promise<AsyncIterable<ServerProbe>>;
}

/** The dependencies of every command. */
export interface CommandContext {
  readonly io: CliIo;
  readonly serving: ServingCommands;
  /** Runs another command line. @returns its exit code */
  readonly run: (args: readonly string[], io: CliIo) => Promise<number>;
  /** Reports the result of the command. */
  readonly end: (result: CommandResult) => void;
}
