import type { ServerProbe } from '@gateway/core-tools';
import type { McpServer } from '@gateway/crd-schemas';
import type { CoreToolWrites, Expose, GatewayConfig } from '@gateway/gateway-config';
import type { CommandResult, LogFormat, LogLevel } from '@gateway/service-host';
import type { CliIo } from './cli-io.ts';

interface LogOptions {
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
}

export interface ServeArguments extends LogOptions {
  readonly configDir: string;
  readonly expose: Expose;
  readonly coreToolWrites?: CoreToolWrites;
  readonly host?: string;
  readonly port?: number;
  readonly healthPort?: number;
  /** `false` with `--no-health-listener`. */
  readonly healthListener: boolean;
  readonly kubernetes?: true;
  readonly legacySse?: true;
  readonly portal?: number;
  readonly agentManager?: string;
}

export interface StdioArguments extends LogOptions {
  readonly configDir: string;
  readonly expose: Expose;
  readonly coreToolWrites?: CoreToolWrites;
  readonly toolset?: string;
}

export interface BridgeArguments {
  readonly url: string;
  readonly toolset?: string;
  readonly header?: readonly string[];
}

/** The first words of the command lines that `runServingCli` runs. */
export const SERVING_WORDS: readonly string[] = ['serve', 'stdio'];

interface StatePlace {
  /** The configuration directory, as an absolute path. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

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
  readonly serve: (options: ServeArguments) => Promise<CommandResult>;
  readonly serveStdio: (options: StdioArguments) => Promise<CommandResult>;
  /** Returns a sentence about the state store when it cannot be used. */
  readonly stateProblem: (
    config: GatewayConfig['state'],
    place: StatePlace,
  ) => Promise<string | undefined>;
  /** Returns the error of selectors for `X-Gateway-Toolset` that every request would be refused for. */
  readonly toolsetProblem: (selectors: string) => string | undefined;
  readonly probeServers: (question: ProbeQuestion) => Promise<AsyncIterable<ServerProbe>>;
}

export interface CommandContext {
  readonly io: CliIo;
  readonly serving: ServingCommands;
  /** Runs another command line. @returns its exit code */
  readonly run: (args: readonly string[], io: CliIo) => Promise<number>;
  readonly end: (result: CommandResult) => void;
}
