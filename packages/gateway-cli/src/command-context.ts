import type { ServerProbe } from '@gateway/core-tools';
import type { McpServer } from '@gateway/crd-schemas';
import type { CoreToolWrites, Expose, GatewayConfig } from '@gateway/gateway-config';
import type { CommandResult, LogFormat, LogLevel } from '@gateway/service-host';
import type { CliIo } from './cli-io.ts';

interface LogOptions {
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
}

/** Arguments of `gateway serve`. */
export interface ServeArguments extends LogOptions {
  readonly configDir: string;
  readonly expose: Expose;
  readonly coreToolWrites?: CoreToolWrites;
  readonly host?: string;
  readonly port?: number;
  readonly healthPort?: number;
  /** `false` with `--no-health-listener`. */
  readonly healthListener: boolean;
  /** Enables the key `kubernetes` of `config.yaml`. */
  readonly kubernetes?: true;
  /** Enables `http.legacySse` of `config.yaml`. */
  readonly legacySse?: true;
  /** The port of the portal, which this process then serves too. */
  readonly portal?: number;
  /** URL of agent-manager, for the pages of agents of the portal. */
  readonly agentManager?: string;
}

/** Arguments of `gateway stdio`. */
export interface StdioArguments extends LogOptions {
  readonly configDir: string;
  readonly expose: Expose;
  readonly coreToolWrites?: CoreToolWrites;
  readonly toolset?: string;
}

/** Arguments of `gateway stdio --url`. */
export interface BridgeArguments {
  readonly url: string;
  readonly toolset?: string;
  /** Further headers, each as `Name: value`. */
  readonly header?: readonly string[];
}

/** The first words of the command lines that `runServingCli` runs. */
export const SERVING_WORDS: readonly string[] = ['serve', 'stdio'];

/** The files and variables of a state store. */
interface StatePlace {
  /** The configuration directory, as an absolute path. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The servers of a configuration that are started once. */
interface ProbeQuestion {
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
