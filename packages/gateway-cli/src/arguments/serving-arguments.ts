import type { CoreToolWrites, Expose } from '@gateway/gateway-config';
import type { LogFormat, LogLevel } from '@gateway/service-host';

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
