/** Format of a result. */
export type OutputFormat = 'text' | 'json';

/** Arguments of every command that sends requests to a running gateway. */
export interface ClientArguments {
  readonly url: string;
  readonly output: OutputFormat;
  readonly toolset?: string;
}

/** Arguments of a command that calls a tool. */
export interface CallArguments extends ClientArguments {
  readonly json?: string;
  readonly timeout: number;
}

/** Arguments of `gateway tools list`. */
export interface ListToolsArguments extends ClientArguments {
  readonly query?: string;
  readonly pattern?: string;
  readonly limit?: number;
}

/** Arguments of `gateway events`. */
export interface EventsArguments extends ClientArguments {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}
